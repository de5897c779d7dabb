package law_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/law"
	"github.com/touchstone-oracle/touchstone/snapshot"
)

// function is an implementation without further promises.
type function func([]byte) ([]byte, error)

func (f function) Canonicalize(src []byte) ([]byte, error) { return f(src) }

// full is canon with every promise; a field that is set breaks one.
type full struct {
	options      canon.Options
	canonicalize func(src []byte) ([]byte, error)
	append       func(dst, src []byte) ([]byte, error)
	valid        func(src []byte) bool
	number       func(dst []byte, f float64) ([]byte, error)
	str          func(dst []byte, s string) ([]byte, error)
	strict       law.Implementation
	within       func(law.Limits) law.Implementation
	work         *int64
}

func (f full) SpeaksReasons() {}

func (f full) Canonicalize(src []byte) ([]byte, error) {
	if f.work != nil {
		*f.work += int64(len(src))
	}
	if f.canonicalize != nil {
		return f.canonicalize(src)
	}
	return f.options.Canonicalize(src)
}

func (f full) Append(dst, src []byte) ([]byte, error) {
	if f.append != nil {
		return f.append(dst, src)
	}
	return f.options.Append(dst, src)
}

func (f full) Valid(src []byte) bool {
	if f.valid != nil {
		return f.valid(src)
	}
	return f.options.Valid(src)
}

func (f full) AppendNumber(dst []byte, x float64) ([]byte, error) {
	if f.number != nil {
		return f.number(dst, x)
	}
	return canon.AppendNumber(dst, x)
}

func (f full) AppendString(dst []byte, s string) ([]byte, error) {
	if f.str != nil {
		return f.str(dst, s)
	}
	return canon.AppendString(dst, s)
}

func (f full) Strict() law.Implementation {
	if f.strict != nil {
		return f.strict
	}
	return full{options: canon.Options{RefuseNegativeZero: true}}
}

func (f full) Within(l law.Limits) law.Implementation {
	if f.within != nil {
		return f.within(l)
	}
	return full{options: canon.Options{
		MaxDepth: l.Depth, MaxInput: l.Input, MaxOutput: l.Output, MaxMembers: l.Members,
		MaxElements: l.Elements, MaxStringBytes: l.StringBytes, MaxDigits: l.Digits,
	}}
}

func (f full) Work() int64 {
	if f.work == nil {
		return 0
	}
	return *f.work
}

// The clause of each law stands in the catalogue, and names are unique.
func TestLawsAreNamed(t *testing.T) {
	seen := make(map[string]bool)
	for _, l := range law.All() {
		if _, ok := reject.LookupRequirement(l.Clause); !ok || l.Text == "" || seen[l.Name] {
			t.Errorf("%s: clause %q, text %q", l.Name, l.Clause, l.Text)
		}
		seen[l.Name] = true
		if found, ok := law.Lookup(l.Name); !ok || found.Name != l.Name {
			t.Errorf("Lookup does not find %s", l.Name)
		}
	}
	if _, ok := law.Lookup("no such law"); ok {
		t.Error("Lookup finds what is not there")
	}
}

// canon and the reference keep every law that applies to them.
func TestOursKeepTheLaws(t *testing.T) {
	work := int64(0)
	ours := map[string]law.Implementation{
		"canon":     full{work: &work},
		"reference": function(reference.Canonicalize),
	}
	var g grammar.Generator
	s := grammar.NewSeeded(0, 0)
	for name, im := range ours {
		for i := range uint64(1500) {
			s.Reset(31, i)
			if err := law.CheckAll(im, g.Document(s)); err != nil {
				t.Fatalf("%s, case %d: %v", name, i, err)
			}
			a, b, r := g.Pair(s)
			if err := law.CheckPair(im, a, b, r); err != nil {
				t.Fatalf("%s, pair %d: %v", name, i, err)
			}
		}
	}
}

// canon's work, the bytes it is asked for here, grows as it may for each shape.
func TestGrowthOfEveryShape(t *testing.T) {
	l, _ := law.Lookup("growth")
	for i := range 40 {
		if err := l.Check(full{work: new(int64)}, fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
	}
}

// breaches has one implementation for each law that breaks it, and an input
// that shows it.
var breaches = map[string]struct {
	im    law.Implementation
	input string
}{
	"reference":        {full{canonicalize: wrongOffset}, `{"a":1,}`},
	"fixed-point":      {function(wrap), `1`},
	"lexical":          {function(spaced), `[1,2]`},
	"value":            {function(dropping), `{"a":1,"b":2}`},
	"round-trip":       {function(keepOrder), `{"b":1,"a":2}`},
	"spelling":         {function(keepOrder), `{"a":"xyz","b":100}`},
	"different-values": {function(folding), `"abc"`},
	"nesting":          {function(topOnly), `{"b":1,"a":[2]}`},
	"names-are-data":   {function(dropProto), `1`},
	"repeated":         {new(counting), `1`},
	"number":           {full{number: roundedNumber}, "\x3f\xb9\x99\x99\x99\x99\x99\x9a"},
	"string":           {full{str: escapingHTML}, `<`},
	"negative-zero":    {full{strict: function(canon.Canonicalize)}, `1`},
	"error-place":      {full{canonicalize: wrongOffset}, `{"a":1,}`},
	"error-payload":    {full{canonicalize: chatty}, `x`},
	"append":           {full{append: overwriting}, `[1,2,3]`},
	"valid":            {full{valid: json.Valid}, ` 1`},
	"limits":           {full{within: func(law.Limits) law.Implementation { return full{} }}, `{"a":[1]}`},
	"domain":           {sloppy{decode: laxDecode}, `[-0]`},
	"views":            {sloppy{view: true}, `{"a":[1]}`},
	"aliases":          {sloppy{of: laxOf}, `{"a":[1]}`},
	"growth":           {quadratic(), `1`},
}

// Each law is broken by who breaks it.
func TestEachLawCanBeBroken(t *testing.T) {
	for _, l := range law.All() {
		t.Run(l.Name, func(t *testing.T) {
			b, ok := breaches[l.Name]
			if !ok {
				t.Fatal("no implementation breaks it")
			}
			if l.Applies != nil && !l.Applies(b.im) {
				t.Fatal("it does not apply")
			}
			err := l.Check(b.im, []byte(b.input))
			for i := 0; err == nil && i < 50; i++ { // laws that draw from the input
				err = l.Check(b.im, fmt.Appendf(nil, "%s%*s", b.input, i, ""))
			}
			if err == nil {
				t.Error("not noticed")
			}
			// A law that needs more than Canonicalize does not apply to less.
			if l.Applies != nil && l.Applies(function(canon.Canonicalize)) {
				t.Error("it applies to an implementation that cannot do what it asks")
			}
		})
	}
	if len(breaches) != len(law.All()) {
		t.Errorf("%d breaches for %d laws", len(breaches), len(law.All()))
	}
}

func wrongOffset(src []byte) ([]byte, error) {
	out, err := canon.Canonicalize(src)
	var e *reject.Error
	if errors.As(err, &e) {
		later := *e
		later.Offset = min(e.Offset+1, len(src))
		place := reject.Locate(src, later.Offset)
		later.Line, later.Column = place.Line, place.Column
		err = &later
	}
	return out, err
}

func wrap(src []byte) ([]byte, error) { return fmt.Appendf(nil, "[%s]", src), nil }

func spaced(src []byte) ([]byte, error) {
	out, err := canon.Canonicalize(src)
	return bytes.ReplaceAll(out, []byte(","), []byte(", ")), err
}

func dropping(src []byte) ([]byte, error) {
	out, err := canon.Canonicalize(src)
	return bytes.ReplaceAll(out, []byte(`,"b":2`), nil), err
}

func keepOrder(src []byte) ([]byte, error) {
	var b bytes.Buffer
	err := json.Compact(&b, src)
	return b.Bytes(), err
}

func folding(src []byte) ([]byte, error) {
	out, err := canon.Canonicalize(src)
	return bytes.ToLower(bytes.ReplaceAll(out, []byte("é"), []byte("e"))), err
}

// topOnly sorts the members of the outermost object alone.
func topOnly(src []byte) ([]byte, error) {
	out, err := canon.Canonicalize(src)
	if err != nil || !bytes.HasPrefix(bytes.TrimSpace(src), []byte("[")) {
		return out, err
	}
	return keepOrder(src)
}

func dropProto(src []byte) ([]byte, error) {
	out, err := canon.Canonicalize(src)
	return bytes.ReplaceAll(out, []byte(`"__proto__":1`), nil), err
}

// counting answers otherwise each third time.
type counting int

func (c *counting) Canonicalize(src []byte) ([]byte, error) {
	if *c++; *c%3 == 0 {
		return []byte("null"), nil
	}
	return canon.Canonicalize(src)
}

func roundedNumber(dst []byte, f float64) ([]byte, error) {
	return fmt.Appendf(dst, "%.17g", f), nil
}

func escapingHTML(dst []byte, s string) ([]byte, error) {
	b, err := json.Marshal(s)
	return append(dst, b...), err
}

func chatty(src []byte) ([]byte, error) {
	_, err := canon.Canonicalize(src)
	if err != nil {
		err = fmt.Errorf("cannot read %s", src)
	}
	return nil, err
}

func overwriting(dst, src []byte) ([]byte, error) {
	if len(dst) > 0 {
		dst[0] = '!'
	}
	return canon.Append(dst, src)
}

func quadratic() law.Implementation {
	work := new(int64)
	return full{work: work, canonicalize: func(src []byte) ([]byte, error) {
		*work += int64(len(src)) * int64(len(src))
		return canon.Canonicalize(src)
	}}
}

// sloppy is snapshot with one promise broken.
type sloppy struct {
	decode func([]byte) (law.Snapshot, error)
	of     func(any) (law.Snapshot, error)
	view   bool // one view for everybody
}

func (sloppy) Canonicalize(src []byte) ([]byte, error) { return canon.Canonicalize(src) }

func (s sloppy) Decode(src []byte) (law.Snapshot, error) {
	if s.decode != nil {
		return s.decode(src)
	}
	d, err := snapshot.Decode(src)
	if s.view {
		return shared{d, d.View()}, err
	}
	return d, err
}

func (s sloppy) Of(v any) (law.Snapshot, error) {
	if s.of != nil {
		return s.of(v)
	}
	return snapshot.Of(v)
}

// shared hands out one tree again and again.
type shared struct {
	snapshot.Snapshot
	tree any
}

func (s shared) View() any { return s.tree }

func laxDecode(src []byte) (law.Snapshot, error) {
	out, err := canon.Canonicalize(src)
	if err != nil {
		return nil, err
	}
	return snapshot.Decode(out)
}

func laxOf(v any) (law.Snapshot, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return snapshot.Decode(text)
}

// Neither a relation nor a law that compares accuses who makes another choice
// that the standards leave open.
func TestOpenChoicesAreNotAccused(t *testing.T) {
	open := map[string]law.Implementation{
		"refuses -0":            function(canon.Options{RefuseNegativeZero: true}.Canonicalize),
		"refuses underflow":     function(canon.Options{RefuseUnderflow: true}.Canonicalize),
		"refuses noncharacters": function(canon.Options{RefuseNoncharacters: true}.Canonicalize),
	}
	var g grammar.Generator
	s := grammar.NewSeeded(0, 0)
	for name, im := range open {
		for i := range uint64(2000) {
			s.Reset(32, i)
			for _, l := range law.All() {
				if l.Name == "nesting" || l.Name == "names-are-data" {
					continue // a top-level string may be judged otherwise than one inside
				}
				if l.Applies == nil {
					if err := l.Check(im, g.Document(s)); err != nil {
						t.Fatalf("%s, case %d: %s: %v", name, i, l.Name, err)
					}
				}
			}
		}
	}
}

// What the shortest digits are made of: both ways agree on hard doubles.
func TestNumberLaw(t *testing.T) {
	l, _ := law.Lookup("number")
	for _, f := range []float64{0, math.Copysign(0, -1), 5e-324, math.MaxFloat64, 1e21, 1e-6, 1e-7, 9007199254740993, math.NaN(), math.Inf(1), 123456789012345680000, 2.5e-7} {
		b := math.Float64bits(f)
		if err := l.Check(full{}, fmt.Appendf(nil, "%c%c%c%c%c%c%c%c", 0, 0, 0, 0, 0, 0, 0, 0)); err != nil {
			t.Error(err)
		}
		eight := []byte{byte(b >> 56), byte(b >> 48), byte(b >> 40), byte(b >> 32), byte(b >> 24), byte(b >> 16), byte(b >> 8), byte(b)}
		if err := l.Check(full{}, eight); err != nil {
			t.Error(err)
		}
	}
}

func BenchmarkLaw(b *testing.B) {
	for _, l := range law.All() {
		b.Run(l.Name, func(b *testing.B) {
			work := int64(0)
			var g grammar.Generator
			s := grammar.NewSeeded(0, 0)
			for i := 0; b.Loop(); i++ {
				s.Reset(33, uint64(i%2000))
				if err := l.Check(full{work: &work}, g.Document(s)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
