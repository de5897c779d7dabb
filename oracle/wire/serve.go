package wire

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Server is an adapter in Go: what it announces, and what it answers.
type Server struct {
	Greeting Greeting
	// Open is told the profile of the conversation and gives the function that
	// answers; an error means that the profile is not served. The function's
	// payload is fresh memory at each call. Its ID is ignored; its Payload and
	// Message are read before the next call. It is called for the operations
	// that the greeting announces, one at a time. A panic in it is not caught:
	// the harness sees a crash, which is what it is.
	Open func(profile string) (answer func(op string, payload []byte) Reply, err error)
}

// flushAt is the number of bytes of replies that are held back while more
// requests are at hand.
const flushAt = 32 << 10

// Serve holds one conversation. It returns nil after bye or at the end of the
// input, and an error if the harness breaks the protocol, asks for a profile
// that is not served, or in or out fail. Requests are answered in order.
func Serve(in io.Reader, out io.Writer, server Server) error {
	lines := NewReader(in, MaxGreeting)
	first, err := lines.ReadLine()
	if err != nil {
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	}
	profile, err := ParseHello(first)
	if err != nil {
		return err
	}
	answer, err := server.Open(profile)
	if err != nil {
		return err
	}
	greeting := server.Greeting
	if greeting.MaxLine == 0 {
		greeting.MaxLine = DefaultMaxLine
	}
	if len(greeting.Ops) == 0 {
		greeting.Ops = []string{"canon"}
	}
	lines.SetLimit(greeting.MaxLine)
	held := greeting.Append(nil)
	for {
		if len(held) >= flushAt || !lines.Ready() {
			if _, err := out.Write(held); err != nil {
				return fmt.Errorf("wire: writing: %w", err)
			}
			held = held[:0]
		}
		line, err := lines.ReadLine()
		if errors.Is(err, io.EOF) || err == nil && string(line) == Bye {
			_, err := out.Write(held)
			return err
		}
		if err != nil {
			return err
		}
		request, err := ParseRequest(line)
		if err != nil {
			return err
		}
		reply := Reply{Status: Skip}
		if slices.Contains(greeting.Ops, request.Op) {
			reply = answer(request.Op, request.Payload)
		}
		reply.ID = request.ID
		held = reply.Append(held)
	}
}

// RefuseProfile is what Open may return for a profile that is not served.
func RefuseProfile(profile string, served ...string) error {
	return fmt.Errorf("wire: the profile %s is not served, only %s", Quote([]byte(profile)), strings.Join(served, ", "))
}
