package oracletest

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// TestDescribe: a finding is told by lines, each only where there is something
// to say.
func TestDescribe(t *testing.T) {
	run := &result.Run{}
	for name, c := range map[string]struct {
		finding result.Finding
		want    []string
	}{
		"a wrong form": {
			result.Finding{
				Effect: result.Split, Outcome: result.Diverged, Requirement: "r", Signature: "s", Verdict: "accept",
				Input: []byte("1 "), InputSize: 2, Expected: []byte("1"), Given: result.OK, Actual: []byte("2"), Count: 3,
				Partner: []byte("2"), Message: "not told of an answer", Stderr: "nor this",
			},
			[]string{"split, diverged, r: s", `input    "1 "`, `right    "1"`, `given    "2"`, `same as  "2"`, "seen     in 3 inputs"},
		},
		"two answers": {
			result.Finding{
				Verdict: "accept", Relation: "repeated", Input: []byte("1"), InputSize: 201, Given: result.OK, Actual: []byte("1"), Count: 1,
				Partner: []byte("2"), PartnerOp: result.OpCanon, PartnerGiven: result.Rejected, Vectors: []string{"v1", "v2", "v3", "v4"}, Cases: []uint64{7, 9},
			},
			[]string{", , : ", `input    "1" and 200 bytes more`, `given    "1"`, `but      "2"`, "gives    refused", "seen     in 1 inputs; vectors v1, v2, v3; case 7"},
		},
		"a refusal": {
			result.Finding{Verdict: "either", Expected: []byte("[]"), Reasons: []string{"syntax", "bom"}, Fault: &result.Fault{Offset: 4}, Given: result.Rejected, Message: "no\n", Stderr: "not told of a refusal", Vectors: []string{"v"}},
			[]string{", , : ", `input    ""`, `right    "[]" or refuse (syntax or bom) at offset 4`, "given    refused", `message  "no\n"`, "seen     in 0 inputs; vectors v"},
		},
		"a hang": {
			result.Finding{Verdict: "reject", Given: result.Hung, Message: strings.Repeat("m", 1001)},
			[]string{", , : ", `input    ""`, `right    refuse`, "given    no answer", `message  "` + strings.Repeat("m", 1000) + `"`, "seen     in 0 inputs"},
		},
		"a panic": {
			result.Finding{Verdict: "?", Given: result.Crashed, Stderr: "at line 1", Cases: []uint64{0}},
			[]string{", , : ", `input    ""`, "given    a panic", `stack    "at line 1"`, "seen     in 0 inputs; case 0"},
		},
	} {
		if got, want := describe(run, &c.finding), strings.Join(c.want, "\n    "); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}

// TestShow: so much is shown, and how much more there is.
func TestShow(t *testing.T) {
	for n, want := range map[int]string{199: "", 200: "", 201: " and 1 bytes more", 300: " and 100 bytes more"} {
		text := strings.Repeat("x", n)
		if got := show([]byte(text), n); got != `"`+text[:min(n, 200)]+`"`+want {
			t.Errorf("%d bytes: %s", n, got)
		}
	}
	if got := show([]byte("é\x00"), 5); got != `"\u00e9\x00" and 2 bytes more` {
		t.Errorf("got %s", got)
	}
}

// TestDefaults: what is not said is asked in the usual measure, and what is said
// stays.
func TestDefaults(t *testing.T) {
	for short, want := range map[bool]Options{
		false: {Seed: 1, Cases: 2000, Relations: 200, Limit: 2 * time.Second},
		true:  {Seed: 1, Cases: 200, Relations: 20, Limit: 2 * time.Second},
	} {
		if got := (Options{}).withDefaults(short); !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v", got)
		}
		said := Options{Seed: 2, Cases: -1, Relations: 3, Limit: 4}
		if got := said.withDefaults(short); !reflect.DeepEqual(got, said) {
			t.Errorf("got %+v", got)
		}
	}
}

// TestClosed: an end without a question is none, and after one the goroutine has
// gone and another is started if there is more to ask.
func TestClosed(t *testing.T) {
	s := &subject{canonicalize: reference.Canonicalize, limit: time.Hour}
	for range 2 {
		s.Close()
		if a := s.ask([]byte("1 ")); string(a.Bytes) != "1" {
			t.Errorf("got %q", a.Bytes)
		}
		s.Close()
		if s.jobs != nil {
			t.Error("it is still open")
		}
	}
	if a := s.Ask(t.Context(), []result.Question{{Op: result.OpNum}, {Op: result.OpCanon, Input: []byte("2")}}); a[0].Kind != result.Skipped || a[1].Kind != result.OK {
		t.Errorf("got %+v", a)
	}
	s.Close()
}
