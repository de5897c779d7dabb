package process

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/wire"
)

func init() { hostile["script"] = script }

// script is a program that does what the file "script" of a folder says: a line
// for each of its processes, the last one for those that follow too. A line is a
// window and a letter for each question; those that follow are answered. "!"
// stands for a process that does not start.
func script(folder string) {
	n := 0
	for ; !first(filepath.Join(folder, strconv.Itoa(n))); n++ {
	}
	text, err := os.ReadFile(filepath.Join(folder, "script"))
	if err != nil {
		os.Exit(8)
	}
	lines := strings.Split(string(text), "\n")
	line := lines[min(n, len(lines)-1)]
	if line == "!" {
		os.Exit(9)
	}
	window, letters, _ := strings.Cut(line, " ")
	in := wire.NewReader(os.Stdin, 4<<20)
	in.ReadLine()
	say("hello 1 name=script ops=canon,verify maxline=1048576 window=" + window + "\n")
	var held, early string
	for n := 0; ; n++ {
		line, err := in.ReadLine()
		if err != nil || string(line) == wire.Bye {
			return
		}
		r, err := wire.ParseRequest(line)
		if err != nil {
			os.Exit(3)
		}
		id, answer := string(r.ID), string(wire.Reply{ID: bytes.Clone(r.ID), Payload: r.Payload}.Append(nil))
		if n == 0 {
			early = answer
		}
		switch (letters + strings.Repeat("a", n+1))[n] {
		case 'a':
			say(held + answer)
			held = ""
		case 'w': // with the next
			held += answer
		case 'b': // before what is held
			say(answer + held)
			held = ""
		case 'x':
			os.Exit(2)
		case 'X':
			say(answer)
			os.Exit(2)
		case 'i':
			os.Stdin.Close()
			forever()
		case 'h':
			forever()
		case 'g':
			say("garbage\n")
		case 'l':
			say(answer)
			time.Sleep(5 * time.Millisecond)
			say("half a line")
		case '2':
			say(answer + answer)
		case 'o':
			say(early)
		case 'z':
			say("0 ok -\n")
		case '0':
			say("0" + answer)
		case 'u':
			say("18446744073709551616 ok -\n")
		case 'n':
			next, _ := strconv.Atoi(id)
			say(strconv.Itoa(next+1) + " ok -\n")
		case 'e':
			say(id + " error\n")
		case 'E':
			say(id + " error 6f6f7073\n")
		}
	}
}

// scripted opens a program of that script.
func scripted(t *testing.T, lines string, change func(*Options)) *Wire {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "script"), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	command, o := program(t, "script:"+folder)
	if strings.Contains(lines, "h") {
		o.CaseLimit = brief
	}
	o.linger = brief
	if strings.Contains(lines, "l") {
		o.linger = 5 * brief
	}
	change(&o)
	w, err := OpenWire(context.Background(), command, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// told writes a letter for each answer.
func told(answers []result.Answer) string {
	var text strings.Builder
	for _, a := range answers {
		letter := map[result.AnswerKind]string{
			result.OK: "o", result.Crashed: "C", result.Hung: "H", result.ProtocolError: "P", result.Skipped: "s", result.NoStart: "N",
		}[a.Kind]
		if a.Flaky {
			letter = strings.ToLower(letter)
		}
		if a.Unasked {
			letter = "u"
		}
		text.WriteString(letter)
	}
	return text.String()
}

// TestScripts: who is blamed for what, after how many starts.
func TestScripts(t *testing.T) {
	for name, c := range map[string]struct {
		script  string
		batches string // how many questions each has
		want    string
		stats   Stats
		message string // of the answers that are not OK, one after the other
	}{
		"cannot ask":                              {"1 eE", "2", "PP", Stats{1, 0, 0, 0, 0}, "the adapter could not ask\nthe adapter could not ask: oops"},
		"death after a reply alone":               {"1 aX\n1 X\n1", "3", "oCo", Stats{3, 2, 0, 0, 0}, "after its reply it ended with exit status 2"},
		"death after a reply":                     {"1 aX\n1", "3", "ooc", Stats{2, 1, 0, 0, 0}, "it ended with exit status 2; asked again alone, it answered"},
		"death at the first":                      {"1 x\n1", "2", "Co", Stats{2, 1, 0, 0, 0}, "it ended with exit status 2"},
		"death at the second twice":               {"1 ax\n1 ax\n1", "2", "oc", Stats{3, 2, 0, 0, 0}, "it ended with exit status 2; a fresh process answered it"},
		"death at the second, then at the first":  {"1 ax\n1 x\n1", "2", "Co", Stats{3, 2, 0, 0, 0}, "it ended with exit status 2"},
		"death at the third":                      {"1 aax\n1", "4", "ooco", Stats{2, 1, 0, 0, 0}, "it ended with exit status 2; asked again alone, it answered"},
		"death in flight twice":                   {"3 ax\n3 aax\n3", "6", "oocooo", Stats{3, 2, 0, 0, 0}, "it ended with exit status 2; a fresh process answered it"},
		"death in flight":                         {"3 ax\n3", "6", "ocoooo", Stats{2, 1, 0, 0, 0}, "it ended with exit status 2; asked again alone, it answered"},
		"deaths after replies":                    {"1 X", "2", "CC", Stats{4, 3, 0, 0, 0}, "after its reply it ended with exit status 2\nafter its reply it ended with exit status 2"},
		"deaths at firsts":                        {"1 x", "3", "CCC", Stats{4, 3, 0, 0, 0}, "it ended with exit status 2\nit ended with exit status 2\nit ended with exit status 2"},
		"earlier of one":                          {"1 o\n1", "1", "o", Stats{1, 0, 0, 0, 0}, ""},
		"earlier of two batches":                  {"1 ao\n1", "1 1", "o o", Stats{2, 0, 0, 1, 0}, ""},
		"earlier when asked again":                {"3 aax\n3 ao\n3", "4", "ooco", Stats{3, 1, 0, 1, 0}, "it ended with exit status 2; asked again alone, it answered"},
		"earlier":                                 {"1 aao\n1", "2 1", "oo o", Stats{2, 0, 0, 1, 0}, ""},
		"ended between":                           {"1 aX\n1", "2 end 2", "oo oo", Stats{2, 0, 0, 0, 0}, ""},
		"garbage at the first of two":             {"2 g\n2", "2", "po", Stats{2, 0, 0, 1, 0}, "wire: not a reply: a space and another token are missing at byte 7 of \"garbage\"; asked again alone, it answered"},
		"garbage at the first":                    {"1 g\n1", "2", "Po", Stats{2, 0, 0, 1, 0}, "wire: not a reply: a space and another token are missing at byte 7 of \"garbage\""},
		"garbage at the third":                    {"1 aag\n1", "4", "opoo", Stats{2, 0, 0, 1, 0}, "wire: not a reply: a space and another token are missing at byte 7 of \"garbage\"; asked again alone, it answered"},
		"garbage":                                 {"1 ag\n1", "2", "po", Stats{2, 0, 0, 1, 0}, "wire: not a reply: a space and another token are missing at byte 7 of \"garbage\"; asked again alone, it answered"},
		"good":                                    {"1", "3 2", "ooo oo", Stats{1, 0, 0, 0, 0}, ""},
		"half a line alone":                       {"2 x\n2 l\n2", "2", "Po", Stats{3, 1, 0, 1, 0}, "it wrote more than its reply: \"half a line\""},
		"hang always":                             {"1 h", "2", "HH", Stats{3, 0, 2, 0, 0}, "no answer within BRIEF\nno answer within BRIEF"},
		"hang once":                               {"1 ah\n1", "3", "ooo", Stats{2, 0, 1, 0, 0}, ""},
		"hang twice":                              {"3 ah\n3 ah\n3", "3", "ooo", Stats{3, 0, 2, 0, 0}, ""},
		"last asked twice while another waits":    {"2 w2\n2", "2", "oP", Stats{2, 0, 0, 1, 0}, "it replied twice to one question: \"2 ok 31\""},
		"leading zero in flight":                  {"2 0\n2", "2", "po", Stats{2, 0, 0, 1, 0}, "it replied to a question that was not asked: \"01 ok 30\"; asked again alone, it answered"},
		"leading zero":                            {"1 0\n1", "1", "P", Stats{2, 0, 0, 1, 0}, "it replied to a question that was not asked: \"01 ok 30\""},
		"next of two":                             {"1 an\n1", "2", "po", Stats{2, 0, 0, 1, 0}, "it replied to a question that was not asked: \"3 ok -\"; asked again alone, it answered"},
		"next":                                    {"1 n\n1", "1", "P", Stats{2, 0, 0, 1, 0}, "it replied to a question that was not asked: \"2 ok -\""},
		"no restart":                              {"1 ax\n!", "4 1", "oNNN N", Stats{4, 1, 0, 0, 0}, "process: PROGRAM would not start: it ended with exit status 9\nprocess: PROGRAM would not start: it ended with exit status 9\nprocess: PROGRAM would not start: it ended with exit status 9\nprocess: PROGRAM would not start: it ended with exit status 9"},
		"one restart":                             {"1 ax\n!\n1", "3", "oco", Stats{3, 1, 0, 0, 0}, "it ended with exit status 2; asked again alone, it answered"},
		"others changed":                          {"1 ax\n2", "3 1", "oNN N", Stats{4, 1, 0, 0, 0}, "process: PROGRAM would not start: its greeting is another one than the first time\nprocess: PROGRAM would not start: its greeting is another one than the first time\nprocess: PROGRAM would not start: its greeting is another one than the first time"},
		"too large":                               {"2 au\n2", "3", "poo", Stats{2, 0, 0, 1, 0}, "it replied to a question that was not asked: \"18446744073709551616 ok -\"; asked again alone, it answered"},
		"twice after another batch":               {"3 aa2\n3", "1 3", "o oPo", Stats{2, 0, 0, 1, 0}, "it replied twice to one question: \"3 ok 31\""},
		"twice alone":                             {"1 2\n1", "1", "P", Stats{2, 0, 0, 1, 0}, "it wrote more than its reply: \"1 ok 30\\n\""},
		"twice the last asked":                    {"2 wb\n2", "2", "oo", Stats{1, 0, 0, 0, 0}, ""},
		"twice with others in flight":             {"3 2\n3", "3", "Poo", Stats{2, 0, 0, 1, 0}, "it replied twice to one question: \"1 ok 30\""},
		"twice with others in flight, the second": {"3 a2\n3", "4", "oPoo", Stats{2, 0, 0, 1, 0}, "it replied twice to one question: \"2 ok 31\""},
		"twice":        {"1 2\n1", "2", "Po", Stats{2, 0, 0, 1, 0}, "it replied twice to one question: \"1 ok 30\""},
		"two restarts": {"1 ax\n!\n!\n1", "3", "oco", Stats{4, 1, 0, 0, 0}, "it ended with exit status 2; asked again alone, it answered"},
		"zero":         {"1 z\n1", "1", "P", Stats{2, 0, 0, 1, 0}, "it replied to a question that was not asked: \"0 ok -\""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := scripted(t, c.script, func(*Options) {})
			defer noneLeft(t)
			defer w.Close()
			var got, messages []string
			for _, size := range strings.Fields(c.batches) {
				if size == "end" {
					<-w.all[0].child.done
					continue
				}
				n, _ := strconv.Atoi(size)
				questions := make([]result.Question, n)
				for i := range questions {
					questions[i] = result.Question{Op: result.OpCanon, Input: fmt.Append(nil, i)}
				}
				answers := w.Ask(context.Background(), questions)
				for i, a := range answers {
					if a.Kind == result.OK && !bytes.Equal(a.Bytes, questions[i].Input) {
						t.Errorf("question %d: %q", i, a.Bytes)
					}
					if a.Kind != result.OK {
						messages = append(messages, strings.NewReplacer(display(w.command), "PROGRAM", brief.String(), "BRIEF").Replace(a.Message))
					}
				}
				got = append(got, told(answers))
			}
			stats := w.Stats()
			stats.Resident = 0
			if got := strings.Join(got, " "); got != c.want || stats != c.stats {
				t.Errorf("got %s, %+v\nwant %s, %+v", got, stats, c.want, c.stats)
			}
			if got := strings.Join(messages, "\n"); got != c.message {
				t.Errorf("the messages are\n%s\nwant\n%s", got, c.message)
			}
		})
	}
}

// TestFlight: as many questions are in flight as the window lets, and as many as
// a mebibyte holds, but one always.
func TestFlight(t *testing.T) {
	t.Parallel()
	const ( // bytes of a payload whose line has as much of a mebibyte
		half  = (1<<19 - len("18446744073709551615 verify ")) / 2
		third = (1<<20/3 + 1 - len("18446744073709551615 verify ")) / 2
	)
	for _, c := range []struct {
		script string // what waits for the next question waits for ever if none comes
		window int
		size   int
		want   string
		hangs  bool
	}{
		{"4 wwwa", 9, 1, "oooo", false},
		{"4 wwwa", 4, 1, "oooo", false},
		{"4 wwwa", 3, 1, "HHuu", true},
		{"9 wawa", 9, half, "oooo", false},
		{"9 wwaa", 9, half, "HHuu", true},
		{"9 wwaa", 9, half - 1, "oooo", false},
		{"9 awwa", 9, half - 1, "oooo", false},
		{"9 awwwa\n9", 9, third, "ooooo", true},
		{"9 aaaa", 9, 2*half - 100, "oooo", false},
		{"9 wa\n9", 9, 2*half + 14, "Ho", true},
		{"1 a", 9, 2*half + 14, "o", false}, // as long a line as is announced
		{"1 a", 9, 2*half + 15, "s", false},
	} {
		t.Run(fmt.Sprint(c.script, c.window, c.size), func(t *testing.T) {
			t.Parallel()
			w := scripted(t, c.script, func(o *Options) {
				o.Window = c.window
				if c.hangs {
					o.CaseLimit = 2 * brief
				}
			})
			questions := make([]result.Question, len(c.want))
			for i := range questions {
				questions[i] = result.Question{Op: result.OpVerify, Input: make([]byte, c.size)}
			}
			got := told(w.Ask(context.Background(), questions))
			if hangs := w.Stats().Hangs > 0; got != c.want || hangs != c.hangs {
				t.Errorf("got %s, hangs: %v; want %s, %v", got, hangs, c.want, c.hangs)
			}
		})
	}
}

// TestDeaf: a program that reads no more is not waited for as one that thinks.
func TestDeaf(t *testing.T) {
	t.Parallel()
	w := scripted(t, "2 i\n2", func(o *Options) { o.CaseLimit = patient })
	large := result.Question{Op: result.OpCanon, Input: make([]byte, 300_000)}
	a := w.Ask(context.Background(), []result.Question{large, large})
	if told(a) != "co" || a[0].Message != "it closed its standard input and lived on; asked again alone, it answered" {
		t.Errorf("%s: %s", told(a), a[0].Message)
	}
}

// TestElapsed: the time is measured of a question that is in flight alone.
func TestElapsed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		window    string
		questions int
		measured  bool
	}{{"1", 1, true}, {"1", 2, true}, {"2", 1, true}, {"2", 2, false}} {
		w := scripted(t, c.window, func(*Options) {})
		for i, a := range w.Ask(context.Background(), documents(c.questions)) {
			if (a.Elapsed > 0) != c.measured {
				t.Errorf("window %s, question %d of %d: %v", c.window, i, c.questions, a.Elapsed)
			}
		}
	}
}

// TestStarts: a process more is started for each window of questions.
func TestStarts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ processes, questions, starts int }{
		{1, 9, 1}, {3, 1, 1}, {3, 2, 1}, {3, 3, 2}, {3, 4, 2}, {3, 5, 3}, {3, 9, 3},
	} {
		w := scripted(t, "2", func(o *Options) { o.Processes = c.processes })
		if a := w.Ask(context.Background(), documents(c.questions)); strings.Trim(told(a), "o") != "" {
			t.Errorf("%d questions: %s", c.questions, told(a))
		}
		if got := w.Stats().Starts; got != c.starts {
			t.Errorf("%d questions of %d processes: %d starts, want %d", c.questions, c.processes, got, c.starts)
		}
	}
}
