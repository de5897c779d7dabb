package server

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
)

// description reads openapi.json with somebody else's reader.
func description(t *testing.T) *openapi3.T {
	t.Helper()
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(openAPI)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(loader.Context); err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestOpenAPIDescribesEveryRoute: what the API serves is described, and nothing
// else is.
func TestOpenAPIDescribesEveryRoute(t *testing.T) {
	doc := description(t)
	if doc.OpenAPI != "3.1.0" {
		t.Errorf("it is OpenAPI %s", doc.OpenAPI)
	}
	ofThePage := []string{"/", "/results", "/style.css", "/page.js", "/backend.js", "/icon.svg"}
	var served []string
	for path, methods := range New(Options{}).table() {
		for method := range methods {
			if !slices.Contains(ofThePage, path) {
				served = append(served, method+" "+path)
			}
		}
	}
	var described []string
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			described = append(described, method+" "+path)
		}
	}
	slices.Sort(served)
	slices.Sort(described)
	if !slices.Equal(served, described) {
		t.Errorf("served %v, described %v", served, described)
	}
}

// An exampleRequest is an example of a request body, with the parameters of the
// same name.
type exampleRequest struct {
	path, name, document string
	query                url.Values
	operation            *openapi3.Operation
}

func exampleRequests(t *testing.T, doc *openapi3.T) []exampleRequest {
	t.Helper()
	var all []exampleRequest
	for path, item := range doc.Paths.Map() {
		if item.Post == nil {
			continue
		}
		for name, example := range item.Post.RequestBody.Value.Content["application/octet-stream"].Examples {
			e := exampleRequest{path, name, example.Value.Value.(string), url.Values{}, item.Post}
			for _, p := range item.Post.Parameters {
				if value, ok := p.Value.Examples[name]; ok {
					e.query.Set(p.Value.Name, value.Value.Value.(string))
				}
			}
			if further, ok := example.Value.Extensions["x-query"]; ok {
				values, err := url.ParseQuery(further.(string))
				if err != nil {
					t.Fatal(err)
				}
				maps.Copy(e.query, values)
			}
			all = append(all, e)
		}
	}
	if len(all) < 10 {
		t.Fatalf("only %d examples", len(all))
	}
	return all
}

// answer gives the described answer of the same name, and its status.
func (e exampleRequest) answer() (status string, value any) {
	for status, response := range e.operation.Responses.Map() {
		for _, content := range response.Value.Content {
			if example, ok := content.Examples[e.name]; ok {
				return status, example.Value.Value
			}
		}
	}
	return "", nil
}

// TestOpenAPIExamplesAreAnswered: each example of a request gets the answer that
// stands under the same name, and request and answer keep to their schemas.
func TestOpenAPIExamplesAreAnswered(t *testing.T) {
	doc := description(t)
	doc.Servers = nil // wherever it is served
	router, err := legacy.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{})
	replayed := map[string]bool{}
	for _, e := range exampleRequests(t, doc) {
		t.Run(e.path[1:]+"/"+e.name, func(t *testing.T) {
			r := httptest.NewRequest("POST", e.path+"?"+e.query.Encode(), strings.NewReader(e.document))
			r.Header.Set("Content-Type", "application/octet-stream")
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			status, want := e.answer()
			var got any
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			expected, _ := json.Marshal(want)
			given, _ := json.Marshal(got)
			if http.StatusText(w.Code) == "" || status != jsonStatus(w.Code) || !bytes.Equal(expected, given) {
				t.Fatalf("status %d, described %s\ngot  %s\nwant %s", w.Code, status, given, expected)
			}
			replayed[e.path+e.name] = true
			validate(t, router, r, w, w.Code != http.StatusBadRequest)
		})
	}
	// No answer without a request.
	answers := 0
	for _, item := range doc.Paths.Map() {
		if item.Post == nil {
			continue
		}
		for _, response := range item.Post.Responses.Map() {
			for _, content := range response.Value.Content {
				answers += len(content.Examples)
			}
		}
	}
	if answers != len(replayed) {
		t.Errorf("%d answers are described, %d requests were replayed", answers, len(replayed))
	}
}

func jsonStatus(status int) string { b, _ := json.Marshal(status); return string(b) }

// validate holds a request, if it is to be right, and its answer against the
// description.
func validate(t *testing.T, router routers.Router, r *http.Request, w *httptest.ResponseRecorder, right bool) {
	t.Helper()
	route, parameters, err := router.FindRoute(r)
	if err != nil {
		t.Fatal(err)
	}
	asked := &openapi3filter.RequestValidationInput{
		Request: r, PathParams: parameters, Route: route,
		Options: &openapi3filter.Options{ExcludeRequestBody: true, IncludeResponseStatus: true}, // the body is any bytes
	}
	if err := openapi3filter.ValidateRequest(t.Context(), asked); right && err != nil {
		t.Errorf("request: %v", err)
	}
	answered := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: asked, Status: w.Code, Header: w.Header(), Options: asked.Options,
		Body: io.NopCloser(bytes.NewReader(w.Body.Bytes())),
	}
	if err := openapi3filter.ValidateResponse(t.Context(), answered); err != nil {
		t.Errorf("answer: %v", err)
	}
}
