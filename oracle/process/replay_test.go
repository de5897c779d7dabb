package process

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/wire"
)

func init() {
	hostile["plain"] = func(string) {
		wire.Serve(os.Stdin, os.Stdout, wire.Server{
			Open: func(profile string) (func(string, []byte) wire.Reply, error) {
				if profile != "rfc8785" {
					return nil, errors.New("not served")
				}
				return func(_ string, payload []byte) wire.Reply {
					if len(payload) == 0 {
						return wire.Reply{Status: wire.Reject}
					}
					return wire.Reply{Payload: payload}
				}, nil
			},
		})
	}
}

// TestReplay: an honest adapter passes every transcript that applies to it;
// others fail the ones that they break, with what came instead.
func TestReplay(t *testing.T) {
	t.Parallel()
	for name, failures := range map[string]map[string]string{
		"plain": {},
		"good": {
			"04-refusal":       `expected "1 reject" and maybe more, got "1 ok -"`,
			"06-skip":          `expected "1 skip", got "1 ok 00"`,
			"09-other-profile": `expected the end, got "hello 1 name=echo`,
			"11-verify":        `expected "1 ok 01", got "1 ok 7b7d"`,
		},
		"after-bye": {"01-greeting": `expected the end, got "and another thing"`},
		"die":       {"01-greeting": `exit status 1; on standard error: cannot find module`},
		"eager":     {"01-greeting": `expected the end, got "1 ok 7b7d"`},
		"lie-ops":   {"01-greeting": "is no operation"},
		"stay":      {"01-greeting": "did not end within"},
		"nth:1":     {"02-document": `expected "2 ok 5b5d", and it ended with exit status 2`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command, o := program(t, name)
			if name == "stay" {
				o.CaseLimit = o.CaseLimit / 60
			}
			for _, tr := range wire.Transcripts() {
				want, listed := failures[tr.Name]
				if !listed && name != "plain" && name != "good" {
					continue
				}
				err := Replay(context.Background(), command, tr, o)
				switch {
				case errors.Is(err, ErrNotAnnounced) && len(tr.Needs) > 0:
				case want == "" && err != nil, want != "" && (err == nil || !strings.Contains(err.Error(), want)):
					t.Errorf("%s: got %v, want %q", tr.Name, err, want)
				}
			}
			noneLeft(t)
		})
	}
}
