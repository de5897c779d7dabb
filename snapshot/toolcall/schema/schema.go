// Package schema makes tool schemas of JSON Schemas (drafts 4 to 2020-12, by
// github.com/santhosh-tekuri/jsonschema). Arguments that a schema accepts pass
// through unchanged: defaults are not filled in.
package schema

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/touchstone-oracle/touchstone/snapshot/toolcall"
)

// location names a schema within its compiler; nothing is loaded from it.
const location = "tool:schema"

// Compile makes a tool schema of the text of a JSON Schema. The schema is
// whole: a reference to another document, in a file or on the net, is refused.
// The result is safe for concurrent use.
func Compile(text []byte) (toolcall.Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("schema: the text is not JSON: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(nowhere{})
	if err := compiler.AddResource(location, document); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	compiled, err := compiler.Compile(location)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return validator{compiled}, nil
}

// MustCompile is Compile for schemas that are part of the program: it panics.
func MustCompile(text string) toolcall.Schema {
	s, err := Compile([]byte(text))
	if err != nil {
		panic(err)
	}
	return s
}

type nowhere struct{}

func (nowhere) Load(url string) (any, error) {
	return nil, errors.New("a tool's schema refers to no other document")
}

type validator struct{ schema *jsonschema.Schema }

// Parse gives the arguments themselves if the schema accepts them, and else a
// *Violation.
func (v validator) Parse(_ context.Context, requested any) (any, error) {
	err := v.schema.Validate(requested)
	if err == nil {
		return requested, nil
	}
	violation := &Violation{cause: err}
	var detail *jsonschema.ValidationError
	if errors.As(err, &detail) {
		for len(detail.Causes) > 0 {
			detail = detail.Causes[0]
		}
		_, place, _ := strings.Cut(detail.SchemaURL, "#")
		violation.Keyword = strings.Join(append([]string{"#" + place}, detail.ErrorKind.KeywordPath()...), "/")
	}
	return nil, violation
}

// A Violation says which keyword of the schema refuses the arguments. It shows
// nothing of the arguments, only of the schema.
type Violation struct {
	Keyword string // a JSON Pointer into the schema, such as "#/properties/n/minimum"
	cause   error
}

// Error names the keyword.
func (v *Violation) Error() string {
	return "schema: the arguments do not meet the schema at " + v.Keyword
}

// Disclose gives the same text as Error: it holds no payload.
func (v *Violation) Disclose() string { return v.Error() }

// Cause gives the validator's own error, which quotes the arguments.
func (v *Violation) Cause() error { return v.cause }
