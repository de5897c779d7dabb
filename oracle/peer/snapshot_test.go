package peer

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

func valueQuestion(op result.Op, input string) result.Question {
	return result.Question{Op: op, Input: []byte(input)}
}

// TestValues: the library and the judge answer graphs, scripts and hashes
// alike under rfc0016, and serve none of them under another profile.
func TestValues(t *testing.T) {
	questions := []result.Question{
		valueQuestion(result.OpGraph, `{"root":0,"nodes":[{"object":[["0062",1],["0061",1]]},{"literal":"true"}]}`),
		valueQuestion(result.OpGraph, `{"root":0,"nodes":[{"array":[],"length":1}]}`),
		valueQuestion(result.OpGraph, `{"root":0,"nodes":[]}`),
		valueQuestion(result.OpJS, `{"setup":"var n=1","expr":"({b:n,a:[]})"}`),
		valueQuestion(result.OpJS, `{"expr":"[,]"}`),
		valueQuestion(result.OpJS, `{"expr":"throw"}`),
		valueQuestion(result.OpJS, `{"expr":"realm('1')","needs":"realm"}`),
		valueQuestion(result.OpJS, `{}`),
		valueQuestion(result.OpHash, `{"agentName":"Support Agent","toolName":"search_docs","argsCanonicalJson":"{}"}`),
		valueQuestion(result.OpHash, `{"agentName":"\ud800","toolName":"b","argsCanonicalJson":"{}"}`),
		valueQuestion(result.OpHash, `{"agentName":"a","toolName":"b"}`),
		valueQuestion(result.OpHash, `[`),
	}
	want := []string{
		`ok {"a":true,"b":true}`, "reject sparse_array", "protocol-error",
		`ok {"a":[],"b":1}`, "reject sparse_array", "protocol-error", "skip", "protocol-error",
		"ok 539d41aaf70845fa1c78b75080b676afc88cf0f9e1eaf1834b85da38016ef502", "reject lone_surrogate", "protocol-error", "protocol-error",
	}
	for _, name := range []string{"snapshot", "reference"} {
		for i, a := range ask(t, name, Options{Profile: reject.RFC0016}, questions...) {
			got := string(a.Kind)
			switch a.Kind {
			case result.OK:
				got += " " + string(a.Bytes)
			case result.Rejected:
				got += " " + a.Reason
			}
			if got != want[i] {
				t.Errorf("%s: %s %s: %s (%s), want %s", name, questions[i].Op, questions[i].Input, got, a.Message, want[i])
			}
		}
		for i, a := range ask(t, name, Options{Profile: reject.IJSON}, questions...) {
			if a.Kind != result.Skipped {
				t.Errorf("%s under ijson: %s: %+v", name, questions[i].Op, a)
			}
		}
	}
	a := ask(t, "snapshot", Options{Profile: reject.RFC0016}, valueQuestion(result.OpHash, `{"agentName":"a","toolName":"b","argsCanonicalJson":"{ }"}`))[0]
	if a.Kind != result.ProtocolError {
		t.Errorf("arguments that are not canonical: %+v", a)
	}
}

// TestLifecycle: a scenario has a trace, what is none is no question, and what Go
// has no value for is not served.
func TestLifecycle(t *testing.T) {
	const nobody = `{"format":1,"agent":"A","issuers":["a"],"tools":[],"steps":[`
	for _, c := range []struct{ name, scenario, want string }{
		{"snapshot", nobody + `]}`, "ok []"},
		{"reference", nobody + `]}`, "ok []"},
		{"snapshot", nobody + `{"do":"release","of":"x"}]}`, "protocol-error"},
		{"reference", nobody + `{"do":"release","of":"x"}]}`, "protocol-error"},
		{"snapshot", nobody, "protocol-error"},
		{"reference", nobody, "protocol-error"},
		{"snapshot", `{"format":1,"agent":"a","tools":[{"name":"p","schema":{"does":"graph","graph":{"root":0,"nodes":[{"host":"date"}]}}}],"steps":[]}`, "skip"},
	} {
		a := ask(t, c.name, Options{Profile: reject.RFC0016}, valueQuestion(result.OpLifecycle, c.scenario))[0]
		if got := strings.TrimSpace(string(a.Kind) + " " + string(a.Bytes)); got != c.want {
			t.Errorf("%s: %s: %s (%s), want %s", c.name, c.scenario, got, a.Message, c.want)
		}
	}
}

// TestHostileScripts: a script that takes all memory ends its own process
// alone, and what was asked beside it is answered.
func TestHostileScripts(t *testing.T) {
	answers := ask(t, "snapshot", Options{Profile: reject.RFC0016, CaseLimit: 20 * time.Second},
		valueQuestion(result.OpJS, `{"expr":"1"}`),
		valueQuestion(result.OpJS, `{"expr":"new Array(2**32-1).sort()"}`),
		valueQuestion(result.OpJS, `{"expr":"\"x\".repeat(8e9)"}`),
		valueQuestion(result.OpJS, `{"expr":"2"}`),
	)
	if answers[0].Kind != result.OK || answers[3].Kind != result.OK {
		t.Errorf("beside hostile scripts: %+v, %+v", answers[0], answers[3])
	}
	for i, a := range answers[1:3] {
		if a.Kind != result.Crashed && a.Kind != result.Hung {
			t.Errorf("script %d: %+v", i+1, a)
		}
	}
}

// TestServeIsolatesScripts: engine snapshot answers the line protocol, and a
// script that ends its process does not end the conversation.
func TestServeIsolatesScripts(t *testing.T) {
	p, err := Lookup("snapshot")
	if err != nil {
		t.Fatal(err)
	}
	line := func(id int, op, payload string) string {
		return fmt.Sprintf("%d %s %s\n", id, op, hex.EncodeToString([]byte(payload)))
	}
	in := "hello 1 profile=rfc0016\n" +
		line(1, "js", `{"setup":"globalThis.left=1","expr":"left"}`) +
		line(2, "js", `{"expr":"typeof left"}`) +
		line(3, "js", `{"expr":"new Array(2**32-1).sort()"}`) +
		line(4, "js", `{"expr":"-0"}`) +
		line(5, "canon", `{"b":1,"a":2}`) + "bye\n"
	var out strings.Builder
	if err := p.Serve(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{
		"ops=canon,verify,num,graph,js,hash,lifecycle ", " window=256 maxline=536870976 ", "1 ok 31\n", "2 ok " + hex.EncodeToString([]byte(`"undefined"`)) + "\n",
		"3 error ", "4 reject negative_zero", "5 ok " + hex.EncodeToString([]byte(`{"a":2,"b":1}`)) + "\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}
