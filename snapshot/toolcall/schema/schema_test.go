package schema_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/snapshot"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall/schema"
)

const transfer = `{
  "type": "object",
  "properties": {
    "to": {"type": "string", "pattern": "^[a-z]+$"},
    "amount": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 1},
    "from": {"$ref": "#/$defs/account"}
  },
  "required": ["to"],
  "additionalProperties": false,
  "$defs": {"account": {"enum": ["main", "savings"]}}
}`

func TestParse(t *testing.T) {
	s := schema.MustCompile(transfer)
	for _, test := range []struct{ arguments, keyword string }{
		{`{"to":"alice","amount":1e2,"from":"main"}`, ""},
		{`{"to":"alice"}`, ""},
		{`{"to":"Hunter2"}`, "#/properties/to/pattern"},
		{`{"to":"alice","amount":1001}`, "#/properties/amount/maximum"},
		{`{"to":"alice","amount":1.5}`, "#/properties/amount/type"},
		{`{"amount":1}`, "#/required"},
		{`{"to":"alice","TO":"mallory"}`, "#/additionalProperties"},
		{`{"to":"alice","from":"hunter2"}`, "#/$defs/account/enum"},
		{`[]`, "#/type"},
		{`null`, "#/type"},
	} {
		arguments, err := snapshot.Decode([]byte(test.arguments))
		if err != nil {
			t.Fatal(err)
		}
		out, err := s.Parse(context.Background(), arguments.View())
		if test.keyword == "" {
			if got, _ := snapshot.Of(out); err != nil || got != arguments {
				t.Errorf("%s: %v, %v", test.arguments, out, err)
			}
			continue
		}
		var violation *schema.Violation
		if !errors.As(err, &violation) || violation.Keyword != test.keyword || violation.Cause() == nil {
			t.Errorf("%s: %v, want %s", test.arguments, err, test.keyword)
		}
	}
}

// What a schema says of the arguments is shown by the keyword alone.
func TestViolationShowsNoPayload(t *testing.T) {
	runtime, err := toolcall.New(toolcall.Config{
		Tools: []toolcall.Tool{{Name: "pay", Schema: schema.MustCompile(transfer),
			Handler: toolcall.HandlerFunc(func(context.Context, toolcall.Execution) (any, error) { return nil, nil })}},
		Policy: toolcall.PolicyFunc(func(context.Context, toolcall.PolicyInput) (toolcall.Decision, error) {
			return toolcall.Decision{Verdict: toolcall.Allow}, nil
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, arguments := range []string{`{"to":"Hunter2"}`, `{"to":"alice","hunter2":1}`, `{"to":"alice","from":"hunter2"}`} {
		out := runtime.Run(t.Context(), toolcall.Call{Tool: "pay", Arguments: []byte(arguments), InvocationID: "i", ProviderCallID: "c"})
		if out.Stage != toolcall.StageSchema || !strings.Contains(out.Err.Error(), "the schema at #/") ||
			strings.Contains(strings.ToLower(out.Err.Error()), "hunter2") {
			t.Errorf("%v", out.Err)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "other.json")
	if err := os.WriteFile(file, []byte(`true`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`{`, `{"type":1}`, `{"$ref":"file://` + file + `"}`, `{"$ref":"https://example.com/s"}`, `{"pattern":"("}`, ``} {
		if _, err := schema.Compile([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), "schema: ") {
			t.Errorf("%s: %v", text, err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("MustCompile takes what is no schema")
		}
	}()
	schema.MustCompile(`{`)
}
