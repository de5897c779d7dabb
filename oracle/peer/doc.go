// Package peer is the one table of the implementations that are built in: our
// own engines and what others wrote in Go, each with name, version and lineage.
//
// [Open] gives an implementation as the oracle asks it. Calls run in this
// process, each guarded against panics and against taking too long; inputs
// that can end a process (by overflowing the stack, or by taking its memory)
// go to a worker process, which is this very program started again, and after
// a call that did not come back everything does.
//
// To add an implementation, add a row to the table and a baseline for it.
package peer

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// A Peer is a row of the table.
type Peer struct {
	Name     string
	Lineage  string // implementations of one lineage count as one voice
	Module   string // the Go module whose version is the peer's; "" for our own
	Homepage string
	Layer    result.Layer
	Ours     bool

	pinned string // the module's version in go.mod; test programs do not know what is linked in
	// open makes an engine, for one goroutine at a time.
	open func(reject.Profile) engine
}

// An engine answers questions by operation. An error means that the input is
// refused; errSkip that this input is not served. The result may share memory
// with nothing.
type engine map[result.Op]func(input []byte) ([]byte, error)

// errSkip is what an engine gives for an input that it does not serve.
var errSkip = errors.New("peer: not served")

// All gives the table, our own engines first.
func All() []Peer { return slices.Clone(table) }

// Names gives the names of the table's rows.
func Names() []string {
	names := make([]string, len(table))
	for i, p := range table {
		names[i] = p.Name
	}
	return names
}

// Lookup finds a row by its name.
func Lookup(name string) (Peer, error) {
	for _, p := range table {
		if p.Name == name {
			return p, nil
		}
	}
	return Peer{}, fmt.Errorf("peer: there is no built-in implementation %q: choose one of %s", name, strings.Join(Names(), ", "))
}

// Version gives the version of the peer's module that is linked in; for our
// own engines "" if the program does not know it.
func (p Peer) Version() string {
	return cmp.Or(versions()[cmp.Or(p.Module, ourModule)], p.pinned)
}

const ourModule = "github.com/touchstone-oracle/touchstone"

var versions = sync.OnceValue(func() map[string]string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return versionsOf(info)
	}
	return nil
})

// versionsOf gives the versions of a program's modules.
func versionsOf(info *debug.BuildInfo) map[string]string {
	found := map[string]string{info.Main.Path: info.Main.Version}
	for _, module := range info.Deps {
		found[module.Path] = cmp.Or(module.Replace, module).Version
	}
	return found
}

// Info says who the peer is.
func (p Peer) Info() result.Info {
	return result.Info{
		Name: p.Name, Version: p.Version(), Lineage: p.Lineage, Language: "go",
		Layer: p.Layer, Homepage: p.Homepage, Ops: p.open(reject.RFC8785).ops(),
		Reasons: p.Ours, Ours: p.Ours, Window: defaultWindow,
	}
}

// ops lists what an engine serves, in the order of the documentation.
func (e engine) ops() []result.Op {
	return slices.DeleteFunc(result.Ops(), func(op result.Op) bool { return e[op] == nil })
}

// answer asks an engine. A panic is not caught here.
func (e engine) answer(q result.Question) result.Answer {
	serve := e[q.Op]
	if serve == nil {
		return result.Answer{Kind: result.Skipped}
	}
	out, err := serve(q.Input)
	if err == nil {
		return result.Answer{Kind: result.OK, Bytes: out}
	}
	if errors.Is(err, errSkip) {
		return result.Answer{Kind: result.Skipped}
	}
	if errors.Is(err, errQuestion) {
		return result.Answer{Kind: result.ProtocolError, Message: err.Error()}
	}
	a := result.Answer{Kind: result.Rejected, Message: shorten(err.Error())}
	var reason reject.Reason
	if errors.As(err, &reason) {
		a.Reason = reason.String()
	}
	return a
}

// maxMessage bounds what is kept of an implementation's error.
const maxMessage = 1000

func shorten(text string) string { return text[:min(len(text), maxMessage)] }

// errQuestion means that the question could not be asked.
var errQuestion = errors.New("peer: not a question")

// number makes the num operation of a function that writes a double.
func number(write func(f float64) ([]byte, error)) func([]byte) ([]byte, error) {
	return func(input []byte) ([]byte, error) {
		if len(input) != 8 {
			return nil, fmt.Errorf("%w: a double has eight bytes, not %d", errQuestion, len(input))
		}
		return write(math.Float64frombits(binary.BigEndian.Uint64(input)))
	}
}

// verdict gives the one byte with which verify answers.
func verdict(yes bool) []byte {
	if yes {
		return []byte{1}
	}
	return []byte{0}
}
