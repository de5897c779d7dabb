package check

import (
	"context"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/baseline"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// A Subject is an implementation under test. One worker uses it at a time.
type Subject interface {
	// Info says who it is and what it serves.
	Info() result.Info
	// Ask puts a batch of questions and gives the answers in their order. Once
	// ctx has ended it returns as soon as it can.
	Ask(ctx context.Context, questions []result.Question) []result.Answer
	// Close ends it and frees what it holds.
	Close() error
}

// An Entry is an implementation to check and how to go about it.
type Entry struct {
	Name string
	// Open gives a fresh Subject; each worker opens its own. An error means
	// that the implementation would not start.
	Open func(ctx context.Context) (Subject, error)
	// Mode is how it is asked: result.ModeExec, result.ModeWire or "".
	Mode string
	// Every is n if the implementation sees one generated case in n; 0 is 1.
	Every int
	// Batch is how many questions it is asked at once at most; 0 is 64. Fewer make
	// progress show sooner where each takes long.
	Batch int
	// Tries bounds the questions spent on minimizing its findings; 0 means
	// 20,000.
	Tries int
	// Patience bounds the time spent on minimizing all of its findings, and a
	// quarter of it that on one; 0 for no bound. What is left then is shown as it
	// was found.
	Patience time.Duration
	// Baseline holds what is known of it; nil for nothing.
	Baseline *baseline.File
	// Replay gives the command that shows one input again; selection is the
	// flags that name it.
	Replay func(selection string) string
}

// A Config says what a run asks of whom.
type Config struct {
	Profile  reject.Profile
	Entries  []Entry
	Vectors  []vectors.Vector
	Complete bool // Vectors is the whole suite, so that staleness of baselines is judged
	// Smoke judges the staleness of baseline entries by those of their vectors
	// that are asked, though not all are.
	Smoke  bool
	Inputs [][]byte // given by hand, asked like generated cases
	Seed   uint64
	First  uint64 // number of the first generated case
	Cases  int    // how many are generated
	// Relations is how many generated documents the metamorphic relations are
	// asked of, from First on; RelateInputs asks them of Inputs too.
	Relations    int
	RelateInputs bool
	// Ladders names the ladders of oracle/ladder that are climbed, by one
	// implementation after the other, so that nothing disturbs the time.
	Ladders []string
	// EveryBreach reports breaches of relations that a verdict explains too, on
	// top of the finding that the verdict makes.
	EveryBreach bool
	// Generator gives a function from a case's number to its document; each
	// worker has its own. What the function returns may be overwritten by its
	// next call.
	Generator func(seed uint64) func(number uint64) []byte
	// Minimize makes an input smaller while keep holds, with at most tries
	// calls of keep. nil leaves inputs as they are.
	Minimize func(input []byte, keep func([]byte) bool, tries int) []byte
	Workers  int                       // 0 means 1
	Header   result.Header             // provenance; Run fills in what it knows
	Emit     func(result.Record) error // receives every record as it comes; one call at a time
	Progress func(Progress)            // may be nil; one call at a time
	// Found receives every kind of failure that no baseline knows when it is seen
	// for the first time, as it was found: neither minimized nor with its effect.
	// Kinds that turn out to be one are one in the end. May be nil; one call at a
	// time.
	Found func(result.Finding)
}

// Progress is how far a run is.
type Progress struct {
	Phase       string // what is being done, in one or two words
	Done, Total int
	Findings    int // kinds found so far, before minimizing
	// Asked counts the questions so far, Planned those of the whole run as far as
	// they can be foreseen: without minimizing.
	Asked, Planned int
}
