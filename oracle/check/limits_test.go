package check

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// depthOf tells a nest's kind and depth: "a3" is three arrays.
func depthOf(text []byte) string {
	if text[0] == '[' {
		return fmt.Sprint("a", bytes.Count(text, []byte("[")))
	}
	return fmt.Sprint("o", bytes.Count(text, []byte("{")))
}

func TestNests(t *testing.T) {
	for n, want := range map[int][2]string{1: {`[]`, `{}`}, 3: {`[[[]]]`, `{"a":{"a":{}}}`}} {
		for i, nest := range nests {
			if got := string(nest(n)); got != want[i] {
				t.Errorf("%d deep: %s, want %s", n, got, want[i])
			}
		}
	}
}

// TestMeasure: what is asked for, what is told of it, and what it comes to.
func TestMeasure(t *testing.T) {
	upTo := func(arrays, objects int, kind result.AnswerKind) func(text string) result.Answer {
		return func(text string) result.Answer {
			var n int
			fmt.Sscan(text[1:], &n)
			if text[0] == 'a' && n > arrays || text[0] == 'o' && n > objects {
				return result.Answer{Kind: kind}
			}
			return result.Answer{Kind: result.OK}
		}
	}
	for _, c := range []struct {
		name   string
		answer func(text string) result.Answer
		want   result.Limits
		asked  string
		failed string
	}{
		{"none", upTo(1e6, 1e6, ""), result.Limits{Probed: 10_000, Arrays: -1, Objects: -1},
			"a1 a1 a4 a16 a64 a256 a1024 a4096 a10000 o1 o4 o16 o64 o256 o1024 o4096 o10000", ""},
		{"three and five", upTo(3, 5, result.Rejected), result.Limits{Probed: 10_000, Arrays: 3, Objects: 5}, "a1 a1 a4 a3 o1 o4 o16 o10 o7 o6 o5", ""},
		{"refuses", upTo(0, 0, result.Rejected), result.Limits{Probed: 10_000}, "a1 a1 o1", ""},
		{"not served", upTo(0, 0, result.Skipped), result.Limits{}, "a1", ""},
		{"dies", upTo(3, 3, result.Crashed), result.Limits{Probed: 10_000, Arrays: 3, Objects: 3}, "a1 a1 a4 a3 o1 o4 o3", "a4 o4"},
		{"never answers", upTo(0, 0, result.Hung), result.Limits{}, "a1 a1 o1", "a1 o1"},
		{"hangs on arrays alone", upTo(0, 2, result.Hung), result.Limits{Probed: 10_000, Objects: 1}, "a1 a1 o1 o4", "a1 o4"},
		{"hangs twice on arrays", upTo(2, 9, result.Hung), result.Limits{Probed: 10_000, Arrays: 1}, "a1 a1 a4 a3", "a4 a3"},
		{"hangs twice beyond", upTo(5, 5, result.Hung), result.Limits{Probed: 10_000, Arrays: 4}, "a1 a1 a4 a16 a10", "a16 a10"},
		{"hangs on objects alone", upTo(1e6, 0, result.Hung), result.Limits{Probed: 10_000, Arrays: -1}, "a1 a1 a4 a16 a64 a256 a1024 a4096 a10000 o1", "o1"},
		{"is not asked", func(text string) result.Answer { return result.Answer{Kind: result.Hung, Unasked: text == "o1"} },
			result.Limits{}, "a1 a1 o1", "a1 o1"},
		{"is not asked any more", func(text string) result.Answer {
			return result.Answer{Kind: result.OK, Unasked: text == "a4"}
		}, result.Limits{Probed: 10_000, Arrays: 4}, "a1 a1 a4", ""},
		{"was not asked", func(string) result.Answer { return result.Answer{Kind: result.Rejected, Unasked: true} }, result.Limits{}, "a1 a1", ""},
	} {
		var asked, failed []string
		p := depthProbe{
			ask: func(q result.Question) result.Answer {
				asked = append(asked, depthOf(q.Input))
				return c.answer(depthOf(q.Input))
			},
			fail: func(q result.Question, _ result.Answer) { failed = append(failed, depthOf(q.Input)) },
		}
		got := p.measure()
		if got != c.want || strings.Join(asked, " ") != c.asked || strings.Join(failed, " ") != c.failed {
			t.Errorf("%s: %+v after %s, failed %s; want %+v after %s, failed %s", c.name, got, asked, failed, c.want, c.asked, c.failed)
		}
	}
}

// TestLimitsAreMeasuredInFullRuns: once for each implementation, before the
// generated cases, with what dies on the way a finding; not where a few
// documents are asked.
func TestLimitsAreMeasuredInFullRuns(t *testing.T) {
	for _, c := range []struct {
		cases    int
		complete bool
		measured bool
	}{{2, false, true}, {1, false, false}, {0, false, false}, {0, true, true}} {
		var asked []string
		cfg := testConfig(entryOf("shallow", func(input []byte) result.Answer {
			if bytes.Contains(input, []byte("[]]")) {
				return result.Answer{Kind: result.Crashed}
			}
			if input[0] == '[' && bytes.Trim(input, "[]") == nil {
				asked = append(asked, depthOf(input))
			}
			return right(input)
		}))
		cfg.Cases, cfg.Complete, cfg.Inputs, cfg.Workers, cfg.Minimize = c.cases, c.complete, [][]byte{[]byte(`["a"]`)}, 1, nil
		cfg.Generator = func(uint64) func(uint64) []byte { return func(uint64) []byte { return []byte(`"a"`) } }
		var told []Progress
		cfg.Progress = func(p Progress) {
			if p.Phase == "depth limits" {
				told = append(told, p)
			}
		}
		run := mustRun(t, cfg)
		want, limits := []string(nil), result.Limits{}
		if c.measured {
			want, limits = []string{"a1", "a1"}, result.Limits{Probed: ProbeDepth, Arrays: 1, Objects: 1000}
		}
		if !slices.Equal(asked, want) || run.Footer.Scores[0].Limits != limits || len(told) != len(want)/2 {
			t.Errorf("%d cases, complete %v: asked %v, limits %+v, %v", c.cases, c.complete, asked, run.Footer.Scores[0].Limits, told)
		}
		if c.measured && (len(run.Findings) != 1 || string(run.Findings[0].Input) != "[[]]" || run.Findings[0].Outcome != result.Crash || run.Findings[0].Verdict != "accept") {
			t.Errorf("%d cases, complete %v: %s", c.cases, c.complete, kinds(run))
		}
	}
}

// TestLimitsOfDocuments: a limit excuses the refusal of a document that is as
// deep or as large, and of no other.
func TestLimitsOfDocuments(t *testing.T) {
	big := func(of string) string { return `["` + strings.Repeat(of, 4096/len(of)) + `"]` }
	refuses := func(when func(text string) bool) planted {
		return func(input []byte) result.Answer {
			if when(string(input)) {
				return result.Answer{Kind: result.Rejected}
			}
			return right(input)
		}
	}
	for _, c := range []struct {
		name, input string
		subject     planted
		excused     bool
		asked       []string // beside the input; nil for any
	}{
		{"every array", `[0]`, refuses(func(s string) bool { return strings.Contains(s, "[") }), false, []string{}},
		{"a scalar", `0`, refuses(func(s string) bool { return !strings.Contains(s, "[") }), false, []string{}},
		{"two arrays", `[0,[1]]`, refuses(func(s string) bool { return strings.Contains(s, "[[") || strings.Contains(s, ",[") }), true, []string{`[[]]`}},
		{"two objects", `[0,{"b":1}]`, refuses(func(s string) bool { return strings.Contains(s, `{"`) }), true, []string{`[[]]`, `{"a":{}}`}},
		{"one of two", `[0,[1]]`, refuses(func(s string) bool { return strings.Contains(s, "1") }), false, []string{`[[]]`, `{"a":{}}`}},
		{"the length", big("é"), refuses(func(s string) bool { return len(s) > 4000 }), true, nil},
		{"another character", big("é"), refuses(func(s string) bool { return strings.Contains(s, "é") }), false, nil},
	} {
		var asked []string
		cfg := testConfig(entryOf("limited", func(input []byte) result.Answer {
			asked = append(asked, string(input))
			return c.subject(input)
		}))
		cfg.Cases, cfg.Inputs, cfg.Minimize, cfg.Workers = 0, [][]byte{[]byte(c.input)}, nil, 1
		run := mustRun(t, cfg)
		if score := run.Footer.Scores[0]; (score.Generated.Limited == 1) != c.excused || (len(run.Findings) == 0) != c.excused {
			t.Errorf("%s: %+v%s", c.name, score.Generated, kinds(run))
		}
		if c.excused && c.asked != nil && !slices.Equal(asked, append([]string{c.input}, c.asked...)) {
			t.Errorf("%s: asked %q", c.name, asked)
		}
		if !c.excused && c.asked != nil && (len(asked) <= len(c.asked) || !slices.Equal(asked[1:1+len(c.asked)], c.asked) || len(c.asked) == 0 && slices.Contains(asked, "[]")) {
			t.Errorf("%s: asked %q", c.name, asked)
		}
	}
}
