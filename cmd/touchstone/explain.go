package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/explain"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/reports"
)

func newExplainCommand() *cobra.Command {
	var o explainOptions
	var script, graph string
	cmd := &cobra.Command{
		Use:   "explain [FILE]",
		Short: "the verdict of each profile for one document, and what each implementation says",
		Long: `Reads a document from FILE, or from standard input if FILE is left out or "-",
and says for each profile whether it is accepted or refused, for which reason,
where and by which clause; then the canonical form, its SHA-256 and what each
built-in implementation does with the document.

With --agent and --tool the document is taken as the arguments of a tool call,
and its proposal hash is given if the profile rfc0016 accepts it.

With --js the value of a JavaScript expression is judged instead, and with --graph
that of a value graph, by the profile rfc0016.

The document's own text is shown, with controls and the like escaped; --json
gives the same as JSON, unescaped. The status is 0 whatever the verdict.
"touchstone serve" shows all this as a page.`,
		Example: `  printf '{"a":1,"a":2}' | touchstone explain
  touchstone explain --js 'new Map([["a",1]])'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if script != "" || graph != "" {
				if len(args) > 0 || script != "" && graph != "" {
					return usageError(errors.New("explain takes one of a document, --js and --graph"))
				}
				if o.json {
					return usageError(errors.New("--json goes with a document, not with --js or --graph"))
				}
				q, err := valueQuestion(script, graph)
				if err != nil {
					return err
				}
				e := explainer{most: o.most}
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
			return o.run(cmd.Context(), cmd.OutOrStdout(), src)
		},
	}
	cmd.Flags().StringVar(&script, "js", "", "judge the value of the JavaScript `EXPR`")
	cmd.Flags().StringVar(&graph, "graph", "", "judge the value graph in `FILE`")
	cmd.Flags().BoolVar(&o.noPeers, "no-peers", false, "ask nobody, give the verdicts alone")
	cmd.Flags().IntVar(&o.most, "most", 2000, "how many bytes of a text are shown (-1: all)")
	cmd.Flags().StringVar(&o.profile, "profile", reject.RFC8785.String(), "the `PROFILE` by which implementations are judged")
	cmd.Flags().StringVar(&o.agent, "agent", "", "the agent's `NAME`, for the proposal hash")
	cmd.Flags().StringVar(&o.tool, "tool", "", "the tool's `NAME`, for the proposal hash")
	cmd.Flags().BoolVar(&o.json, "json", false, "write JSON")
	return cmd
}

// explainOptions are the command's flags.
type explainOptions struct {
	noPeers, json        bool
	most                 int
	profile, agent, tool string
}

// Each implementation has ten seconds for a document, and is asked once more in
// a process of its own if it does not come back.
const (
	explainLimit = 10 * time.Second
	explainMost  = time.Minute
)

func (o explainOptions) run(ctx context.Context, out io.Writer, src []byte) error {
	profile, err := reject.ParseProfile(o.profile)
	if err != nil {
		return usageError(err)
	}
	if (o.agent == "") != (o.tool == "") {
		return usageError(errors.New("a proposal hash needs both --agent and --tool"))
	}
	told := o.explain(ctx, profile, src)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if o.tool != "" {
		if err := told.Bind(o.agent, o.tool); err != nil {
			return usageError(err)
		}
	}
	if o.json {
		return json.NewEncoder(out).Encode(told)
	}
	e := explainer{most: o.most}
	e.explanation(told)
	_, err = io.WriteString(out, e.b.String())
	return err
}

func (o explainOptions) explain(ctx context.Context, profile reject.Profile, src []byte) *explain.Explanation {
	if o.noPeers {
		return explain.Document(src)
	}
	panel := explain.NewPanel(explain.Builtin(explainLimit, false), explainMost)
	defer panel.Close()
	return panel.Explain(ctx, profile, src)
}

// An explainer writes for people.
type explainer struct {
	b    strings.Builder
	most int
}

func (e *explainer) printf(format string, args ...any) { fmt.Fprintf(&e.b, format, args...) }

// say writes prose, set in by so many columns and folded; later lines are set in
// by two more.
func (e *explainer) say(in int, format string, args ...any) {
	blanks := strings.Repeat(" ", in)
	e.b.WriteString(blanks + fold(fmt.Sprintf(format, args...), blanks+"  ", mostColumns) + "\n")
}

func (e *explainer) explanation(told *explain.Explanation) {
	e.printf("document   %d bytes, SHA-256\n           %s\n           %s\n", told.Size, told.SHA256, reports.Escape(told.Source, e.most))
	for _, v := range told.Verdicts {
		e.verdict(v)
	}
	if form := told.Canonical; form != nil {
		e.printf("\ncanonical  %d bytes, SHA-256\n           %s\n           %s\n", form.Size, form.SHA256, reports.Escape(form.Text, e.most))
	}
	if p := told.Proposal; p != nil {
		e.printf("\nproposal   %s\n           of agent %s, tool %s, with these arguments\n", p.Hash, reports.Escape(p.Agent, 200), reports.Escape(p.Tool, 200))
	}
	if told.Peers != nil {
		e.printf("\nimplementations, judged under %s\n", told.Judged)
	}
	for _, s := range told.Peers {
		e.said(s)
	}
}

func (e *explainer) verdict(v explain.Verdict) {
	words := map[verdict.Kind]string{
		verdict.Accept: "accept", verdict.Reject: "reject", verdict.Either: "either: refuse, or give the canonical form",
	}
	e.printf("\n%-10s %s\n", v.Profile, words[v.Kind])
	for _, f := range v.Faults {
		e.say(11, "%s: %s", f.Reason, f.Meaning)
		e.printf("             at offset %d, line %d, column %d", f.Offset, f.Line, f.Column)
		if f.Pointer != "" {
			e.printf(", in %s", reports.Escape(f.Pointer, 200))
		}
		e.printf("\n")
		if q := f.Clause; q != nil {
			e.say(13, "%s (%s section %s)", q.ID, q.Source, q.Section)
			e.say(15, "%s", q.Text)
		}
		if f.Advice != "" {
			e.say(13, "to mend it: %s", f.Advice)
		}
	}
}

func (e *explainer) said(s explain.Said) {
	words := answerWords(s, e.most)
	if s.Answer != result.OK { // what it gave stays as it is
		words = fold(words, strings.Repeat(" ", 20), mostColumns)
	}
	e.printf("%-10s %-8s %s\n", s.Name, s.Outcome, words)
	if s.Signature != "" {
		e.say(11, "%s: %s", s.Requirement, reports.Escape(s.Signature, 200))
	}
}

// answerWords words an implementation's answer.
func answerWords(s explain.Said, most int) string {
	switch {
	case s.Right:
		return "gives the canonical form"
	case s.Answer == result.OK:
		return "gives " + reports.Escape([]byte(s.Given), most)
	case s.Answer == result.Rejected && s.Message != "":
		return "refuses: " + reports.Escape(s.Message, 300)
	case s.Answer == result.Rejected:
		return "refuses"
	case s.Answer == result.Skipped && s.Message == "":
		return "was not asked"
	}
	return string(s.Answer) + ": " + reports.Escape(s.Message, 300)
}
