package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newManCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man [VERB]...",
		Short: "write the manual page of a verb, or all pages",
		Long: `Writes the manual page of touchstone, or of a verb, in the language of roff to
standard output. It says what --help says. With --dir all pages are written
into a folder, each under the name that man looks for.`,
		Example: `  touchstone man check | man -l -
  touchstone man --dir ~/.local/share/man/man1`,
		RunE: func(cmd *cobra.Command, verbs []string) error {
			about, err := lookUp(cmd.Root(), verbs)
			if err != nil {
				return err
			}
			if dir != "" {
				if len(verbs) > 0 {
					return usageError(fmt.Errorf("--dir writes all pages: leave out %q", strings.Join(verbs, " ")))
				}
				return writeManual(cmd.OutOrStdout(), about, dir)
			}
			_, err = cmd.OutOrStdout().Write(manualPage(about))
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write all pages into the folder `DIR`")
	return cmd
}

// writeManual writes the page of a command and of all below it into a folder.
func writeManual(out io.Writer, root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return usageError(err)
	}
	n := 0
	var write func(*cobra.Command) error
	write = func(cmd *cobra.Command) error {
		n++
		if err := os.WriteFile(filepath.Join(dir, pageName(cmd)+".1"), manualPage(cmd), 0o666); err != nil {
			return usageError(err)
		}
		for _, below := range cmd.Commands() {
			if !below.IsAvailableCommand() {
				continue
			}
			if err := write(below); err != nil {
				return err
			}
		}
		return nil
	}
	if err := write(root); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%d manual pages in %s\n", n, dir)
	return err
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manualPage writes the help of a command in roff. The help texts are plain
// text, which a converter from Markdown would take for markup in places.
func manualPage(cmd *cobra.Command) []byte {
	var p page
	fmt.Fprintf(&p, ".TH %q 1 \"\" \"touchstone %s\" \"Touchstone\"\n", strings.ToUpper(pageName(cmd)), roff(version()))
	p.section("NAME")
	p.text(pageName(cmd) + " - " + cmd.Short)
	p.section("SYNOPSIS")
	if !isGroup(cmd) {
		p.text(cmd.UseLine())
	}
	if cmd.HasSubCommands() {
		if !isGroup(cmd) {
			fmt.Fprintf(&p, ".br\n")
		}
		p.text(cmd.CommandPath() + " COMMAND [flags]")
	}
	p.section("DESCRIPTION")
	about := cmd.Long
	if about == "" {
		about = strings.ToUpper(cmd.Short[:1]) + cmd.Short[1:] + "."
	}
	p.paragraphs(about)
	if cmd.HasSubCommands() {
		p.section("COMMANDS")
		for _, below := range cmd.Commands() {
			if below.IsAvailableCommand() {
				p.item(bold(below.Name()), below.Short)
			}
		}
	}
	p.flags("OPTIONS", cmd.LocalFlags())
	p.flags("OPTIONS OF EVERY COMMAND", cmd.InheritedFlags())
	p.section("EXIT STATUS")
	for _, s := range statuses {
		p.item(bold(fmt.Sprint(s.status)), s.meaning)
	}
	if cmd.Example != "" {
		p.section("EXAMPLES")
		p.literal(cmd.Example)
	}
	p.seeAlso(cmd)
	return p.Bytes()
}

// page is a manual page that is being written.
type page struct{ bytes.Buffer }

func (p *page) section(name string) { fmt.Fprintf(p, ".SH %s\n", name) }

// text writes a paragraph without markup.
func (p *page) text(text string) { fmt.Fprintf(p, "%s\n", roff(text)) }

func (p *page) item(term, text string) { fmt.Fprintf(p, ".TP\n%s\n%s\n", term, roff(text)) }

func (p *page) literal(text string) { fmt.Fprintf(p, ".nf\n%s\n.fi\n", roff(text)) }

// paragraphs writes what blank lines part; what is set in stays as it is.
func (p *page) paragraphs(text string) {
	for i, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			fmt.Fprintf(p, ".PP\n")
		}
		if strings.HasPrefix(paragraph, " ") {
			p.literal(paragraph)
		} else {
			p.text(paragraph)
		}
	}
}

func (p *page) flags(name string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	p.section(name)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := flagWords(f)
		term := bold("--" + f.Name)
		if f.Shorthand != "" {
			term = bold("-"+f.Shorthand) + ", " + term
		}
		if value != "" {
			term += " \\fI" + roff(value) + "\\fR"
		}
		p.item(term, usage)
	})
}

// seeAlso names the pages above and below, and the verbs beside a verb.
func (p *page) seeAlso(cmd *cobra.Command) {
	var names []string
	if cmd.HasParent() {
		names = append(names, pageName(cmd.Parent()))
	}
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() {
			names = append(names, pageName(below))
		}
	}
	if len(names) == 0 {
		return
	}
	p.section("SEE ALSO")
	p.text(strings.Join(names, "(1), ") + "(1)")
}

func bold(text string) string { return "\\fB" + roff(text) + "\\fR" }

var escapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", "\\`", "^", `\(ha`, "~", `\(ti`, `"`, `\(dq`, "…", `\&...`)

// roff escapes a text, so that none of it is an instruction.
func roff(text string) string {
	lines := strings.Split(escapes.Replace(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
