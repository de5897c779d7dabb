package reference_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall/reference"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// A trace written by hand from docs/lifecycle.md: the two hashes are published,
// the operation id is sha256 of ["run-1","c1"].
func TestTraceByHand(t *testing.T) {
	const scenario = `{"format":1,"agent":"Support Agent",
 "tools":[{"name":"search_docs","projection":{"does":"none"}}],
 "steps":[
  {"do":"call","as":"a1","tool":"search_docs","arguments":" {\"q\":\"x\",\"n\":1.0}","invocation":"run-1","call":"c1"},
  {"do":"change","tool":"search_docs","policy":{"does":"deny"}},
  {"do":"clock","at":9},
  {"do":"call","as":"a2","tool":"search_docs","arguments":"{}","invocation":"run-1","call":"c2"}]}`
	want := strings.NewReplacer(
		"HASH1", "1a3592016b86e3d083c4d04e0520313beea8085cc2a4bdd7c904b6e9624932dc",
		"HASH2", "539d41aaf70845fa1c78b75080b676afc88cf0f9e1eaf1834b85da38016ef502",
		"OPERATION", "toolop_d444ae6b2e8aa8a8f5f28120a55656e9", "\n", "",
	).Replace(`[
{"arguments":{"n":1,"q":"x"},"at":"a1","event":"schema"},
{"argsCanonicalJson":"{\"n\":1,\"q\":\"x\"}","at":"a1","event":"policy","parsedArguments":{"n":1,"q":"x"},"proposalHash":"HASH1","rawArguments":" {\"q\":\"x\",\"n\":1.0}","requestedArguments":{"n":1,"q":"x"}},
{"at":"a1","event":"commit","operationId":"OPERATION","proposalHash":"HASH1"},
{"at":"a1","event":"record","record":{"kind":"start","operationId":"OPERATION","origin":"provider","timestamp":0,"toolCallId":"c1","toolName":"search_docs"}},
{"at":"a1","event":"record","record":{"kind":"call","origin":"provider","timestamp":0,"toolCallId":"c1","toolName":"search_docs"}},
{"arguments":{"n":1,"q":"x"},"at":"a1","event":"handler","operationId":"OPERATION"},
{"at":"a1","event":"record","record":{"decision":"allow","kind":"result","operationId":"OPERATION","status":"executed","toolCallId":"c1"}},
{"at":"a1","decision":"allow","event":"outcome","operationId":"OPERATION","proposalHash":"HASH1","status":"executed"},
{"arguments":{},"at":"a2","event":"schema"},
{"argsCanonicalJson":"{}","at":"a2","event":"policy","parsedArguments":{},"proposalHash":"HASH2","rawArguments":"{}","requestedArguments":{}},
{"at":"a2","event":"record","record":{"kind":"start","origin":"provider","timestamp":9,"toolCallId":"c2","toolName":"search_docs"}},
{"at":"a2","event":"record","record":{"kind":"call","origin":"provider","timestamp":9,"toolCallId":"c2","toolName":"search_docs"}},
{"at":"a2","event":"record","record":{"decision":"deny","kind":"result","reason":"policy_denied","status":"denied","toolCallId":"c2"}},
{"at":"a2","decision":"deny","event":"outcome","proposalHash":"HASH2","reason":"policy_denied","status":"denied"}]`)
	got, err := reference.Trace([]byte(scenario))
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

// The model gives the traces of the vectors. That the library does too is for
// package scenario to test.
func TestTracesOfTheVectors(t *testing.T) {
	for _, v := range vectors.All() {
		if v.Op != vectors.OpLifecycle {
			continue
		}
		want := v.Expect[reject.RFC0016].Output
		if got, err := reference.Trace(v.Input); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", v.ID, err, got, want)
		}
	}
}

// TestMalformed: each step is right but for one thing.
func TestMalformed(t *testing.T) {
	const setting = `{"format":1,"agent":"a","issuers":["alice"],"tools":[{"name":"look"},{"name":"pay","policy":{"does":"require_approval"}}],"steps":[` +
		`{"do":"call","as":"asked","tool":"pay","arguments":"{}","invocation":"i","call":"c1"},` +
		`{"do":"call","as":"ran","tool":"look","arguments":"{}","invocation":"i","call":"c2"},` +
		`{"do":"grant","as":"g","for":"asked","issuer":"alice","expires":9}`
	const (
		call   = `{"do":"call","as":"x","tool":"look","arguments":"{}","invocation":"i","call":"c","grant":"g","hold":""}`
		resume = `{"do":"resume","as":"x","of":"asked","grant":"g","hold":""}`
		grant  = `{"do":"grant","as":"h","for":"asked"}`
		change = `{"do":"change","tool":"look","policy":{"does":"deny"}}`
		mutate = `{"do":"mutate","of":"ran","what":"policy.parsed","edits":[]}`
		hold   = `{"do":"call","as":"x","tool":"look","arguments":"{}","invocation":"i","call":"c","hold":"policy"}`
	)
	play := func(step string) ([]byte, error) { return reference.Trace([]byte(setting + "," + step + `]}`)) }
	for _, step := range []string{
		call, resume, grant, change, mutate, hold + `,{"do":"release","of":"x"}`,
		strings.Replace(call, `"grant":"g",`, "", 1), strings.Replace(grant, `"for":"asked"`, `"hash":""`, 1),
	} {
		if _, err := play(step); err != nil {
			t.Errorf("%s: %v", step, err)
		}
	}
	for _, fault := range []struct{ step, part, faulty string }{
		{call, `"do":"call"`, `"do":"dance"`},
		{call, `"as":"x"`, `"as":""`}, {call, `"as":"x"`, `"as":"ran"`}, {call, `"tool":"look"`, `"tool":"leap"`},
		{call, `"invocation":"i"`, `"invocation":""`}, {call, `"call":"c"`, `"call":""`},
		{call, `"grant":"g"`, `"grant":"h"`}, {call, `"hold":""`, `"hold":"moon"`}, {call, `"hold":""`, `"hold":"policy"`}, {call, `"hold":""`, `"hold":1`},
		{resume, `"as":"x"`, `"as":""`}, {resume, `"as":"x"`, `"as":"ran"`}, {resume, `"of":"asked"`, `"of":"ran"`}, {resume, `"of":"asked"`, `"of":"no"`},
		{resume, `"grant":"g"`, `"grant":"h"`}, {resume, `"grant":"g"`, `"grant":""`}, {resume, `"hold":""`, `"hold":"moon"`},
		{grant, `"as":"h"`, `"as":""`}, {grant, `"as":"h"`, `"as":"g"`}, {grant, `"for":"asked"`, `"for":"ran"`}, {grant, `"for":"asked"`, `"for":"no"`},
		{change, `"look"`, `"leap"`}, {mutate, `"ran"`, `"no"`},
		{hold + `,{"do":"release","of":"x"}`, `"do":"release","of":"x"`, `"do":"release","of":"ran"`},
		{`{"do":"release","of":"ran"}`, `"ran"`, `"no"`}, {change, `}}`, `}},{"do":"release","of":"ran"}`}, {change, `}}`, `}},[]`},
	} {
		step := strings.Replace(fault.step, fault.part, fault.faulty, 1)
		if out, err := play(step); err == nil || step == fault.step {
			t.Errorf("%s has the trace %s", step, out)
		}
	}
	if _, err := reference.Trace(nil); err == nil {
		t.Error("nothing has a trace")
	}
}

// The model is short enough to be read beside the rules.
func TestModelIsShort(t *testing.T) {
	text, err := os.ReadFile("model.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n > 300 {
		t.Errorf("%d lines", n)
	}
}
