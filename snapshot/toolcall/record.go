package toolcall

import (
	"context"
	"time"

	"github.com/touchstone-oracle/touchstone/snapshot"
)

// A Recorder receives the records of attempts: start event, call record and
// result record, in this order, each exactly once an attempt. Telemetry,
// artifacts and the conversation's history are recorders. A Record is an
// immutable value, so recorders share nothing. Record is called before the
// attempt goes on, must be safe for concurrent use, and must not panic.
type Recorder interface {
	Record(ctx context.Context, r Record)
}

// A RecorderFunc is a function as a Recorder.
type RecorderFunc func(ctx context.Context, r Record)

// Record calls f.
func (f RecorderFunc) Record(ctx context.Context, r Record) { f(ctx, r) }

// A Kind says what a record is.
type Kind string

// The kinds of record.
const (
	StartEvent   Kind = "start"
	CallRecord   Kind = "call"
	ResultRecord Kind = "result"
)

// A Record is one record of an attempt.
type Record struct {
	Kind           Kind
	ProviderCallID string
	// OperationID is that of the dispatch, in start and result; "" if nothing
	// was dispatched.
	OperationID string
	CallFields         // in start and call
	Ending      Ending // in result
}

// CallFields are what start event and call record have in common.
type CallFields struct {
	Turn                        string
	Timestamp                   time.Time // when the call was begun
	Tool                        string
	Origin                      Origin
	Visibility                  string
	ParentCall, ParentOperation string
	ActivityKind, DisplayName   string
	Intent                      string
	Arguments                   snapshot.Snapshot // the persisted view; zero for none
	ProviderOptions             snapshot.Snapshot // zero for none
	Step                        string
	HasStep                     bool
}

// An Ending is what a result record says: how the attempt ended, without payload.
type Ending struct {
	Status  Status
	Reason  Reason
	Stage   Stage
	Verdict Verdict // policy's own; "" if it gave none
	Mutated bool
}

// Fields gives the record as JSON data that nothing else refers to, in the
// strict domain; absent fields are absent.
func (r Record) Fields() map[string]any {
	f := map[string]any{"kind": string(r.Kind), "toolCallId": r.ProviderCallID}
	put := func(name, text string) {
		if text != "" {
			f[name] = text
		}
	}
	put("operationId", r.OperationID)
	if r.Kind == ResultRecord {
		put("status", string(r.Ending.Status))
		put("reason", string(r.Ending.Reason))
		put("stage", string(r.Ending.Stage))
		put("decision", string(r.Ending.Verdict))
		if r.Ending.Mutated {
			f["mutated"] = true
		}
		return f
	}
	f["timestamp"] = r.Timestamp.UTC().Format(time.RFC3339Nano)
	put("turnId", r.Turn)
	put("toolName", r.Tool)
	put("origin", string(r.Origin))
	put("visibility", r.Visibility)
	put("parentToolCallId", r.ParentCall)
	put("parentOperationId", r.ParentOperation)
	put("activityKind", r.ActivityKind)
	put("displayName", r.DisplayName)
	put("intent", r.Intent)
	if !r.Arguments.IsZero() {
		f["args"] = r.Arguments.View()
	}
	if !r.ProviderOptions.IsZero() {
		f["providerOptions"] = r.ProviderOptions.View()
	}
	if r.HasStep {
		f["stepId"] = r.Step
	}
	return f
}

// MarshalJSON writes Fields in canonical form.
func (r Record) MarshalJSON() ([]byte, error) {
	s, err := snapshot.Options{MaxOutput: -1, MaxDepth: -1}.Of(r.Fields())
	return s.AppendCanonical(nil), err
}

// fields is the one recipe of the fields that start event and call record share.
func (r *run) fields() CallFields {
	return CallFields{
		Turn: r.call.turn, Timestamp: r.call.at, Tool: r.tool.Name, Origin: r.call.origin,
		Visibility: r.call.visibility, ParentCall: r.call.parentCall, ParentOperation: r.call.parentOp,
		ActivityKind: r.tool.ActivityKind, DisplayName: r.tool.DisplayName, Intent: r.call.intent,
		Arguments: r.out.Views.Persisted, ProviderOptions: r.call.options,
		Step: r.call.step, HasStep: r.call.hasStep,
	}
}

// begin records that the call is made: the start event, then the call record.
func (r *run) begin(ctx context.Context) {
	if len(r.rt.recorders) == 0 {
		return
	}
	shared := r.fields()
	r.record(ctx, Record{Kind: StartEvent, ProviderCallID: r.call.id, OperationID: r.out.OperationID, CallFields: shared})
	r.record(ctx, Record{Kind: CallRecord, ProviderCallID: r.call.id, CallFields: shared})
}

// finish records how the attempt ended.
func (r *run) finish(ctx context.Context) *Outcome {
	if len(r.rt.recorders) == 0 {
		return r.out
	}
	r.record(ctx, Record{
		Kind: ResultRecord, ProviderCallID: r.call.id, OperationID: r.out.OperationID,
		Ending: Ending{r.out.Status, r.out.Reason, r.out.Stage, r.out.Policy.Verdict, r.out.Mutated},
	})
	return r.out
}

// record hands a record to every recorder. The end of the attempt's context
// does not reach them: what happened is recorded.
func (r *run) record(ctx context.Context, record Record) {
	for _, recorder := range r.rt.recorders {
		recorder.Record(context.WithoutCancel(ctx), record)
	}
}
