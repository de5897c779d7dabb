package check

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/baseline"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

var update = flag.Bool("update", false, "write testdata/whole.txt anew, to be reviewed")

// TestWholeRuns: all that a run tells of implementations whose faults are known,
// of given and generated documents that stand here: each line of progress, each
// record, each kind when it is first seen.
func TestWholeRuns(t *testing.T) {
	const file = "testdata/whole.txt"
	var told strings.Builder
	texts := wholeConfig(t)
	told.WriteString("texts under RFC 8785\n")
	tell(t, &told, texts)
	told.WriteString("\nthe smoke set, with what is known of it not minimized\n")
	smoke := texts
	smoke.Smoke, smoke.Complete, smoke.Inputs, smoke.Cases = true, false, nil, 0
	tell(t, &told, smoke)
	told.WriteString("\nother operations under RFC 0016\n")
	tell(t, &told, graphConfig(t))
	if *update {
		if err := os.WriteFile(file, []byte(told.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if told.String() == string(want) {
		return
	}
	is, was := strings.Split(told.String(), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(is), len(was)) {
		if is[i] != was[i] {
			t.Fatalf("line %d is\n%s\n%s has\n%s\nIf that is right: go test -run WholeRuns ./oracle/check -update", i+1, is[i], file, was[i])
		}
	}
	t.Fatalf("%d lines are told, %s has %d", len(is), file, len(was))
}

// wholeConfig asks a dozen implementations, each with a fault that its name tells.
func wholeConfig(t *testing.T) Config {
	refuses := func(when string, a result.Answer) planted {
		return func(input []byte) result.Answer {
			if bytes.Contains(input, []byte(when)) {
				return a
			}
			return right(input)
		}
	}
	calls := 0
	subjects := []struct {
		name    string
		subject planted
	}{
		{"right", right},
		{"reads-plus", onInput(replaceAll("+", ""))},
		{"last-wins", onInput(replaceAll(`"a":1,"a":2`, `"a":2`))},
		{"folds", onOutput(bytes.ToLower)},
		{"writes-plus", onOutput(replaceAll("1", "+1"))},
		{"writes-blanks", onOutput(replaceAll(",", ", "))},
		{"writes-a-letter", onOutput(replaceAll("true", "yes"))},
		{"turns", onOutput(func(b []byte) []byte { slices.Reverse(b); return b })},
		{"shallow", refuses("[[[", result.Answer{Kind: result.Rejected, Reason: "limit_depth", Message: "too deep"})},
		{"refuses-e", refuses("e", result.Answer{Kind: result.Rejected, Reason: "syntax", Message: "no e at 1", Bytes: []byte("x")})},
		{"refuses-all", func([]byte) result.Answer { return result.Answer{Kind: result.Rejected, Reason: "duplicate_name"} }},
		{"dies-of-true", refuses("true", result.Answer{Kind: result.Crashed, Message: "signal 11", Stderr: strings.Repeat("x", 5000)})},
		{"hangs-on-true", refuses("true", result.Answer{Kind: result.Hung, Message: "no answer"})},
		{"babbles", refuses("true", result.Answer{Kind: result.ProtocolError, Message: strings.Repeat("y", 5000)})},
		{"leaves", func(input []byte) result.Answer {
			if calls++; calls > 30 {
				return result.Answer{Kind: result.NoStart, Message: "no such file"}
			}
			return result.Answer{Kind: result.OK, Bytes: []byte("0")}
		}},
		{"floods", onOutput(func(b []byte) []byte { return append(b, bytes.Repeat([]byte("1"), 100_000)...) })},
		{"gives-up", refuses("true", result.Answer{Kind: result.Skipped, Unasked: true, Message: "it has died too often"})},
	}
	cfg := testConfig(Entry{Name: "absent", Open: func(context.Context) (Subject, error) { return nil, errors.New("no such file") }})
	for _, s := range subjects {
		cfg.Entries = append(cfg.Entries, entryOf(s.name, s.subject))
	}
	of := func(name string) *Entry {
		return &cfg.Entries[slices.IndexFunc(cfg.Entries, func(e Entry) bool { return e.Name == name })]
	}
	speaks := result.Info{
		Version: strings.Repeat("1", 400), Lineage: "own", Language: "go", Homepage: "h", Command: "c", Layer: result.LayerText, Ops: []result.Op{result.OpCanon}, Reasons: true,
	}
	for _, name := range []string{"refuses-e", "refuses-all", "shallow"} {
		s, _ := of(name).Open(t.Context())
		of(name).Open = opened(info{s.(planted), speaks})
	}
	of("hangs-on-true").Mode, of("hangs-on-true").Every = result.ModeExec, 3
	of("refuses-e").Tries = 3
	of("writes-blanks").Replay = func(selection string) string { return "again " + selection }
	of("folds").Every = 2
	for name, known := range map[string]string{
		"reads-plus": "vector number-plus accepted | reads it | unreported\ngenerated rfc8259/6/number accepted collision | the same | https://example.org\nvector number-top-plus refused | no | unreported\n",
		"last-wins":  "vector duplicate-plain accepted | reads it | unreported\n",
		"folds":      "vector literal-true* diverged | none | unreported\nvector no-such-vector diverged | none | unreported\n",
	} {
		file, err := baseline.Parse("", []byte(known))
		if err != nil {
			t.Fatal(err)
		}
		of(name).Baseline = file
	}
	cfg.Vectors = lookups(t, "number-plus", "number-top-plus", "duplicate-plain", "duplicate-escaped-first", "duplicate-keeps-last", "duplicate-keeps-first",
		"truncated-literal-false-1", "domain-lone-surrogate-name", "graph-null")
	cfg.Inputs = [][]byte{[]byte(`[1,[true],"A"]`), []byte(`{"a":1,"a":2}`), []byte(`[[[0]]]`), []byte(`[+1]`), []byte("\xff"), []byte(`["` + strings.Repeat("A", 300) + `"]`), []byte("[true,1]")}
	cfg.Complete, cfg.Workers = true, 1
	cfg.Cases, cfg.First, cfg.Seed = 8, 100, 5
	cfg.Generator = func(seed uint64) func(uint64) []byte {
		return func(number uint64) []byte { return fmt.Appendf(nil, `{"b":%d,"a":[true,%d,"A"]}`, seed, number) }
	}
	cfg.Header, cfg.Minimize = result.Header{Version: "1", OS: "os"}, dropBytes
	return cfg
}

// dropBytes leaves out one byte after the other.
func dropBytes(input []byte, keep func([]byte) bool, tries int) []byte {
	for at := 0; at < len(input) && tries > 0; tries-- {
		if fewer := slices.Delete(bytes.Clone(input), at, at+1); keep(fewer) {
			input, at = fewer, 0
		} else {
			at++
		}
	}
	return input
}

// graphConfig asks for snapshots of value graphs.
func graphConfig(t *testing.T) Config {
	cfg := testConfig(Entry{Name: "null"}, Entry{Name: "refuses"}, Entry{Name: "text-alone"})
	serves := result.Info{Ops: []result.Op{result.OpCanon, result.OpGraph}}
	cfg.Entries[0].Open = opened(info{func([]byte) result.Answer { return ok("null") }, serves})
	cfg.Entries[1].Open = opened(info{func([]byte) result.Answer { return result.Answer{Kind: result.Rejected, Message: "no"} }, serves})
	cfg.Entries[2].Open = opened(planted(right))
	cfg.Profile, cfg.Cases, cfg.Workers = reject.RFC0016, 0, 1
	cfg.Vectors = lookups(t, "graph-null", "graph-true", "graph-false", "graph-hole", "graph-nan", "name-proto-null")
	return cfg
}

// tell writes down what a run tells.
func tell(t *testing.T, told *strings.Builder, cfg Config) {
	t.Helper()
	cfg.Progress = func(p Progress) {
		fmt.Fprintf(told, "%s %d/%d, found %d, asked %d/%d\n", p.Phase, p.Done, p.Total, p.Findings, p.Asked, p.Planned)
	}
	cfg.Found = func(f result.Finding) { fmt.Fprintf(told, "first seen: %s", describeFinding(f)) }
	cfg.Emit = func(r result.Record) error {
		switch {
		case r.Header != nil:
			h := r.Header
			fmt.Fprintf(told, "header of format %d, version %s on %s, %s with seed %d: %d vectors, %d cases, %d inputs, %d relations, complete %v; %d clauses, the first %v\n",
				h.Format, h.Version, h.OS, h.Profile, h.Seed, h.Vectors, h.Cases, h.Inputs, h.Relations, h.Complete, len(h.Clauses), h.Clauses[0])
			for _, s := range h.Subjects {
				fmt.Fprintf(told, "subject %.60v\n", s)
			}
		case r.Vector != nil:
			if v := *r.Vector; v.Outcome != result.Pass {
				fmt.Fprintf(told, "vector %s: %s %s %s, gives %.8q, limited %v, known %v, expected %s, says %d bytes\n",
					v.Vector, v.Subject, v.Outcome, v.Requirement, v.Digest, v.Limited, v.Known, v.Expected, len(v.Message))
			}
		case r.Finding != nil:
			fmt.Fprintf(told, "finding %s", describeFinding(*r.Finding))
		case r.Footer != nil:
			f := *r.Footer
			for _, s := range f.Scores {
				fmt.Fprintf(told, "score %s: no start %q, vectors %v, generated %v, limits %v, unasked %d %q, findings %d, new %d\n  groups %v\n  found %v\n  outcomes %v\n",
					s.Subject, s.NoStart, s.Vectors, s.Generated, s.Limits, s.Unasked, s.Why, s.Findings, s.New, s.Groups, s.Found, s.Outcomes)
			}
			fmt.Fprintf(told, "stale %+v, interrupted %v, questions %d\n", f.Stale, f.Interrupted, f.Questions)
		}
		return nil
	}
	run := mustRun(t, cfg)
	if len(run.Findings) == 0 || len(run.Vectors) == 0 || len(run.Footer.Scores) != len(cfg.Entries) || run.Header.Format != result.Format {
		t.Errorf("the run is %+v", run)
	}
}

func describeFinding(f result.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s %s %q (%s, %s) op %s\n  %.90q of %d is to %s %.90q %v, is given %s %.90q differing at %d, %q %.60q of %d %.20q of %d\n",
		f.Subject, f.Effect, f.Outcome, f.Requirement, f.Group, f.Signature, f.Op,
		[]byte(f.Input), f.InputSize, f.Verdict, []byte(f.Expected), f.Reasons, f.Given, []byte(f.Actual), f.Differ, f.ReasonGiven, f.Message, len(f.Message), f.Stderr, len(f.Stderr))
	if f.Fault != nil {
		fmt.Fprintf(&b, "  fault %+v\n", *f.Fault)
	}
	if f.Partner != nil || f.PartnerVerdict != "" {
		fmt.Fprintf(&b, "  as %.90q, %s, %s %s %.90q after %.90q\n", []byte(f.Partner), f.PartnerVerdict, f.PartnerOp, f.PartnerGiven, []byte(f.PartnerActual), []byte(f.After))
	}
	fmt.Fprintf(&b, "  relation %q, %d times in %v %v; %.100s; unknown %v", f.Relation, f.Count, f.Vectors, f.Cases, f.Replay, f.Unknown)
	if f.Known != nil {
		fmt.Fprintf(&b, "; known %+v", *f.Known)
	}
	return b.String() + "\n"
}
