package wire

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// TestParseReply: every form of a reply, and each way to be none with the
// place that is wrong.
func TestParseReply(t *testing.T) {
	for line, want := range map[string]Reply{
		"1 ok 7b7d":                       {Payload: []byte("{}")},
		"1 ok -":                          {Payload: []byte{}},
		"a.b-C_9 skip":                    {Status: Skip},
		"1 error":                         {Status: Error},
		"1 error 6e6f":                    {Status: Error, Message: []byte("no")},
		"1 reject -":                      {Status: Reject, Reason: "-"},
		"! error":                         {Status: Error},
		"~ error":                         {Status: Error},
		"1 reject az_09":                  {Status: Reject, Reason: "az_09"},
		"1 reject lone_surrogate":         {Status: Reject, Reason: "lone_surrogate"},
		"1 reject a_reason_of_ours9 6e6f": {Status: Reject, Reason: "a_reason_of_ours9", Message: []byte("no")},
	} {
		want.ID = []byte(line[:strings.IndexByte(line, ' ')])
		got, err := ParseReply([]byte(line))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v", line, got, err)
		}
		// What is written can be read again. - for a payload is the shortest form.
		if again := string(want.Append(nil)); again != line+"\n" {
			t.Errorf("%q is written as %q", line, again)
		}
	}
	for line, want := range map[string]string{
		"":                                    "the id is missing at byte 0",
		"1":                                   "a space and another token are missing at byte 1",
		"1 ":                                  "the status is missing at byte 2",
		" 1 ok -":                             "the id is missing at byte 0",
		"1  ok -":                             "the status is missing at byte 2",
		"1 OK -":                              "the status must be ok, reject, skip or error at byte 2",
		"1 ok":                                "a space and another token are missing at byte 4",
		"1 ok ":                               "the payload is missing: - stands for an empty one at byte 5",
		"1 ok 7":                              "an odd number of hex digits at byte 6",
		"1 ok g":                              "no hex digit in the payload at byte 5",
		"1 ok 7b7":                            "an odd number of hex digits at byte 8",
		"1 ok 7B":                             "an upper-case hex digit in the payload (hex is lower-case) at byte 6",
		"1 ok B7":                             "an upper-case hex digit in the payload (hex is lower-case) at byte 5",
		"1 ok 7x":                             "no hex digit in the payload at byte 6",
		"1 ok 7b7x":                           "no hex digit in the payload at byte 8",
		"1 ok 7b_f":                           "no hex digit in the payload at byte 7",
		"1 ok fx":                             "no hex digit in the payload at byte 6",
		"1 ok f":                              "an odd number of hex digits at byte 6",
		"1 ok 7A":                             "an upper-case hex digit in the payload",
		"1 ok 7F":                             "an upper-case hex digit in the payload",
		"1 ok 7@":                             "no hex digit in the payload",
		"1 ok 7G":                             "no hex digit in the payload",
		"1 ok 7b\r":                           "lines end with LF alone",
		"1 ok 7b ":                            "nothing may follow at byte 7",
		"1 ok 7b 7d":                          "nothing may follow at byte 7",
		"1 ok --":                             "no hex digit in the payload at byte 5",
		"1 skip -":                            "nothing may follow",
		"1 skip\r":                            "lines end with LF alone",
		"1 reject":                            "a space and another token are missing",
		"1 reject Syntax":                     "a reason is - or lower-case letters, digits and _ at byte 9",
		"1 reject sYntax":                     "a reason is - or lower-case letters, digits and _ at byte 10",
		"1 reject a`":                         "a reason is - or lower-case letters, digits and _ at byte 10",
		"1 reject a{":                         "a reason is - or lower-case letters, digits and _ at byte 10",
		"1 reject a/":                         "a reason is - or lower-case letters, digits and _ at byte 10",
		"1 reject a:":                         "a reason is - or lower-case letters, digits and _ at byte 10",
		"1 reject - zz":                       "no hex digit in the message at byte 11",
		"1 reject - 7b 7b":                    "nothing may follow",
		"1 error -  ":                         "nothing may follow",
		"\x001 ok -":                          "not printable ASCII at byte 0",
		"é ok -":                              `not printable ASCII at byte 0 of "\u00e9 ok -"`,
		"1 reject " + strings.Repeat("x", 65): "the reason is longer than 64 bytes",
		strings.Repeat("1", 65) + " skip":     "the id is longer than 64 bytes at byte 0",
	} {
		_, err := ParseReply([]byte(line))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), want) || len(err.Error()) > 500 {
			t.Errorf("%q: %v, want %s", line, err, want)
		}
	}
}

// TestParseRequest: any operation can be read, so that it can be skipped.
func TestParseRequest(t *testing.T) {
	line := AppendRequest(nil, 17, "canon", []byte(`{"a":1}`))
	if string(line) != "17 canon 7b2261223a317d\n" {
		t.Errorf("%q", line)
	}
	for _, payload := range []string{"", "1", `{"a":1}`} {
		longest := AppendRequest(nil, math.MaxUint64, "canon", []byte(payload))
		if size := RequestSize("canon", []byte(payload)); size != len(longest)-1 {
			t.Errorf("a size of %d for %q", size, longest)
		}
	}
	for text, want := range map[string]Request{
		"17 canon 7b7d": {ID: []byte("17"), Op: "canon", Payload: []byte("{}")},
		"x future -":    {ID: []byte("x"), Op: "future", Payload: []byte{}},
	} {
		if got, err := ParseRequest([]byte(text)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "bye", "1 canon", "1 canon 7", "1 canon 7b 7d", "1 canon ABCD"} {
		if _, err := ParseRequest([]byte(text)); err == nil {
			t.Errorf("%q is taken for a request", text)
		}
	}
}

// TestHello: the harness's greeting holds the profile and nothing else.
func TestHello(t *testing.T) {
	line := AppendHello(nil, "ijson")
	if profile, err := ParseHello(line[:len(line)-1]); err != nil || profile != "ijson" {
		t.Errorf("%q: %q, %v", line, profile, err)
	}
	for _, text := range []string{"", "hello", "hello 1", "hello 2 profile=x", "hello 1 profile=", "hello 1 name=x", "hello 1 profile=x y", "HELLO 1 profile=x"} {
		if _, err := ParseHello([]byte(text)); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// TestGreeting: hello 1 is enough; each default is filled in; what is written
// can be read.
func TestGreeting(t *testing.T) {
	g, err := ParseGreeting([]byte("hello 1"))
	if want := (Greeting{Ops: []string{"canon"}, Window: 1, MaxLine: 33554496}); err != nil || !reflect.DeepEqual(g, want) {
		t.Errorf("%+v, %v", g, err)
	}
	want := Greeting{Name: "n", Version: "v=1", Ops: []string{"num", "canon"}, Window: 64, MaxLine: 2048, Reasons: true}
	line := want.Append(nil)
	if g, err = ParseGreeting(line[:len(line)-1]); err != nil || !reflect.DeepEqual(g, want) {
		t.Errorf("%q: %+v, %v", line, g, err)
	}
	if line := string((Greeting{Name: "a b\nc", Version: "é"}).Append(nil)); line != "hello 1 name=a_b_c version=__\n" {
		t.Errorf("%q", line)
	}
	if line := string((Greeting{Name: "!~\x7f"}).Append(nil)); line != "hello 1 name=!~_\n" {
		t.Errorf("%q", line)
	}
	for size, want := range map[int]string{MaxGreeting: "the name must have", MaxGreeting + 1: "longer than 4096 bytes"} {
		line := "hello 1 name=" + strings.Repeat("n", size-len("hello 1 name="))
		if _, err := ParseGreeting([]byte(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes: %v, want %s", size, err, want)
		}
	}
	long := (Greeting{Name: strings.Repeat("n", 9000), Version: strings.Repeat("v", 9000), Ops: Ops(), Window: 1, MaxLine: 1 << 30}).Append(nil)
	if _, err := ParseGreeting(long[:len(long)-1]); err != nil {
		t.Error(err)
	}
	for _, text := range []string{
		"", "hello", "hello 1 ", "hello  1", "hello 1 name", "hello 1 name=", "hello 1 window=-1", "hello 1 window=01", "hello 1 window=65537",
		"hello 1 maxline=10", "hello 1 reasons=yes", "hello 1 ops=", "hello 1 ops=canon,canon", "hello 1 ops=canon,", "hello 1 colour=red",
		"hello 1 window=1 window=1", "hello 1 name=a\tb", "hello 1 maxline=99999999999",
	} {
		if _, err := ParseGreeting([]byte(text)); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// TestQuote: quotations are printable and bounded.
func TestQuote(t *testing.T) {
	for _, text := range []string{"", "\x1b[2J\r\n\x00\xff", strings.Repeat("\x00", 1<<16), "é\u202e"} {
		for _, q := range []string{Quote([]byte(text)), Printable([]byte(text), 80)} {
			if len(q) > 400 || strings.ContainsFunc(q, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Errorf("%q gives %q", text, q)
			}
		}
	}
}

// TestQuoteCutsBeyondTheLimit: text of the limit's length stands whole.
func TestQuoteCutsBeyondTheLimit(t *testing.T) {
	a := strings.Repeat("a", 80)
	for text, want := range map[string][2]string{
		a:       {`"` + a + `"`, a},
		a + "b": {`"` + a + `"... (81 bytes)`, a + "..."},
	} {
		if q, p := Quote([]byte(text)), Printable([]byte(text), 80); q != want[0] || p != want[1] {
			t.Errorf("%d bytes give %s and %s", len(text), q, p)
		}
	}
}

// TestStatusesBeyondTheListAreNumbers: one that does not exist is shown as such.
func TestStatusesBeyondTheListAreNumbers(t *testing.T) {
	for s, want := range map[Status]string{OK: "ok", Error: "error", Error + 1: "status(4)", 255: "status(255)"} {
		if s.String() != want {
			t.Errorf("%s, want %s", s, want)
		}
	}
}

func double() Server {
	return Server{
		Greeting: Greeting{Name: "double", Window: 4, MaxLine: 2000},
		Open: func(profile string) (func(string, []byte) Reply, error) {
			if profile != "rfc8785" {
				return nil, RefuseProfile(profile, "rfc8785")
			}
			return func(op string, payload []byte) Reply { return Reply{Payload: append(payload, payload...)} }, nil
		},
	}
}

// writes notes what is written at once.
type writes []string

func (w *writes) Write(p []byte) (int, error) {
	*w = append(*w, string(p))
	return len(p), nil
}

// TestServeWritesWhatIsHeldBack: while requests are at hand, replies are held
// back until they are 32 KiB.
func TestServeWritesWhatIsHeldBack(t *testing.T) {
	const greeting = "hello 1 ops=canon maxline=33554496\n"
	room := 32<<10 - len(greeting) - len("1 ok \n")
	id := strings.Repeat("1", 1+room%2)
	server := Server{Open: func(string) (func(string, []byte) Reply, error) {
		return func(_ string, payload []byte) Reply { return Reply{Payload: make([]byte, int(payload[0])*(room/2))} }, nil
	}}
	var out writes
	in := "hello 1 profile=rfc8785\n" + id + " canon 01\n2 canon 00\n3 canon 00\nbye\n"
	if err := Serve(strings.NewReader(in), &out, server); err != nil {
		t.Fatal(err)
	}
	first := greeting + id + " ok " + strings.Repeat("0", room-room%2) + "\n"
	if len(out) != 2 || out[0] != first || len(first) != 32<<10 || out[1] != "2 ok -\n3 ok -\n" {
		t.Errorf("%d times, %.60q", len(out), out)
	}
}

// TestServe: one conversation, request by request and all at once.
func TestServe(t *testing.T) {
	const in = "hello 1 profile=rfc8785\n1 canon 61\nx verify 61\n3 canon -\nbye\nignored\n"
	const want = "hello 1 name=double ops=canon window=4 maxline=2000\n1 ok 6161\nx skip\n3 ok -\n"
	for name, wrap := range map[string]func(io.Reader) io.Reader{
		"whole": func(r io.Reader) io.Reader { return r }, "one byte": iotest.OneByteReader,
	} {
		var out bytes.Buffer
		if err := Serve(wrap(strings.NewReader(in)), &out, double()); err != nil || out.String() != want {
			t.Errorf("%s: %q, %v", name, out.String(), err)
		}
	}
	for in, want := range map[string]string{
		"":                          "",
		"hello 1 profile=rfc8785\n": "",
		"hello 1 profile=rfc8785\n1 canon 61\nrubbish\n":                       "not a request",
		"hello 1 profile=rfc8785\n1 canon " + strings.Repeat("0", 5000) + "\n": "longer than the limit",
		"hello 1 profile=rfc0016\n":                                            `the profile "rfc0016" is not served`,
		"good morning\n":                                                       "not a hello",
		"hello 1 profile=rfc8785\n1 can":                                       "no line end",
		strings.Repeat("x", 5000):                                              "longer than the limit",
	} {
		var out bytes.Buffer
		err := Serve(strings.NewReader(in), &out, double())
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%.60q: %v, want %q", in, err, want)
		}
	}
	if err := Serve(strings.NewReader(in), failing{}, double()); err == nil {
		t.Error("an output that fails goes unnoticed")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestServeHoldsBack: replies to requests that came together leave together,
// and none is held back once nothing more is at hand.
func TestServeHoldsBack(t *testing.T) {
	in, feed := io.Pipe()
	out, reply := io.Pipe()
	ended := make(chan error)
	go func() {
		err := Serve(in, reply, double())
		reply.Close()
		ended <- err
	}()
	lines := NewReader(out, 1000)
	io.WriteString(feed, "hello 1 profile=rfc8785\n")
	lines.ReadLine()
	io.WriteString(feed, "1 canon 61\n2 canon 62\n3 ca")
	for _, want := range []string{"1 ok 6161", "2 ok 6262"} {
		if line, err := lines.ReadLine(); err != nil || string(line) != want {
			t.Errorf("%q, %v", line, err)
		}
	}
	io.WriteString(feed, "non 63\nbye\n")
	if line, err := lines.ReadLine(); err != nil || string(line) != "3 ok 6363" {
		t.Errorf("%q, %v", line, err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// FuzzReply: whatever is read as a reply is written back as it was, but for
// an empty message spelled out; what is not read is refused with a bounded,
// printable text.
func FuzzReply(f *testing.F) {
	for _, seed := range []string{"1 ok 7b7d", "1 ok -", "1 reject - 6e6f", "1 reject syntax -", "x skip", "1 error 61", "1 error -"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := ParseReply(line)
		if err != nil {
			if text := err.Error(); len(text) > 500 || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Errorf("%q", text)
			}
			return
		}
		again := string(r.Append(nil))
		if again != string(line)+"\n" && again != strings.TrimSuffix(string(line), " -")+"\n" {
			t.Errorf("%q is written as %q", line, again)
		}
	})
}

// FuzzServe: no input makes the server panic, and it answers every request
// before the first line that is none.
func FuzzServe(f *testing.F) {
	f.Add([]byte("hello 1 profile=rfc8785\n1 canon 61\nbye\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		Serve(bytes.NewReader(in), &out, double())
		lines := bytes.SplitAfter(out.Bytes(), []byte("\n"))
		for _, line := range lines[min(1, len(lines)):] {
			if len(line) == 0 {
				continue
			}
			if _, err := ParseReply(bytes.TrimSuffix(line, []byte("\n"))); err != nil {
				t.Error(err)
			}
		}
	})
}

func BenchmarkReply(b *testing.B) {
	line := Reply{ID: []byte("123456"), Payload: bytes.Repeat([]byte(`{"a":1}`), 21)}.Append(nil)
	line = line[:len(line)-1]
	b.ReportAllocs()
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if _, err := ParseReply(line); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRequest(b *testing.B) {
	payload := bytes.Repeat([]byte(`{"a":1}`), 21)
	dst := AppendRequest(nil, 1, "canon", payload)
	b.ReportAllocs()
	b.SetBytes(int64(len(dst)))
	for b.Loop() {
		dst = AppendRequest(dst[:0], 123456, "canon", payload)
	}
}
