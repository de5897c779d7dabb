package wire

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// AppendHello appends the harness's first line, with its line end.
func AppendHello(dst []byte, profile string) []byte {
	return append(append(append(dst, "hello 1 profile="...), profile...), '\n')
}

// ParseHello reads the harness's first line, without its line end, and gives
// the profile asked for. Whether that is served is for the caller to say.
func ParseHello(line []byte) (profile string, err error) {
	s := scanner{kind: "hello", line: line}
	s.word("hello")
	s.space()
	s.word("1")
	s.space()
	at := s.at
	pair := s.token("profile", maxWord)
	value, ok := bytes.CutPrefix(pair, []byte("profile="))
	if s.err == nil && (!ok || len(value) == 0) {
		s.fail(at, "expected profile= and a profile's name")
	}
	s.end()
	return string(value), s.err
}

// A Greeting is the adapter's first line. The zero values of its fields stand
// for the defaults.
type Greeting struct {
	Name, Version string   // printable ASCII without spaces
	Ops           []string // of Ops(); empty: canon alone
	Window        int      // requests in flight, at least 1; 0: 1
	MaxLine       int      // bytes of a line without its end; 0: DefaultMaxLine
	Reasons       bool     // refusals use the closed list of reasons
}

// Append appends the greeting with its line end. What a greeting cannot hold
// in a name or version (spaces, bytes beyond ASCII) becomes "_".
func (g Greeting) Append(dst []byte) []byte {
	dst = append(dst, "hello 1"...)
	if g.Name != "" {
		dst = append(append(dst, " name="...), plain(g.Name)...)
	}
	if g.Version != "" {
		dst = append(append(dst, " version="...), plain(g.Version)...)
	}
	if len(g.Ops) > 0 {
		dst = append(append(dst, " ops="...), strings.Join(g.Ops, ",")...)
	}
	if g.Window > 0 {
		dst = strconv.AppendInt(append(dst, " window="...), int64(g.Window), 10)
	}
	if g.MaxLine > 0 {
		dst = strconv.AppendInt(append(dst, " maxline="...), int64(g.MaxLine), 10)
	}
	if g.Reasons {
		dst = append(dst, " reasons=1"...)
	}
	return append(dst, '\n')
}

func plain(text string) string {
	out := []byte(text[:min(len(text), maxWord)])
	for i, c := range out {
		if c < '!' || c > '~' {
			out[i] = '_'
		}
	}
	return string(out)
}

// ParseGreeting reads the adapter's first line, without its line end, and
// fills in the defaults. Each key may stand once, in any order; another key is
// an error, since what it promises would be ignored.
func ParseGreeting(line []byte) (Greeting, error) {
	g := Greeting{Ops: []string{"canon"}, Window: DefaultWindow, MaxLine: DefaultMaxLine}
	s := scanner{kind: "greeting", line: line}
	if len(line) > MaxGreeting {
		s.fail(MaxGreeting, "it is longer than "+strconv.Itoa(MaxGreeting)+" bytes")
		return Greeting{}, s.err
	}
	s.word("hello")
	s.space()
	s.word("1")
	seen := map[string]bool{}
	for s.more() {
		s.space()
		at := s.at
		key, value, ok := strings.Cut(string(s.token("pair", MaxGreeting)), "=")
		switch {
		case s.err != nil:
		case !ok:
			s.fail(at, "expected key=value")
		case seen[key]:
			s.fail(at, "the key "+key+" stands twice")
		default:
			seen[key] = true
			if what := g.set(key, value); what != "" {
				s.fail(at, what)
			}
		}
	}
	if s.err != nil {
		return Greeting{}, s.err
	}
	return g, nil
}

// set takes one pair of the greeting and says what is wrong with it.
func (g *Greeting) set(key, value string) string {
	switch key {
	case "name", "version":
		if value == "" || len(value) > maxWord {
			return "the " + key + " must have 1 to " + strconv.Itoa(maxWord) + " bytes"
		}
		if key == "name" {
			g.Name = value
		} else {
			g.Version = value
		}
	case "ops":
		g.Ops = strings.Split(value, ",")
		for i, op := range g.Ops {
			if !slices.Contains(ops, op) {
				return fmt.Sprintf("%s is no operation", Quote([]byte(op)))
			}
			if slices.Contains(g.Ops[:i], op) {
				return "the operation " + op + " stands twice"
			}
		}
	case "window":
		return g.number(&g.Window, key, value, 1, MaxWindow)
	case "maxline":
		return g.number(&g.MaxLine, key, value, minLine, 1<<30)
	case "reasons":
		if value != "0" && value != "1" {
			return "reasons must be 0 or 1"
		}
		g.Reasons = value == "1"
	default:
		return "the key " + Quote([]byte(key)) + " is not known"
	}
	return ""
}

func (*Greeting) number(to *int, key, value string, least, most int) string {
	n, err := strconv.Atoi(value)
	if err != nil || n < least || n > most || strconv.Itoa(n) != value {
		return fmt.Sprintf("%s must be a decimal number from %d to %d", key, least, most)
	}
	*to = n
	return ""
}
