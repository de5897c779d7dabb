// Package python tests the adapter of the README.
package python

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/process"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

func TestNaiveSpeaksTheLineProtocol(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		if os.Getenv("TOUCHSTONE_CI") == "1" {
			t.Fatal(err)
		}
		t.Skip("python3 is not installed")
	}
	ctx := context.Background()
	naive, err := process.OpenWire(ctx, []string{"python3", "naive.py"}, process.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer naive.Close()
	cases := []struct {
		input string
		want  result.AnswerKind
		bytes string
	}{
		{`{"b":[1, 2],"a":"\u20ac"}`, result.OK, `{"a":"€","b":[1,2]}`},
		{`1.0`, result.OK, `1.0`}, // wrong: RFC 8785 gives 1
		{`[1`, result.Rejected, ``},
		{``, result.Rejected, ``},
	}
	var questions []result.Question
	for _, c := range cases {
		questions = append(questions, result.Question{Op: result.OpCanon, Input: []byte(c.input)})
	}
	for i, answer := range naive.Ask(ctx, questions) {
		if c := cases[i]; answer.Kind != c.want || string(answer.Bytes) != c.bytes {
			t.Errorf("%q: %s %q %s", c.input, answer.Kind, answer.Bytes, answer.Message)
		}
	}
	if name := naive.Info().Name; name != "naive" {
		t.Errorf("it is called %q", name)
	}
}
