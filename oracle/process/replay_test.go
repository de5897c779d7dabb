package process

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/wire"
)

// afterBye is a program that does something at bye.
func afterBye(do func()) func(string) {
	return func(string) {
		echo(func(_ int, id string, _ []byte) bool {
			if id == wire.Bye {
				do()
			}
			return false
		})
	}
}

func init() {
	hostile["noisy"] = func(string) { os.Stderr.WriteString("noise\n"); hostile["good"]("") }
	hostile["shut-after-bye"] = afterBye(func() { os.Stdout.Close(); forever() })
	hostile["long-after-bye"] = afterBye(func() { say(strings.Repeat("x", 2<<20)); forever() })
	hostile["die-after-bye"] = afterBye(func() { os.Exit(3) })
	hostile["talk-after-bye"] = afterBye(func() { os.Stderr.WriteString("x" + strings.Repeat("y", 300) + "\n"); say("words\n") })
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

// TestReplaySteps: replies that are expected together may come in any order, what
// follows is not expected before, and the end need not be.
func TestReplaySteps(t *testing.T) {
	hello := []wire.Step{{Action: wire.Send, Line: "hello 1 profile=rfc8785"}, {Action: wire.Expect, Line: "hello 1", Open: true}}
	bye := []wire.Step{{Action: wire.Send, Line: "bye"}, {Action: wire.End}}
	two := []wire.Step{
		{Action: wire.Send, Line: "1 canon 00"}, {Action: wire.Send, Line: "2 canon 01"},
		{Action: wire.Expect, Line: "2 ok 01"}, {Action: wire.Expect, Line: "1 ok 00"},
	}
	three := []wire.Step{{Action: wire.Send, Line: "3 canon 02"}, {Action: wire.Expect, Line: "3 ok 02"}}
	for name, c := range map[string]struct {
		program string
		needs   []wire.Need
		steps   [][]wire.Step
		want    string
	}{
		"without an end":      {"good", nil, [][]wire.Step{hello, two, three}, ""},
		"with noise":          {"noisy", nil, [][]wire.Step{hello, two}, ""},
		"not met with noise":  {"noisy", []wire.Need{{Key: "window", Value: "9"}}, [][]wire.Step{hello, two}, "process: the adapter does not announce it: window=9"},
		"with one":            {"good", nil, [][]wire.Step{hello, two, three, bye}, ""},
		"closed":              {"good", nil, [][]wire.Step{hello, {{Action: wire.Close}, {Action: wire.End}}}, ""},
		"steps left out":      {"good", nil, [][]wire.Step{hello, two[:3], three}, `expected "2 ok 01", got "1 ok 00"`},
		"too many":            {"good", nil, [][]wire.Step{hello, two[:1], two[3:], two[3:]}, `expected "1 ok 00", and no answer within BRIEF`},
		"another reply":       {"good", nil, [][]wire.Step{hello, two, three[:1], two[3:]}, `expected "1 ok 00", got "3 ok 02"`},
		"open":                {"good", nil, [][]wire.Step{{hello[0], {Action: wire.Expect, Line: "hello 2", Open: true}}}, `expected "hello 2" and maybe more, got "hello 1 name=echo version=1 ops=canon,verify window=8"`},
		"met":                 {"good", []wire.Need{{Key: "window", Value: "8"}, {Key: "ops", Value: "verify"}}, [][]wire.Step{hello, two}, ""},
		"not met":             {"good", []wire.Need{{Key: "window", Value: "8"}, {Key: "window", Value: "9"}}, [][]wire.Step{hello, two}, "process: the adapter does not announce it: window=9"},
		"stays without bye":   {"good", nil, [][]wire.Step{hello, bye[1:]}, "it did not end within BRIEF"},
		"closes and stays":    {"shut-after-bye", nil, [][]wire.Step{hello, bye}, "expected the end, and it closed its standard output and lived on"},
		"never ends its line": {"long-after-bye", nil, [][]wire.Step{hello, bye}, "expected the end, and wire: the line is longer than the limit of 1048576 bytes: \"" + strings.Repeat("x", 80) + "\"... (1048577 bytes)"},
		"dies with bye":       {"die-after-bye", nil, [][]wire.Step{hello, bye}, ""},
		"last words":          {"talk-after-bye", nil, [][]wire.Step{hello, bye}, `expected the end, got "words"; on standard error: ` + strings.Repeat("y", 300)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command, o := program(t, c.program)
			if strings.Contains(c.want, "BRIEF") {
				o.CaseLimit = brief
			}
			got := ""
			if err := Replay(context.Background(), command, wire.Transcript{Needs: c.needs, Steps: slices.Concat(c.steps...)}, o); err != nil {
				got = strings.ReplaceAll(err.Error(), brief.String(), "BRIEF")
			}
			if got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
			noneLeft(t)
		})
	}
}

// TestReplayStart: what cannot be started, or is interrupted, says so.
func TestReplayStart(t *testing.T) {
	t.Parallel()
	var start *StartError
	if err := Replay(context.Background(), []string{"/no/such/program"}, wire.Transcript{}, Options{}); !errors.As(err, &start) {
		t.Error(err)
	}
	command, o := program(t, "mute")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Replay(ctx, command, wire.Transcripts()[0], o); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Error(err)
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
					t.Fatalf("%s: got %v, want %q", tr.Name, err, want)
				}
			}
			noneLeft(t)
		})
	}
}
