package peer

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/wire"
)

func openEnsemble(t *testing.T, limit time.Duration, names ...string) *Ensemble {
	t.Helper()
	e, err := OpenEnsemble(names, reject.RFC8785, limit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// TestEnsembleSaysWhatEachSays: forms, refusals with their reasons and words, and
// what is not served.
func TestEnsembleSaysWhatEachSays(t *testing.T) {
	for _, profile := range reject.Profiles() {
		e, err := OpenEnsemble(Names()[:len(product())], profile, 30*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		for _, document := range []string{``, ` `, `{"b":1.50,"a":"\u00e9"}`, `{"a":1,"\u0061":2}`, `[-0,1e-400]`, `"\ud800"`, "\"\xff\"", "\"\uffff\"", "\ufeff1", `1e400`} {
			answers, ok := e.Ask(t.Context(), []byte(document))
			if !ok || len(answers) != len(product()) {
				t.Fatalf("%s, %q: %v of %d", profile, document, ok, len(answers))
			}
			for i, p := range product() {
				want := p.One(profile, canonQuestion(document))
				got := answers[i]
				if got.Reason == "-" {
					got.Reason = ""
				}
				if got.Elapsed = 0; got.Kind != want.Kind || string(got.Bytes) != string(want.Bytes) || got.Reason != want.Reason || got.Message != want.Message {
					t.Errorf("%s, %q: %s says %+v, want %+v", profile, document, p.Name, got, want)
				}
				if !reflect.DeepEqual(e.Infos()[i], p.Info()) {
					t.Errorf("%s is told as %+v", p.Name, e.Infos()[i])
				}
			}
		}
	}
}

// TestEnsembleBlamesNobody: what one of them does costs everybody the answer, and
// the next document has one again.
func TestEnsembleBlamesNobody(t *testing.T) {
	for _, name := range []string{"test-panic", "test-hang", "test-exit"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limit := 30 * time.Second
			if name == "test-hang" {
				limit = 200 * time.Millisecond
			}
			e := openEnsemble(t, limit, "canon", name, "reference")
			for _, document := range []string{`1`, bad, bad, `2`} {
				answers, ok := e.Ask(t.Context(), []byte(document))
				if ok != (document != bad) || !ok && answers != nil {
					t.Errorf("%q: %v, %+v", document, ok, answers)
				}
				for _, a := range answers {
					if a.Kind != result.OK || string(a.Bytes) != document {
						t.Errorf("%q: %+v", document, a)
					}
				}
			}
		})
	}
}

// TestEnsembleIsInterrupted by the end of the context, and goes on.
func TestEnsembleIsInterrupted(t *testing.T) {
	e := openEnsemble(t, time.Hour, "canon", "test-hang")
	if _, ok := e.Ask(t.Context(), []byte(`1`)); !ok {
		t.Fatal("not asked at all")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, ok := e.Ask(ctx, []byte(bad)); ok {
		t.Error("it answered for who hangs")
	}
	if _, ok := e.Ask(ctx, []byte(`1`)); ok {
		t.Error("it answered after the end")
	}
	if _, ok := e.Ask(t.Context(), []byte(`1`)); !ok {
		t.Error("it did not go on")
	}
}

func TestEnsembleKnowsItsNames(t *testing.T) {
	if _, err := OpenEnsemble([]string{"canon", "nobody"}, reject.RFC8785, time.Second); err == nil {
		t.Error("a name that is none was taken")
	}
}

// TestPayloadsNameTheirPeer: nobody answers for whom there is not.
func TestPayloadsNameTheirPeer(t *testing.T) {
	engines := []engine{
		{result.OpCanon: func([]byte) ([]byte, error) { return []byte("first"), nil }},
		{result.OpCanon: func(input []byte) ([]byte, error) { return append([]byte("second "), input...), nil }},
	}
	for payload, want := range map[string]wire.Reply{
		"":        {Status: wire.Error, Message: []byte(errVoice.Error())},
		"\x00":    {Status: wire.OK, Payload: []byte("first")},
		"\x01[1]": {Status: wire.OK, Payload: []byte("second [1]")},
		"\x02":    {Status: wire.Error, Message: []byte(errVoice.Error())},
	} {
		if got := oneOf(engines, result.OpCanon, []byte(payload)); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, want %+v", payload, got, want)
		}
	}
}
