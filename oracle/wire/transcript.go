package wire

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Transcript is a conversation as it must go, to be played to an adapter.
type Transcript struct {
	Name  string // such as "04-refusal"
	Title string
	Text  string // as it stands in the documentation
	Needs []Need // what the greeting must announce for it to apply
	Steps []Step
}

// A Need is one thing that a greeting must announce.
type Need struct{ Key, Value string }

// MetBy reports whether a greeting announces it.
func (n Need) MetBy(g Greeting) bool {
	switch n.Key {
	case "ops":
		return slices.Contains(g.Ops, n.Value)
	case "window":
		least, err := strconv.Atoi(n.Value)
		return err == nil && g.Window >= least
	default:
		return false
	}
}

// String gives the need as it stands in a transcript.
func (n Need) String() string { return n.Key + "=" + n.Value }

// An Action is what a step of a transcript does.
type Action byte

// The actions, as they stand at the beginning of a line.
const (
	Send   Action = '>' // the harness sends the line
	Expect Action = '<' // the adapter sends the line; several in a row in any order
	Close  Action = '!' // the harness closes the adapter's input
	End    Action = '.' // the adapter ends and sends nothing more
)

// A Step is one line of a transcript. Line is written out: its repetitions
// are carried through.
type Step struct {
	Action Action
	Line   string
	Open   bool // with Expect: anything may follow Line
}

// Matches reports whether a line is what the step expects.
func (s Step) Matches(line string) bool {
	if s.Open {
		return strings.HasPrefix(line+" ", s.Line+" ")
	}
	return line == s.Line
}

//go:embed transcripts
var transcriptFiles embed.FS

// Transcripts gives the golden transcripts, in the order of the documentation.
func Transcripts() []Transcript {
	names, err := fs.Glob(transcriptFiles, "transcripts/*.txt")
	if err != nil {
		panic(err)
	}
	all := make([]Transcript, len(names))
	for i, name := range names {
		text, err := transcriptFiles.ReadFile(name)
		if err != nil {
			panic(err)
		}
		all[i], err = ParseTranscript(strings.TrimSuffix(path.Base(name), ".txt"), string(text))
		if err != nil {
			panic(err)
		}
	}
	return all
}

// ParseTranscript reads a transcript: a title after #, what it needs after ?,
// then one step a line.
func ParseTranscript(name, text string) (Transcript, error) {
	t := Transcript{Name: name, Text: text}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		mark, rest, _ := strings.Cut(line, " ")
		ok := true
		switch mark {
		case "#":
			t.Title = rest
		case "?":
			var n Need
			if n.Key, n.Value, ok = strings.Cut(rest, "="); ok {
				t.Needs = append(t.Needs, n)
			}
		case ">", "<":
			written, open := strings.CutSuffix(writeOut(rest), " *")
			if open && mark == ">" {
				ok = false
			}
			t.Steps = append(t.Steps, Step{Action: Action(mark[0]), Line: written, Open: open})
		case "!", ".":
			ok = mark == "." && rest == "" || mark == "!" && rest == "close"
			t.Steps = append(t.Steps, Step{Action: Action(mark[0])})
		default:
			ok = false
		}
		if !ok {
			return Transcript{}, fmt.Errorf("wire: transcript %s, line %d: %s is no step", name, i+1, Quote([]byte(line)))
		}
	}
	return t, nil
}

var repetition = regexp.MustCompile(`\(([0-9a-f]+)\*([0-9]{1,6})\)`)

// writeOut replaces (HEX*N) by N times HEX.
func writeOut(line string) string {
	return repetition.ReplaceAllStringFunc(line, func(s string) string {
		part := repetition.FindStringSubmatch(s)
		n, err := strconv.Atoi(part[2])
		if err != nil {
			panic(err) // six digits are a number
		}
		return strings.Repeat(part[1], n)
	})
}
