package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/peer"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// promotion is what the flags of the verb promote say.
type promotion struct {
	state, id, title, topic, module, since string
	flags                                  []string
	dry                                    bool
}

func newPromoteCommand() *cobra.Command {
	var p promotion
	cmd := &cobra.Command{
		Use:   "promote FINDING",
		Short: "make a vector of what a hunt or a fuzzer has found",
		Long: `Makes a vector of a finding, with where it comes from, and appends it to a topic of
the vectors. FINDING is the number of a finding in a hunt's state file, or the
name of a file with a raw text, as fuzzers leave them.

Refused: a text that a vector has already, an id that is taken, and a verdict that
no implementation of a foreign lineage confirms. Read the entry, choose its flags
by flags.json, then run "make vectors" and the linter.`,
		Example: `  touchstone promote 3 --id number-tie-2 --topic numbers-precision \
    --state reports/out/hunt-1-1of1.jsonl --flag number-rounding
  touchstone promote reports/out/libfuzzer/FuzzReference/crash-0123 \
    --id escape-cut --topic strings-escapes`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			entry, err := p.entry(args[0])
			if err != nil {
				return usageError(err)
			}
			if p.dry {
				_, err := cmd.OutOrStdout().Write(append(entry, '\n'))
				return err
			}
			path := filepath.Join(p.module, "vectors", "topics", p.topic+".json")
			if err := appendEntry(path, entry); err != nil {
				return usageError(err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s; now: make vectors, go test ./vectors/... ./oracle/vectorlint/...\n", path, p.id)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&p.state, "state", filepath.Join("reports", "out", "hunt-1-1of1.jsonl"), "state file of the hunt")
	f.StringVar(&p.id, "id", "", "permanent id of the vector (required)")
	f.StringVar(&p.title, "title", "", "what it shows, in a few words")
	f.StringVar(&p.topic, "topic", "planted-faults", "topic that it is appended to")
	f.StringVar(&p.since, "since", "0.1.0", "release that brings it")
	f.StringArrayVar(&p.flags, "flag", nil, "kind of bug, of vectors/flags.json (repeatable)")
	f.StringVar(&p.module, "module", ".", "folder of the checkout")
	f.BoolVar(&p.dry, "dry-run", false, "print the entry and write nothing")
	if err := cmd.MarkFlagRequired("id"); err != nil {
		panic(err)
	}
	return cmd
}

// promoted is a vector as it stands in a topic.
type promoted struct {
	ID      string                         `json:"id"`
	Title   string                         `json:"title"`
	Input   string                         `json:"input"`
	Output  string                         `json:"output,omitempty"`
	Expect  map[string]promotedExpectation `json:"expect"`
	Clauses []string                       `json:"clauses"`
	Flags   []string                       `json:"flags"`
	Source  string                         `json:"source"`
	Since   string                         `json:"since"`
	Status  string                         `json:"status"`
}

type promotedExpectation struct {
	Verdict string   `json:"verdict"`
	Reasons []string `json:"reasons,omitempty"`
	Offset  *int     `json:"offset,omitempty"`
}

var slug = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// entry makes the vector.
func (p *promotion) entry(finding string) ([]byte, error) {
	input, clause, source, err := p.finding(finding)
	if err != nil {
		return nil, err
	}
	if !slug.MatchString(p.id) {
		return nil, fmt.Errorf("--id %q: lower-case words and hyphens", p.id)
	}
	for _, v := range vectors.All() {
		if v.ID == p.id {
			return nil, fmt.Errorf("there is a vector %s already", p.id)
		}
		if v.Op == vectors.OpCanon && bytes.Equal(v.Input, input) {
			return nil, fmt.Errorf("the vector %s has this text already", v.ID)
		}
	}
	all := verdict.All(input)
	if err := confirmed(input, all[reject.RFC8785]); err != nil {
		return nil, err
	}
	v := promoted{ID: p.id, Title: p.title, Input: hex.EncodeToString(input), Expect: expectations(all), Flags: slices.Clone(p.flags), Source: source, Since: p.since, Status: vectors.Stable}
	if v.Title == "" {
		v.Title = "found: " + clause
	}
	if c := all[reject.RFC8785].Canonical; all[reject.RFC8785].Kind != verdict.Reject {
		v.Output = hex.EncodeToString(c)
	}
	if owed := all[reject.RFC8785].Owed; len(owed) > 0 {
		clause = owed[0].Requirement
	}
	v.Clauses = []string{clause}
	if v.Flags == nil {
		v.Flags = []string{}
	}
	return json.MarshalIndent(v, "  ", " ")
}

// finding gives the input, a clause and where it was found.
func (p *promotion) finding(name string) (input []byte, clause, source string, err error) {
	n, err := strconv.Atoi(name)
	if err != nil {
		input, err := os.ReadFile(name)
		return input, "rfc8785/3.2.4/utf-8", "found by a fuzzer", err
	}
	s := &huntState{path: p.state, seen: map[huntKey]int{}, features: map[string]int64{}}
	text, err := os.ReadFile(p.state)
	if err != nil {
		return nil, "", "", err
	}
	head, err := s.read(text[:bytes.LastIndexByte(text, '\n')+1])
	if err != nil {
		return nil, "", "", err
	}
	if n < 1 || n > len(s.findings) || head == nil {
		return nil, "", "", fmt.Errorf("%s has %d findings", p.state, len(s.findings))
	}
	f := s.findings[n-1]
	if f.Op != result.OpCanon || len(f.Input) != f.InputSize {
		return nil, "", "", errors.New("the finding is not about a whole JSON text")
	}
	return f.Input, f.Requirement, fmt.Sprintf("found by a hunt in %s, seed %d", f.Subject, head.Seed), nil
}

// expectations words the verdicts as topics do: what all profiles share, and
// what departs from it.
func expectations(all [3]verdict.Verdict) map[string]promotedExpectation {
	word := func(v verdict.Verdict) promotedExpectation {
		e := promotedExpectation{Verdict: string(v.Kind)}
		for _, r := range v.Reasons {
			e.Reasons = append(e.Reasons, r.String())
		}
		if len(v.Faults) > 0 {
			offset := v.Faults[0].Offset
			e.Offset = &offset
		}
		return e
	}
	shared := word(all[reject.RFC8785])
	expect := map[string]promotedExpectation{"all": shared}
	for _, v := range all[1:] {
		if e := word(v); e.Verdict != shared.Verdict || !slices.Equal(e.Reasons, shared.Reasons) {
			expect[v.Profile.String()] = e
		}
	}
	return expect
}

// confirmed asks the built-in implementations of foreign lineages.
func confirmed(input []byte, v verdict.Verdict) error {
	for _, row := range peer.All() {
		if row.Ours {
			continue
		}
		s := row.Open(peer.Options{Profile: reject.RFC8785})
		answer := s.Ask(context.Background(), []result.Question{{Op: result.OpCanon, Input: input}})[0]
		s.Close()
		switch {
		case answer.Kind == result.OK && v.Kind != verdict.Reject && v.Right(answer.Bytes),
			answer.Kind == result.Rejected && v.Kind != verdict.Accept:
			return nil
		}
	}
	return errors.New("no implementation of a foreign lineage confirms the verdict; find out by the clause who is right, and write the vector by hand")
}

// appendEntry puts an entry behind the last one of a topic file.
func appendEntry(path string, entry []byte) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	end := bytes.LastIndex(text, []byte("\n ]\n}"))
	if end < 0 {
		return fmt.Errorf("%s does not end as a topic does", path)
	}
	var b bytes.Buffer
	b.Write(text[:end])
	b.WriteString(",\n  ")
	b.Write(entry)
	b.Write(text[end:])
	if !json.Valid(b.Bytes()) {
		return fmt.Errorf("%s would not be JSON any more", path)
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
