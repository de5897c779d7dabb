package wire

import "strconv"

// A scanner takes the tokens of one line in turn. The first thing that is
// wrong is kept, and everything after it gives zero values.
type scanner struct {
	kind string
	line []byte
	at   int
	err  error
}

func (s *scanner) fail(at int, what string) {
	if s.err == nil {
		s.err = &SyntaxError{Kind: s.kind, What: what, At: at, Line: Quote(s.line)}
	}
}

func (s *scanner) more() bool { return s.err == nil && s.at < len(s.line) }

// space takes the one space that separates two tokens.
func (s *scanner) space() {
	switch {
	case s.err != nil:
	case s.at < len(s.line) && s.line[s.at] == ' ':
		s.at++
	default:
		s.fail(s.at, "a space and another token are missing")
	}
}

// token takes printable ASCII up to a space or the end of the line.
func (s *scanner) token(name string, most int) []byte {
	if s.err != nil {
		return nil
	}
	start := s.at
	for s.at < len(s.line) && s.line[s.at] != ' ' {
		if c := s.line[s.at]; c < '!' || c > '~' {
			s.fail(s.at, "a byte that is not printable ASCII"+carriageReturn(c))
			return nil
		}
		s.at++
	}
	token := s.line[start:s.at]
	switch {
	case len(token) == 0:
		s.fail(start, "the "+name+" is missing")
		return nil
	case len(token) > most:
		s.fail(start, "the "+name+" is longer than "+strconv.Itoa(most)+" bytes")
		return nil
	}
	return token
}

func carriageReturn(c byte) string {
	if c == '\r' {
		return " (lines end with LF alone)"
	}
	return ""
}

// word takes exactly the token given.
func (s *scanner) word(want string) {
	start := s.at
	if got := s.token("word "+want, len(s.line)); s.err == nil && string(got) != want {
		s.fail(start, "expected "+want)
	}
}

// payload takes lower-case hex, or "-" for nothing, and gives fresh memory.
func (s *scanner) payload(name string) []byte {
	if s.err != nil {
		return nil
	}
	start := s.at
	if start < len(s.line) && s.line[start] == '-' && (start+1 == len(s.line) || s.line[start+1] == ' ') {
		s.at++
		return []byte{}
	}
	end := start
	for end < len(s.line) && s.line[end] != ' ' {
		end++
	}
	if end == start {
		s.fail(start, "the "+name+" is missing: - stands for an empty one")
		return nil
	}
	s.at = end
	digits := s.line[start:end]
	out := make([]byte, len(digits)/2)
	for i := range out {
		high, low := nibbles[digits[2*i]], nibbles[digits[2*i+1]]
		if high|low > 15 {
			s.badHex(start+2*i, high > 15, name)
			return nil
		}
		out[i] = high<<4 | low
	}
	if len(digits)%2 != 0 {
		if nibbles[s.line[end-1]] > 15 {
			s.badHex(end-1, true, name)
		}
		s.fail(end, "the "+name+" has an odd number of hex digits")
		return nil
	}
	return out
}

func (s *scanner) badHex(at int, first bool, name string) {
	if !first {
		at++
	}
	switch c := s.line[at]; {
	case 'A' <= c && c <= 'F':
		s.fail(at, "an upper-case hex digit in the "+name+" (hex is lower-case)")
	default:
		s.fail(at, "a byte that is no hex digit in the "+name+carriageReturn(c))
	}
}

// end requires that nothing follows.
func (s *scanner) end() {
	if s.more() {
		s.fail(s.at, "nothing may follow")
	}
}

// nibbles gives a lower-case hex digit's value, and 255 for any other byte.
var nibbles = func() (t [256]byte) {
	for i := range t {
		t[i] = 255
	}
	for i, c := range "0123456789abcdef" {
		t[c] = byte(i)
	}
	return t
}()
