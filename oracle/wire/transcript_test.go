package wire

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
)

// honest is an adapter that knows what the transcripts ask.
func honest() Server {
	return Server{
		Greeting: Greeting{Ops: []string{"canon", "verify", "num"}, Window: 4},
		Open: func(profile string) (func(string, []byte) Reply, error) {
			if profile != "rfc8785" {
				return nil, errors.New("no")
			}
			return func(op string, payload []byte) Reply {
				switch {
				case op == "verify" && string(payload) == "{}":
					return Reply{Payload: []byte{1}}
				case op == "verify":
					return Reply{Payload: []byte{0}}
				case op == "num" && payload[0] == 0x3f:
					return Reply{Payload: []byte("1")}
				case op == "num" && payload[0] != 0x7f:
					return Reply{Payload: []byte("0")}
				case len(payload) == 0, op == "num":
					return Reply{Status: Reject}
				default:
					return Reply{Payload: payload}
				}
			}, nil
		},
	}
}

// TestTranscripts: what Serve answers is what the transcripts say, each line
// parses as what it should be, and every transcript stands word for word in
// the documentation, and nothing else does.
func TestTranscripts(t *testing.T) {
	doc, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, tr := range Transcripts() {
		var in, out bytes.Buffer
		var want []Step
		for _, s := range tr.Steps {
			switch s.Action {
			case Send:
				in.WriteString(s.Line + "\n")
			case Expect:
				want = append(want, s)
			}
		}
		Serve(&in, &out, honest())
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if out.Len() == 0 {
			lines = nil
		}
		if len(lines) != len(want) {
			t.Errorf("%s: %d lines, want %d", tr.Name, len(lines), len(want))
			continue
		}
		for i, s := range want {
			if !s.Matches(lines[i]) {
				t.Errorf("%s: %.100q, want %.100q", tr.Name, lines[i], s.Line)
			}
		}
		if tr.Title == "" || tr.Steps[0].Action != Send || tr.Steps[len(tr.Steps)-1].Action != End {
			t.Errorf("%s: no title, or a wrong beginning or end", tr.Name)
		}
		if !strings.Contains(string(doc), "```transcript\n"+tr.Text+"```\n") {
			t.Errorf("%s does not stand in docs/protocol.md as it is", tr.Name)
		}
		shown++
	}
	if n := strings.Count(string(doc), "```transcript\n"); n != shown {
		t.Errorf("docs/protocol.md has %d transcripts, and there are %d", n, shown)
	}
}

// TestParseTranscript: what is no step is refused with its line.
func TestParseTranscript(t *testing.T) {
	for _, text := range []string{"x", "> a *", "! open", ". x", "? window", "<a", ""} {
		if _, err := ParseTranscript("test", text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
	if _, err := ParseTranscript("test", "# title\n? window\n"); err == nil || !strings.Contains(err.Error(), "transcript test, line 2:") {
		t.Errorf("the place of what is no step: %v", err)
	}
	tr, err := ParseTranscript("test", "# title\n? window=3\n> a (7b*3)\n< 1 ok *\n! close\n.\n")
	if err != nil || tr.Title != "title" || tr.Steps[0].Line != "a 7b7b7b" || !tr.Steps[1].Open || tr.Steps[1].Line != "1 ok" {
		t.Errorf("%+v, %v", tr, err)
	}
	for line, want := range map[string]bool{"1 ok": true, "1 ok -": true, "1 okay": false, "11 ok": false} {
		if tr.Steps[1].Matches(line) != want {
			t.Errorf("%q", line)
		}
	}
	for need, want := range map[Need]bool{{"window", "4"}: true, {"window", "5"}: false, {"ops", "num"}: true, {"ops", "js"}: false, {"x", "y"}: false} {
		if need.MetBy(honest().Greeting) != want {
			t.Errorf("%v", need)
		}
	}
}
