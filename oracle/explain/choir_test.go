package explain

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/check"
	"github.com/touchstone-oracle/touchstone/oracle/peer"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// TestAChoirSaysWhatEachSays: of every small text among the vectors, by every
// profile, to the last byte.
func TestAChoirSaysWhatEachSays(t *testing.T) {
	panel := isolatedPanel(time.Minute, 10*time.Minute, time.Minute) // however busy this machine is
	defer panel.Close()
	alone := NewPanel(Builtin(time.Minute, false), 10*time.Minute)
	defer alone.Close()
	asked := 0
	for i, v := range vectors.All() {
		if v.Op != vectors.OpCanon || len(v.Input) > maxSung {
			continue
		}
		asked++
		profile := reject.Profiles()[i%3]
		if _, ok := panel.choirs.ask(t.Context(), 10*time.Minute, profile, v.Input); !ok {
			t.Errorf("%s under %s: not answered together", v.ID, profile)
		}
		got, want := panel.Explain(t.Context(), profile, v.Input), alone.Explain(t.Context(), profile, v.Input)
		if g, w := text(got), text(want); g != w {
			t.Errorf("%s under %s: %s\nwant %s", v.ID, profile, g, w)
		}
	}
	if asked < 1000 {
		t.Errorf("only %d were asked", asked)
	}
}

func text(e *Explanation) string {
	all, err := json.Marshal(e)
	if err != nil {
		return err.Error()
	}
	return string(all)
}

// A scriptedChoir has two voices.
type scriptedChoir struct {
	ask    func(ctx context.Context) ([]result.Answer, bool)
	closed *int
}

func (s scriptedChoir) Infos() []result.Info { return []result.Info{{Version: "1"}, {Version: "2"}} }
func (s scriptedChoir) Close() error         { *s.closed++; return nil }
func (s scriptedChoir) Ask(ctx context.Context, _ []byte) ([]result.Answer, bool) {
	return s.ask(ctx)
}

// A soloist answers with one form.
type soloist struct{ form string }

func (s soloist) Info() result.Info { return result.Info{Version: "alone"} }
func (s soloist) Close() error      { return nil }
func (s soloist) Ask(context.Context, []result.Question) []result.Answer {
	return []result.Answer{{Kind: result.OK, Bytes: []byte(s.form)}}
}

func soloists() []Voice {
	open := func(reject.Profile) check.Subject { return soloist{"1"} }
	return []Voice{{"a", open}, {"b", open}}
}

// TestAChoirIsAskedNothingRisky: whoever dies of a document ends everybody in
// the same process, so none is put to a choir that could end one, even if all of
// it are brackets.
func TestAChoirIsAskedNothingRisky(t *testing.T) {
	if document := bytes.Repeat([]byte{'['}, maxSung); peer.Risky(document) {
		t.Errorf("%d brackets could end a process, and are put to a choir", len(document))
	}
}

// TestAFailingChoirIsLeftAlone: whatever becomes of it, each is asked alone, and
// the next document is put to it again.
func TestAFailingChoirIsLeftAlone(t *testing.T) {
	right := []result.Answer{{Kind: result.OK, Bytes: []byte("1")}, {Kind: result.Rejected}}
	for name, c := range map[string]struct {
		document string
		ask      func(context.Context) ([]result.Answer, bool)
		want     string // the versions of who answered, and the outcomes

		opened, closed int
	}{
		"answers": {"1", func(context.Context) ([]result.Answer, bool) { return right, true }, "1 2 pass refused", 1, 1},
		"large":   {"1" + strings.Repeat(" ", maxSung), func(context.Context) ([]result.Answer, bool) { return right, true }, "alone alone pass pass", 0, 0},
		"fits":    {"1" + strings.Repeat(" ", maxSung-1), func(context.Context) ([]result.Answer, bool) { return right, true }, "1 2 pass refused", 1, 1},
		"fails":   {"1", func(context.Context) ([]result.Answer, bool) { return right, false }, "alone alone pass pass", 1, 1},
		"babbles": {"1", func(context.Context) ([]result.Answer, bool) { return right[:1], true }, "alone alone pass pass", 1, 1},
		"panics":  {"1", func(context.Context) ([]result.Answer, bool) { panic(errors.New("no")) }, "alone alone pass pass", 2, 0},
		"stays":   {"1", func(context.Context) ([]result.Answer, bool) { time.Sleep(time.Hour); return right, true }, "  skip skip", 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				opened, closed := 0, 0
				panel := NewPanel(soloists(), 3*time.Second)
				panel.together(func(reject.Profile) Choir { opened++; return scriptedChoir{c.ask, &closed} })
				for range 2 {
					begin := time.Now()
					e := panel.Explain(t.Context(), reject.RFC8785, []byte(c.document))
					p := e.Peers
					if got := fmt.Sprintf("%s %s %s %s", p[0].Version, p[1].Version, p[0].Outcome, p[1].Outcome); got != c.want {
						t.Errorf("%s, want %s", got, c.want)
					}
					if names := []string{p[0].Name, p[1].Name}; !slices.Equal(names, []string{"a", "b"}) {
						t.Errorf("the names are %v", names)
					}
					if took := time.Since(begin); took > 3*time.Second {
						t.Errorf("it took %v", took)
					}
				}
				time.Sleep(2 * time.Hour)
				panel.Close()
				if opened != c.opened || closed != c.closed {
					t.Errorf("it was opened %d times and closed %d times", opened, closed)
				}
			})
		})
	}
}
