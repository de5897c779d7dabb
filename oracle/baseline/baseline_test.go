package baseline

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

const sample = `# What is known of an example.

vector number-plus* accepted | strconv reads a sign | https://example.org/1
vector order-astral diverged sha256:0000000000000000000000000000000000000000000000000000000000000000 | by code points | unreported
generated rfc8259/6/number accepted collision | the same by other inputs | https://example.org/1
flaky vector deep crash | now and then | unreported
profile rfc0016
vector minus-zero accepted | writes 0 | unreported
`

func parse(t *testing.T, text string) *File {
	t.Helper()
	f, err := Parse("test", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestTextIsKept(t *testing.T) {
	if got := string(parse(t, sample).Text()); got != sample {
		t.Errorf("got %q", got)
	}
}

// TestEntryIsItsLine: an entry is written as it is read.
func TestEntryIsItsLine(t *testing.T) {
	lines := strings.Split(sample, "\n")
	for _, e := range parse(t, sample).Entries() {
		if e.String() != lines[e.Line-1] {
			t.Errorf("line %d: %s", e.Line, e)
		}
	}
}

func TestFaultyFiles(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"vector a accepted", "expected"},
		{"vector a accepted |  | unreported", "reason"},
		{"vector a accepted | why | http://example.org", "https"},
		{"vector a accepted | why | elsewhere", "https"},
		{"vector a wrong | why | unreported", "outcome"},
		{"vector a pass | why | unreported", "no departure"},
		{"vector [ accepted | why | unreported", "pattern"},
		{"vector a accepted sha256:12 | why | unreported", "64"},
		{"vector a accepted sha1 | why | unreported", "sha256"},
		{"generated rfc1/x accepted collision | why | unreported", "requirement"},
		{"generated rfc8259/6/number accepted doom | why | unreported", "effect"},
		{"generated rfc8259/6/number accepted | why | unreported", "begins with"},
		{"victor a accepted | why | unreported", "begins with"},
		{"profile rfc1", "profile"},
		{"vector a accepted | why | unreported\nvector a diverged | why | unreported", "line 2: line 1"},
		{" | why | unreported", "begins with"},
		{"# \nprofile rfc1", "line 2"},
		{"# \xff", "UTF-8"},
		{"# " + strings.Repeat("x", maxLine), "longer"},
		{strings.Repeat("\n", maxFile+1), "larger"},
	} {
		_, err := Parse("test", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.60q: error %v, want one about %q", c.text, err, c.says)
		}
	}
}

func TestBoundsAreInclusive(t *testing.T) {
	for _, text := range []string{"# " + strings.Repeat("x", maxLine-2), strings.Repeat("\n", maxFile)} {
		if _, err := Parse("test", []byte(text)); err != nil {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
}

func TestNilFileHasNoText(t *testing.T) {
	var f *File
	if f.Text() != nil || f.Entries() != nil {
		t.Errorf("%q, %v", f.Text(), f.Entries())
	}
}

func TestMatcher(t *testing.T) {
	m := parse(t, sample).Matcher(reject.RFC8785)
	if m.Vector("number-plus", result.Accepted, "") == nil || m.Vector("number-plus-zero", result.Accepted, "") == nil {
		t.Error("a glob does not match")
	}
	if m.Vector("order-astral", result.Diverged, strings.Repeat("1", 64)) != nil {
		t.Error("other bytes are known")
	}
	if m.Vector("minus-zero", result.Accepted, "") != nil {
		t.Error("another profile's entry is known")
	}
	if m.Vector("other", result.Accepted, "") != nil {
		t.Error("an unknown vector is known")
	}
	if m.Generated("rfc8259/6/number", result.Accepted, result.Collision) == nil {
		t.Error("a generated finding is not known")
	}
	if m.Generated("rfc8259/6/number", result.Accepted, result.Split) != nil {
		t.Error("another effect is known")
	}
	if m.Generated("rfc8259/7/string", result.Accepted, result.Collision) != nil {
		t.Error("another requirement is known")
	}
	if m.Generated("rfc8259/6/number", result.Crash, result.Collision) != nil {
		t.Error("another outcome is known")
	}
	if m.Generated("", result.Accepted, "") != nil {
		t.Error("a vector's entry knows a generated document")
	}
	stale := m.Stale(true)
	if len(stale) != 1 || stale[0].Line != 4 || !strings.Contains(stale[0].Why, "other bytes") {
		t.Errorf("stale: %+v", stale)
	}
}

// TestDigest: an entry with a digest knows those bytes, one without knows any.
func TestDigest(t *testing.T) {
	zeros, ones := strings.Repeat("0", 64), strings.Repeat("1", 64)
	m := parse(t, "vector a diverged sha256:"+zeros+" | why | unreported\nvector b diverged | why | unreported").Matcher(reject.RFC8785)
	for _, c := range []struct {
		id, digest string
		known      bool
	}{{"a", zeros, true}, {"a", ones, false}, {"a", "", false}, {"b", ones, true}, {"b", "", true}} {
		if e := m.Vector(c.id, result.Diverged, c.digest); (e != nil) != c.known {
			t.Errorf("%s with the digest %.3q: %v", c.id, c.digest, e)
		}
	}
}

// TestStaleOfAPart: where not every vector was asked, an entry is stale by those
// that were, and passed over if none was.
func TestStaleOfAPart(t *testing.T) {
	m := parse(t, "vector unasked accepted | why | unreported\nvector half-* accepted | why | unreported\nvector so accepted | why | unreported").Matcher(reject.RFC8785)
	m.Vector("half-1", result.Accepted, "")
	m.Vector("half-2", result.Pass, "")
	m.Vector("so", result.Accepted, "")
	if stale := m.Stale(false); len(stale) != 1 || stale[0].Line != 2 || stale[0].Why != "half-2 passes" {
		t.Errorf("of a part: %+v", stale)
	}
	if stale := m.Stale(true); len(stale) != 2 || stale[0].Line != 1 || stale[0].Why != "no vector has this id" {
		t.Errorf("of the whole: %+v", stale)
	}
}

// TestStaleNamesThree: of many vectors the first three are named.
func TestStaleNamesThree(t *testing.T) {
	m := parse(t, "vector * accepted | why | unreported").Matcher(reject.RFC8785)
	for _, c := range []struct{ id, why string }{
		{"c", "c passes"}, {"a", "a passes, c passes"}, {"b", "a passes, b passes, c passes"},
		{"d", "a passes, b passes, c passes and 1 more"}, {"e", "a passes, b passes, c passes and 2 more"},
	} {
		m.Vector(c.id, result.Pass, "")
		if stale := m.Stale(true); len(stale) != 1 || stale[0].Why != c.why {
			t.Errorf("got %+v, want %s", stale, c.why)
		}
	}
}

func TestKnown(t *testing.T) {
	a, b := &Entry{Reason: "x", Link: "https://example.org/1"}, &Entry{Reason: "y", Link: "https://example.org/2"}
	for _, c := range []struct {
		entries []*Entry
		want    result.Known
	}{
		{[]*Entry{a}, result.Known{Reason: "x", Link: "https://example.org/1"}},
		{[]*Entry{a, b, a}, result.Known{Reason: "x; y", Link: "https://example.org/1"}},
		{[]*Entry{a, {Reason: "z"}}, result.Known{Reason: "x; z"}},
	} {
		if got := *Known(c.entries); got != c.want {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
}

func TestStale(t *testing.T) {
	for _, c := range []struct {
		name, text string
		outcomes   map[string]result.Outcome
		why        string // "" for not stale
	}{
		{"still so", "vector a accepted | why | unreported", map[string]result.Outcome{"a": result.Accepted}, ""},
		{"passes now", "vector a accepted | why | unreported", map[string]result.Outcome{"a": result.Pass}, "a passes"},
		{"something else now", "vector a accepted | why | unreported", map[string]result.Outcome{"a": result.Crash}, "a is crash"},
		{"no such vector", "vector a accepted | why | unreported", map[string]result.Outcome{"b": result.Pass}, "no vector"},
		{"one of a glob passes", "vector a* accepted | why | unreported", map[string]result.Outcome{"a1": result.Accepted, "a2": result.Pass}, "a2 passes"},
		{"flaky", "flaky vector a accepted | why | unreported", map[string]result.Outcome{"a": result.Pass}, ""},
		{"generated", "generated rfc8259/6/number accepted collision | why | unreported", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := parse(t, c.text).Matcher(reject.RFC8785)
			for id, o := range c.outcomes {
				m.Vector(id, o, "")
			}
			stale := m.Stale(true)
			if (len(stale) == 0) != (c.why == "") || len(stale) > 0 && !strings.Contains(stale[0].Why, c.why) {
				t.Errorf("stale %+v, want %q", stale, c.why)
			}
		})
	}
}

// TestWideGlob: one entry stands for MaxMatches vectors and no more.
func TestWideGlob(t *testing.T) {
	m := parse(t, "vector * accepted | all of them | unreported").Matcher(reject.RFC8785)
	for i := range MaxMatches {
		m.Vector(strings.Repeat("a", i+1), result.Accepted, "")
	}
	if stale := m.Stale(true); len(stale) != 0 {
		t.Errorf("%d matches: %+v", MaxMatches, stale)
	}
	m.Vector("b", result.Pass, "")
	if stale := m.Stale(true); len(stale) != 1 || stale[0].Why != "it stands for 21 vectors, more than 20" {
		t.Errorf("%d matches: %+v", MaxMatches+1, stale)
	}
}

func vector(id string, o result.Outcome) result.VectorResult {
	return result.VectorResult{Vector: id, Outcome: o}
}

// TestUpdateKeepsCommentsAndOrder.
func TestUpdateKeepsCommentsAndOrder(t *testing.T) {
	got := string(parse(t, sample).Update(reject.RFC8785, []result.VectorResult{
		vector("number-plus", result.Accepted), vector("number-plus-zero", result.Pass), vector("order-astral", result.Refused),
		vector("deep", result.Pass), vector("dup-1", result.Accepted), vector("dup-2", result.Accepted), vector("lone", result.Accepted),
		vector("lone-2", result.Pass),
	}, []result.Finding{
		{Requirement: "rfc8785/3.1/unique-names", Outcome: result.Accepted, Effect: result.Collision, Signature: "a | b", Vectors: []string{"dup-1", "dup-2"}, Count: 9},
		{Requirement: "rfc8785/3.2.2.2/lone-surrogate", Outcome: result.Accepted, Effect: result.Collision, Signature: "alone", Vectors: []string{"lone"}, Count: 1},
		{Requirement: "rfc8259/6/number", Outcome: result.Accepted, Effect: result.Collision, Signature: "plus", Vectors: []string{"number-plus"}, Count: 3},
	}))
	const want = `# What is known of an example.

vector number-plus accepted | strconv reads a sign | https://example.org/1
vector order-astral refused | by code points | unreported
generated rfc8259/6/number accepted collision | the same by other inputs | https://example.org/1
flaky vector deep crash | now and then | unreported
profile rfc0016
vector minus-zero accepted | writes 0 | unreported

profile rfc8785
vector dup-* accepted | a / b | unreported
generated rfc8785/3.1/unique-names accepted collision | a / b | unreported
vector lone accepted | alone | unreported
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if again := parse(t, got); len(again.Entries()) != 8 {
		t.Errorf("%d entries", len(again.Entries()))
	}
}

// TestUpdateTakesOver: new vectors of a finding get what its known ones say, if
// they agree.
func TestUpdateTakesOver(t *testing.T) {
	const file = "vector a-1 accepted | the cause | https://example.org/1\nvector a-2 accepted | the cause | https://example.org/1\nvector b-1 accepted | one | unreported\nvector b-2 accepted | two | unreported\n"
	var all []result.VectorResult
	for _, id := range []string{"a-1", "a-2", "a-9", "b-1", "b-2", "b-9"} {
		all = append(all, vector(id, result.Accepted))
	}
	got := string(parse(t, file).Update(reject.RFC8785, all, []result.Finding{
		{Requirement: "r", Outcome: result.Accepted, Effect: result.Collision, Signature: "looks", Vectors: []string{"a-1", "a-2", "a-9"}, Count: 4},
		{Requirement: "s", Outcome: result.Accepted, Effect: result.Collision, Signature: "looks", Vectors: []string{"b-1", "b-2", "b-9"}, Count: 3},
	}))
	const want = file + "vector a-9 accepted | the cause | https://example.org/1\ngenerated r accepted collision | the cause | https://example.org/1\nvector b-9 accepted | looks | unreported\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestUpdateLeavesWhatIsTrue: a run that shows what the file says changes nothing
// of it, whichever profile comes last.
func TestUpdateLeavesWhatIsTrue(t *testing.T) {
	astral := vector("order-astral", result.Diverged)
	astral.Digest = strings.Repeat("0", 64)
	all := []result.VectorResult{vector("number-plus", result.Accepted), vector("number-plus-zero", result.Accepted), astral, vector("deep", result.Pass)}
	if got := string(parse(t, sample).Update(reject.RFC8785, all, nil)); got != sample {
		t.Errorf("got\n%s", got)
	}
	if got := string(parse(t, sample).Update(reject.RFC0016, []result.VectorResult{vector("minus-zero", result.Accepted)}, nil)); got != sample {
		t.Errorf("got\n%s", got)
	}
}

// TestUpdateRevises: an entry keeps the ids that still fail, as they fail now,
// and a glob stays while all that it covers fails as it says.
func TestUpdateRevises(t *testing.T) {
	limited, other := vector("a-2", result.Accepted), vector("a-1", result.Diverged)
	limited.Limited = true
	other.Digest = strings.Repeat("1", 64)
	zeros := " sha256:" + strings.Repeat("0", 64)
	for _, c := range []struct {
		name, from string
		all        []result.VectorResult
		want       string
	}{
		{"the first passes", "a-* accepted", []result.VectorResult{vector("a-1", result.Pass), vector("a-2", result.Accepted)}, "a-2 accepted"},
		{"one is limited", "a-* accepted", []result.VectorResult{vector("a-1", result.Accepted), limited}, "a-1 accepted"},
		{"one is skipped", "a-* accepted", []result.VectorResult{vector("a-1", result.Accepted), vector("a-2", result.Skip)}, "a-1 accepted"},
		{"the first is another", "a-* accepted", []result.VectorResult{vector("a-1", result.Crash), vector("a-2", result.Accepted)}, "a-1 crash\na-2 accepted"},
		{"other bytes", "a-1 diverged" + zeros, []result.VectorResult{other}, "a-1 diverged sha256:" + other.Digest},
		{"any bytes", "a-? diverged", []result.VectorResult{other}, "a-? diverged"},
		{"nothing is left", "a-* accepted", []result.VectorResult{vector("b-1", result.Accepted)}, ""},
		{"flaky", "a-* crash", []result.VectorResult{vector("a-1", result.Crash)}, "a-* crash"},
		{"as many as may be", "m-* crash", many(MaxMatches), "m-* crash"},
		{"too many", "m-* crash", many(MaxMatches + 1), ids(MaxMatches+1, " crash")},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := string(parse(t, entries(c.from)).Update(reject.RFC8785, c.all, nil))
			if got != entries(c.want) {
				t.Errorf("got\n%swant\n%s", got, entries(c.want))
			}
		})
	}
}

// TestUpdateAdds: a glob is written for what has one beginning, if there are at
// least two and not too many; what came to something else than the finding says
// is left out.
func TestUpdateAdds(t *testing.T) {
	for _, c := range []struct {
		name string
		all  []result.VectorResult
		want string
	}{
		{"one", many(1), "m-a crash"},
		{"two", many(2), "m-* crash"},
		{"as many as may be", many(MaxMatches), "m-* crash"},
		{"too many", many(MaxMatches + 1), ids(MaxMatches+1, " crash")},
		{"another outcome", append(many(2), vector("m-z", result.Hang)), "m-a crash\nm-b crash"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := result.Finding{Outcome: result.Crash, Signature: "why", Count: len(c.all)}
			for _, v := range c.all {
				f.Vectors = append(f.Vectors, v.Vector)
			}
			got := string(parse(t, "").Update(reject.RFC8785, c.all, []result.Finding{f}))
			if got != entries(c.want) {
				t.Errorf("got\n%swant\n%s", got, entries(c.want))
			}
		})
	}
}

// many gives vectors m-a, m-b and so on that crash.
func many(n int) (all []result.VectorResult) {
	for i := range n {
		all = append(all, vector("m-"+string(rune('a'+i)), result.Crash))
	}
	return all
}

// ids are the beginnings of their entries, ending in the same.
func ids(n int, end string) string {
	var lines []string
	for _, v := range many(n) {
		lines = append(lines, v.Vector+end)
	}
	return strings.Join(lines, "\n")
}

// entries completes the lines of a file by their beginnings.
func entries(beginnings string) string {
	var b strings.Builder
	for s := range strings.FieldsFuncSeq(beginnings, func(r rune) bool { return r == '\n' }) {
		b.WriteString("vector " + s + " | why | unreported\n")
	}
	return b.String()
}

// TestUpdateOfNothing: a run without findings leaves an empty file empty.
func TestUpdateOfNothing(t *testing.T) {
	if got := parse(t, "").Update(reject.RFC8785, []result.VectorResult{vector("a", result.Pass)}, nil); len(got) != 0 {
		t.Errorf("got %q", got)
	}
}

// TestBuiltin: every embedded baseline can be read.
func TestBuiltin(t *testing.T) {
	names, err := fs.Glob(builtin, "builtin/*.baseline")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		name = strings.TrimSuffix(strings.TrimPrefix(name, "builtin/"), ".baseline")
		if file, err := Builtin(name); err != nil || file == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if file, err := Builtin("no-such-peer"); file != nil || err != nil {
		t.Errorf("an unknown name: %v, %v", file, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(" "))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := Parse("test", text)
		if err != nil {
			return
		}
		again, err := Parse("test", file.Text())
		if err != nil || string(again.Text()) != string(file.Text()) {
			t.Errorf("%q does not stay: %v", text, err)
		}
	})
}
