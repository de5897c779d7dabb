package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/check"
	"github.com/touchstone-oracle/touchstone/oracle/peer"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/reports"
)

func newExplainCommand() *cobra.Command {
	var noPeers bool
	var most int
	var script, graph string
	cmd := &cobra.Command{
		Use:   "explain [FILE]",
		Short: "the verdict of each profile for one document, and what each implementation says",
		Long: `Reads a document from FILE, or from standard input if FILE is left out or "-",
and says for each profile whether it is accepted or refused, for which reason,
where and by which clause; then the canonical form, its SHA-256 and what each
built-in implementation does with the document.

With --js the value of a JavaScript expression is judged instead, and with --graph
that of a value graph, by the profile rfc0016.

The document's own text is shown, with controls and the like escaped. The status
is 0 whatever the verdict.`,
		Example: `  printf '{"a":1,"a":2}' | touchstone explain
  touchstone explain --js 'new Map([["a",1]])'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if script != "" || graph != "" {
				if len(args) > 0 || script != "" && graph != "" {
					return usageError(errors.New("explain takes one of a document, --js and --graph"))
				}
				q, err := valueQuestion(script, graph)
				if err != nil {
					return err
				}
				e := explainer{most: most}
				if err := e.explainValue(cmd.Context(), q); err != nil {
					return err
				}
				_, err = io.WriteString(cmd.OutOrStdout(), e.b.String())
				return err
			}
			src, err := readInput(cmd.InOrStdin(), args)
			if err != nil {
				return err
			}
			e := explainer{src: src, most: most}
			e.document()
			e.verdicts()
			if !noPeers {
				if err := e.peers(cmd.Context()); err != nil {
					return err
				}
			}
			_, err = io.WriteString(cmd.OutOrStdout(), e.b.String())
			return err
		},
	}
	cmd.Flags().StringVar(&script, "js", "", "judge the value of the JavaScript `EXPR`")
	cmd.Flags().StringVar(&graph, "graph", "", "judge the value graph in `FILE`")
	cmd.Flags().BoolVar(&noPeers, "no-peers", false, "ask nobody, give the verdicts alone")
	cmd.Flags().IntVar(&most, "most", 2000, "how many bytes of a text are shown (-1: all)")
	return cmd
}

type explainer struct {
	b    strings.Builder
	src  []byte
	most int
	all  [3]verdict.Verdict
}

func (e *explainer) printf(format string, args ...any) { fmt.Fprintf(&e.b, format, args...) }

func (e *explainer) document() {
	e.printf("document   %d bytes, SHA-256 %x\n           %s\n", len(e.src), sha256.Sum256(e.src), reports.Escape(e.src, e.most))
}

func (e *explainer) verdicts() {
	e.all = verdict.All(e.src)
	for _, p := range reject.Profiles() {
		e.verdict(p, e.all[p])
	}
	if form := e.all[reject.RFC8785].Canonical; form != nil {
		e.printf("\ncanonical  %d bytes, SHA-256 %x\n           %s\n", len(form), sha256.Sum256(form), reports.Escape(form, e.most))
	}
}

func (e *explainer) verdict(p reject.Profile, v verdict.Verdict) {
	words := map[verdict.Kind]string{
		verdict.Accept: "accept", verdict.Reject: "reject", verdict.Either: "either: refuse, or give the canonical form",
	}
	e.printf("\n%-10s %s\n", p, words[v.Kind])
	for _, f := range v.Faults {
		e.printf("           %s: %s\n", f.Reason, f.Reason.Meaning())
		e.printf("             at offset %d, line %d, column %d", f.Offset, f.Line, f.Column)
		if pointer := f.PointerIn(e.src); pointer != "" {
			e.printf(", in %s", reports.Escape(pointer, 200))
		}
		e.printf("\n")
		if q, ok := reject.LookupRequirement(f.Requirement); ok {
			e.printf("             %s (%s section %s)\n               %s\n", q.ID, q.Source, q.Section, q.Text)
		}
		if advice := f.Reason.Advice(); advice != "" {
			e.printf("             to mend it: %s\n", advice)
		}
	}
}

// peers asks every built-in implementation under rfc8785.
func (e *explainer) peers(ctx context.Context) error {
	e.printf("\nimplementations, judged under rfc8785\n")
	v := e.all[reject.RFC8785]
	for _, p := range peer.All() {
		s := p.Open(peer.Options{CaseLimit: 10 * time.Second})
		answers := s.Ask(ctx, []result.Question{{Op: result.OpCanon, Input: e.src}})
		if err := s.Close(); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		a := answers[0]
		o := check.Judge(v, a, p.Info().Reasons)
		e.printf("%-10s %-8s %s\n", p.Name, o, said(a, v, e.most))
		if o == result.Diverged || o == result.Accepted || o == result.Crash || o == result.Hang {
			d := check.Diagnose(v, e.src, a, o)
			e.printf("           %s: %s\n", d.Requirement, reports.Escape(d.Signature, 200))
		}
	}
	return nil
}

// said words an answer.
func said(a result.Answer, v verdict.Verdict, most int) string {
	switch a.Kind {
	case result.OK:
		if v.Right(a.Bytes) {
			return "gives the canonical form"
		}
		return "gives " + reports.Escape(a.Bytes, most)
	case result.Rejected:
		if a.Message != "" {
			return "refuses: " + reports.Escape(a.Message, 300)
		}
		return "refuses"
	case result.Skipped:
		return "was not asked"
	}
	return string(a.Kind) + ": " + reports.Escape(a.Message, 300)
}
