package toolcall

import (
	"context"

	"github.com/touchstone-oracle/touchstone/snapshot"
)

// A Tool is what the model may call. Its functions must be safe for concurrent
// use.
type Tool struct {
	Name    string
	Schema  Schema  // required; AnyArguments takes everything
	Handler Handler // required
	// Projection shows the arguments to people and to the records; nil shows
	// nothing.
	Projection Projection

	// Exclusive: the call is alone in its step.
	Exclusive bool
	// DirectOnly: the model's provider alone may call it, not code that the
	// model wrote.
	DirectOnly bool
	// Boundary: the tool asks the host to widen a sandbox; the runtime's
	// Surface, if there is one, validates the arguments.
	Boundary bool

	ActivityKind, DisplayName string // for records; may be empty
}

// A Schema validates and normalizes arguments. Parse runs exactly once an
// attempt. It may change and keep what it is given, and may return that, or a
// value it shares with others: nothing of it is kept but a snapshot. Its result
// must lie in the strict domain that package snapshot documents.
type Schema interface {
	Parse(ctx context.Context, requested any) (any, error)
}

// A SchemaFunc is a function as a Schema.
type SchemaFunc func(ctx context.Context, requested any) (any, error)

// Parse calls f.
func (f SchemaFunc) Parse(ctx context.Context, requested any) (any, error) { return f(ctx, requested) }

// AnyArguments is the schema that takes everything as it is.
var AnyArguments Schema = SchemaFunc(func(_ context.Context, requested any) (any, error) { return requested, nil })

// A Handler is what a tool does.
type Handler interface {
	Execute(ctx context.Context, e Execution) (any, error)
}

// A HandlerFunc is a function as a Handler.
type HandlerFunc func(ctx context.Context, e Execution) (any, error)

// Execute calls f.
func (f HandlerFunc) Execute(ctx context.Context, e Execution) (any, error) { return f(ctx, e) }

// An Execution is what a handler is given: an immutable value.
type Execution struct {
	Agent, Tool  string
	OperationID  string
	ProposalHash string
	// Snapshot is the authorized arguments.
	Snapshot snapshot.Snapshot
}

// Arguments decodes the authorized arguments afresh: the caller owns the result.
func (e Execution) Arguments() any { return e.Snapshot.View() }

// Handle makes a handler of a function that takes its arguments as a T, decoded
// from the authorized snapshot by snapshot.As: names match exactly, upper and
// lower case differ, and integers are filled within 2^53-1. Arguments that do
// not fit fail the execution with a *snapshot.FillError.
func Handle[T any](f func(ctx context.Context, arguments T) (any, error), rules ...snapshot.Rule) Handler {
	return HandlerFunc(func(ctx context.Context, e Execution) (any, error) {
		arguments, err := snapshot.As[T](e.Snapshot, rules...)
		if err != nil {
			return nil, err
		}
		return f(ctx, arguments)
	})
}

// A Surface is the host's way to ask a person about a sandbox boundary.
// Validate looks at the arguments of a Boundary tool, in a view of its own,
// before anything is shown or asked.
type Surface interface {
	Validate(ctx context.Context, tool string, arguments any) error
}
