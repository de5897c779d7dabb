package peer

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

func canonQuestion(text string) result.Question {
	return result.Question{Op: result.OpCanon, Input: []byte(text)}
}

// ask asks one peer one batch and closes it.
func ask(t *testing.T, name string, o Options, questions ...result.Question) []result.Answer {
	t.Helper()
	s, err := Open(name, o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	return s.Ask(context.Background(), questions)
}

// TestEveryPeerAnswers: each row gives the canonical form of a plain document
// and refuses what is no JSON, in process and in its worker.
func TestEveryPeerAnswers(t *testing.T) {
	for _, p := range product() {
		for _, isolate := range []bool{false, true} {
			answers := ask(t, p.Name, Options{Isolate: isolate},
				canonQuestion(`{"b":1e2,"a":"\u20ac\u000a"}`), canonQuestion(`{"a":`), canonQuestion("[1,\n2]"))
			if a := answers[0]; a.Kind != result.OK || string(a.Bytes) != `{"a":"€\n","b":100}` {
				t.Errorf("%s: isolate %v: %+v", p.Name, isolate, a)
			}
			if a := answers[1]; a.Kind != result.Rejected || p.Ours != (a.Reason == "syntax") {
				t.Errorf("%s: isolate %v: %+v", p.Name, isolate, a)
			}
			if a := answers[2]; a.Kind != result.OK || string(a.Bytes) != `[1,2]` {
				t.Errorf("%s: isolate %v: %+v", p.Name, isolate, a)
			}
		}
	}
}

func bits(f float64) []byte { return binary.BigEndian.AppendUint64(nil, math.Float64bits(f)) }

// TestNum: every peer that writes numbers writes these by RFC 8785 appendix B.
func TestNum(t *testing.T) {
	for _, p := range product() {
		if !p.Info().Serves(result.OpNum) {
			t.Errorf("%s does not write numbers", p.Name)
			continue
		}
		for f, want := range map[float64]string{
			0: "0", math.Copysign(0, -1): "0", 1e21: "1e+21", 333333333.33333329: "333333333.3333333",
			5e-324: "5e-324", 295147905179352830000: "295147905179352830000", 1e-7: "1e-7",
		} {
			a := ask(t, p.Name, Options{}, result.Question{Op: result.OpNum, Input: bits(f)})[0]
			if a.Kind != result.OK || string(a.Bytes) != want {
				t.Errorf("%s: %v gives %s %q, want %s", p.Name, f, a.Kind, a.Bytes, want)
			}
		}
		a := ask(t, p.Name, Options{}, result.Question{Op: result.OpNum, Input: bits(math.Inf(1))})[0]
		if a.Kind != result.Rejected {
			t.Errorf("%s: infinity: %+v", p.Name, a)
		}
		if a = ask(t, p.Name, Options{}, result.Question{Op: result.OpNum, Input: []byte{1}})[0]; a.Kind != result.ProtocolError {
			t.Errorf("%s: one byte: %+v", p.Name, a)
		}
	}
}

// TestVerify: a canonical text gives 1, any other and what is none gives 0.
func TestVerify(t *testing.T) {
	for _, name := range []string{"reference", "canon", "snapshot"} {
		for text, want := range map[string]byte{`{"a":1}`: 1, `{"a": 1}`: 0, `{"a":1,"a":1}`: 0, ``: 0, `1.0`: 0} {
			a := ask(t, name, Options{}, result.Question{Op: result.OpVerify, Input: []byte(text)})[0]
			if a.Kind != result.OK || !bytes.Equal(a.Bytes, []byte{want}) {
				t.Errorf("%s: %s: %+v", name, text, a)
			}
		}
	}
}

// TestProfiles: our engines refuse what a stricter profile refuses, and give
// the reason that stands first.
func TestProfiles(t *testing.T) {
	for _, name := range []string{"reference", "canon"} {
		for _, c := range []struct {
			profile reject.Profile
			text    string
			reason  string
		}{
			{reject.RFC8785, `-0`, ""},
			{reject.IJSON, `-0`, ""},
			{reject.RFC0016, `-0`, "negative_zero"},
			{reject.RFC0016, `[-1e-400]`, "negative_zero"},
			{reject.RFC8785, "[\"\uFDD0\"]", ""},
			{reject.IJSON, "[\"\uFDD0\"]", "noncharacter"},
			{reject.RFC0016, "[\"\uFDD0\"]", ""},
			{reject.RFC0016, `{"a":1,"a":-0}`, "duplicate_name"},
			{reject.RFC0016, `{"a":-0,"a":1}`, "negative_zero"},
			{reject.IJSON, "[\"\uFDD0\",", "noncharacter"},
		} {
			a := ask(t, name, Options{Profile: c.profile}, canonQuestion(c.text))[0]
			if a.Reason != c.reason || (a.Kind == result.OK) != (c.reason == "") {
				t.Errorf("%s, %s: %q: %+v, want %q", name, c.profile, c.text, a, c.reason)
			}
		}
		a := ask(t, name, Options{Profile: reject.RFC0016}, result.Question{Op: result.OpNum, Input: bits(math.Copysign(0, -1))})[0]
		if a.Kind != result.Rejected || a.Reason != "negative_zero" {
			t.Errorf("%s: num -0: %+v", name, a)
		}
	}
}

// TestTable: names are unique, foreign rows know the version that go.mod
// requires, lookups of anything else fail.
func TestTable(t *testing.T) {
	names := Names()
	slices.Sort(names)
	if len(slices.Compact(names)) != len(table) {
		t.Errorf("a name stands twice: %v", names)
	}
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	required := strings.Fields(string(mod))
	for _, p := range product() {
		if i := slices.Index(required, p.Module); p.Module != "" && (i < 0 || required[i+1] != p.pinned) {
			t.Errorf("%s: go.mod does not require version %s", p.Name, p.pinned)
		}
	}
	if _, err := Lookup("nobody"); err == nil {
		t.Error("nobody is found")
	}
}
