package canon

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// limitText makes a text whose counts lie about the limits of the test below.
func limitText(r *rand.Rand, b *strings.Builder, depth int) {
	kind := r.IntN(6)
	if depth > 3 {
		kind %= 3
	}
	switch kind {
	case 0, 1:
		limitString(r, b)
	case 2:
		b.WriteString([]string{"1", "-12.5", "1", "123456789012345678"}[r.IntN(4)])
		if r.IntN(2) == 0 {
			b.WriteString("." + strings.Repeat("3", 1+r.IntN(24)))
		}
		if r.IntN(4) == 0 {
			fmt.Fprintf(b, "e%d", r.IntN(30))
		}
	case 3, 4:
		b.WriteByte('[')
		for i := range r.IntN(6) {
			if i > 0 {
				b.WriteByte(',')
			}
			limitText(r, b, depth+1)
		}
		b.WriteByte(']')
	case 5:
		b.WriteByte('{')
		for i := range r.IntN(6) {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(b, `"%d`, r.IntN(200)) // now and then twice the same
			if r.IntN(4) == 0 {
				b.WriteString(strings.Repeat("n", r.IntN(60)))
			}
			b.WriteString(`":`)
			limitText(r, b, depth+1)
		}
		b.WriteByte('}')
	}
}

func limitString(r *rand.Rand, b *strings.Builder) {
	pieces := []string{"x", "xyz", `\n`, `\u0041`, `\/`, "é", "€", "\uFFFD", "\U0001F600", `\ufffd`, `\ud83d\ude00`}
	if r.IntN(20) == 0 {
		pieces = append(pieces, "\uFFFE", "\uFDD0", "\U0002FFFF", `\ufdef`, `\udbff\udfff`)
	}
	b.WriteByte('"')
	for range r.IntN(2 + r.IntN(40)) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	b.WriteByte('"')
}

// TestLimitsAreTheSlowPass: what the fast path decides of limits is what check
// says, and the bytes are those of the slow twin.
func TestLimitsAreTheSlowPass(t *testing.T) {
	r := rand.New(rand.NewPCG(8259, 9))
	rounds := 15_000
	if testing.Short() {
		rounds = 500
	}
	accepted, refused := 0, 0
	for range rounds {
		var b strings.Builder
		limitText(r, &b, 0)
		src := []byte(b.String())
		var o Options
		for _, limit := range []struct {
			value *int
			from  int
		}{{&o.MaxMembers, 1}, {&o.MaxElements, 1}, {&o.MaxStringBytes, 28}, {&o.MaxDigits, 14}} {
			if r.IntN(2) == 0 {
				*limit.value = limit.from + r.IntN(limit.from+6)
			}
		}
		o.RefuseNoncharacters = r.IntN(2) == 0
		rules := o.rules()
		fault := rules.check(src)
		eachKernel(func() {
			got, err := o.Append([]byte("x"), src)
			if (fault == nil) != (err == nil) {
				t.Fatalf("%+v of %q: %v, the slow pass finds %+v", o, src, err, fault)
			}
			if fault != nil {
				if want := fault.error(src); err.Error() != want.Error() {
					t.Fatalf("%+v of %q: %v, the slow pass says %v", o, src, err, want)
				}
				refused++
				return
			}
			accepted++
			if want := writePlain([]byte("x"), src); !bytes.Equal(got, want) {
				t.Fatalf("%+v of %q gives %q, the slow twin %q", o, src, got, want)
			}
			form := got[1:]
			if want := rules.check(form) == nil; o.Valid(form) != want {
				t.Fatalf("%+v: Valid(%q) is not %v", o, form, want)
			}
			if o.Valid(src) != bytes.Equal(src, form) {
				t.Fatalf("%+v: Valid(%q) is wrong", o, src)
			}
		})
	}
	if accepted < rounds/10 || refused < rounds/10 {
		t.Errorf("%d accepted, %d refused: the test looks at one side only", accepted, refused)
	}
}

// TestStringsOfTheLimit: a string of as many bytes as are allowed, and of one more,
// wherever it stands, where the fast path knows the limit.
func TestStringsOfTheLimit(t *testing.T) {
	const limit = leastStringBytes + 5
	o := Options{MaxStringBytes: limit}
	long := strings.Repeat("a", limit-2)
	for _, s := range []string{long + "bc", `\u0061b` + long, "b" + long + `\n`, "b" + long + `\/`, long + "é", long[1:] + "€"} {
		for _, around := range []string{"%", " % ", "[%]", "[0,%,0]", `{"a":%}`, `{"b":0,"a":%}`, `{%:0}`, `{"":0,%:0}`} {
			for more, allowed := range map[string]bool{"": true, "x": false} {
				src := []byte(strings.Replace(around, "%", `"`+s+more+`"`, 1))
				eachKernel(func() {
					got, err := o.Append(nil, src)
					if (err == nil) != allowed || allowed && !bytes.Equal(got, writePlain(nil, src)) {
						t.Errorf("%s gives %s, %v", src, got, err)
					}
					r := o.rules()
					if _, ok := appendFast(&r, nil, src); !ok && allowed && !strings.Contains(s, `\`) {
						t.Errorf("%s is left to the slow pass", src)
					}
				})
			}
		}
	}
}

// TestCountsOfTheLimit: members and elements, as many as are allowed and one more,
// few and so many that some spill.
func TestCountsOfTheLimit(t *testing.T) {
	for _, count := range []int{3, 70, 3*memberRoom + 7} {
		var names, values []string
		for k := range count {
			names = append(names, fmt.Sprintf("%06d", (k+1)*7919%100_003))
			values = append(values, "0")
		}
		for _, src := range []string{
			objectOf(names, "0"), `[{"b":0},` + objectOf(names, "0") + "]", `{"b":` + objectOf(names, "0") + "}",
			"[" + strings.Join(values, ",") + "]", `{"b":[` + strings.Join(values, ",") + "]}",
		} {
			for _, limit := range []int{count - 1, count} {
				o := Options{MaxMembers: limit, MaxElements: limit}
				r := o.rules()
				eachKernel(func() {
					if _, ok := appendFast(&r, nil, []byte(src)); ok != (count <= limit) {
						t.Errorf("%d at a limit of %d, %.40s: %v", count, limit, src, ok)
					}
				})
			}
		}
	}
}

// TestWhatIsPassedAtOnceIsWhole: short integers and literals as values of members,
// and what only begins or ends like them.
func TestWhatIsPassedAtOnceIsWhole(t *testing.T) {
	for _, text := range []string{
		`{"x123456":12345678,"a":0,"b":1}`, `{"a":1,"b":12345.0}`, `{"b":123456789012345,"a":1234567890123456}`, `{"b":9,"a":99999999}`,
		`{"b":false,"a":[true,null],"":{"c":-0,"a":true}}`, `{"a":9007199254740993}`,
	} {
		wantAppend(t, text)
	}
	for _, value := range []string{"wxyzw", "falsy", "nulll", "trues", "TRUE", "falsex", "nulx", "00", "01", "1x", "12345678x", "~~~~~", "1e400", "-1e400", "123456789012345678e400", "1.", "-", "1e", "1e+", ".5", "+1", "1.e5", "--1"} {
		for _, around := range []string{`{"a":%}`, `{"a":%,"b":0}`, "[%]", "%"} {
			eachKernel(func() {
				if got, ok := appendFast(&defaultRules, nil, []byte(strings.Replace(around, "%", value, 1))); ok {
					t.Errorf("%s in %s becomes %s", value, around, got)
				}
			})
		}
	}
}
