package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"html"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/explain"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// post sends a document and gives the answer.
func post(s http.Handler, target, document string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", target, strings.NewReader(document))
	r.Header.Set("Content-Type", "application/octet-stream")
	return record(s, r)
}

func record(s http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func get(s http.Handler, target string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
	return w
}

// readProblem reads problem details, and holds them to what they promise.
func readProblem(t *testing.T, w *httptest.ResponseRecorder) problem {
	t.Helper()
	var p problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatalf("%v: %.200s", err, w.Body)
	}
	if w.Header().Get("Content-Type") != "application/problem+json" || p.Status != w.Code || p.Title == "" || p.Detail == "" || !strings.HasPrefix(p.Type, problemBase) {
		t.Errorf("not problem details: %s %s", w.Header().Get("Content-Type"), w.Body)
	}
	return p
}

func (p problem) kind() string { return strings.TrimPrefix(p.Type, problemBase) }

// TestEveryVectorIsAnswered: the form of what is accepted, a refusal with reason,
// place and clause of what is not, and of a choice the library's side.
func TestEveryVectorIsAnswered(t *testing.T) {
	s := New(Options{MaxBody: MaxBodyMost})
	for _, v := range vectors.All() {
		if v.Op != vectors.OpCanon {
			continue
		}
		for p, want := range v.Expect {
			w := post(s, "/v1/canonicalize?profile="+p.String(), string(v.Input))
			switch w.Code {
			case http.StatusOK:
				var a canonicalized
				if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
					t.Fatal(err)
				}
				if !want.Right([]byte(a.Canonical)) || a.Size != len(a.Canonical) || a.Verdict != want.Verdict {
					t.Errorf("%s under %s: %s", v.ID, p, w.Body)
				}
			case http.StatusUnprocessableEntity:
				a := readProblem(t, w)
				if want.Verdict == vectors.Accept || a.kind() != "refused" || a.Clause == nil || a.Profile != p.String() || len(a.Faults) == 0 {
					t.Errorf("%s under %s: %s", v.ID, p, w.Body)
				}
				if want.Offset >= 0 && want.Verdict == vectors.Reject && len(want.Reasons) == 1 && a.Offset != want.Offset {
					t.Errorf("%s under %s: at %d, want %d", v.ID, p, a.Offset, want.Offset)
				}
			default:
				t.Errorf("%s under %s: status %d: %s", v.ID, p, w.Code, w.Body)
			}
		}
		form := v.Outputs()
		if want := len(form) > 0 && string(form[0]) == string(v.Input); want && v.Expect[reject.RFC8785].Verdict == vectors.Accept {
			var a verified
			if err := json.Unmarshal(post(s, "/v1/verify", string(v.Input)).Body.Bytes(), &a); err != nil || !a.Canonical || a.Differ != nil {
				t.Errorf("%s is canonical, and not verified: %+v", v.ID, a)
			}
		}
		if v.Proposal != "" {
			w := post(s, "/v1/snapshot?agent=Support+Agent&tool=search_docs", string(v.Input))
			if w.Code == http.StatusOK && !strings.Contains(w.Body.String(), v.Proposal) {
				t.Errorf("%s: another proposal hash: %s", v.ID, w.Body)
			}
		}
	}
}

// TestExplanationsAreThoseOfTheCommand: the API sends what oracle/explain says.
func TestExplanationsAreThoseOfTheCommand(t *testing.T) {
	s := New(Options{})
	for _, document := range []string{`{"b":1,"a":-0}`, `{"a":1,"a":2}`, "[\"\xff\"]", ``} {
		want, _ := json.Marshal(explain.Document([]byte(document)))
		if got := post(s, "/v1/explain?peers=off", document).Body.String(); got != string(want)+"\n" {
			t.Errorf("%q: %s", document, got)
		}
	}
}

// TestNothingOfTheDocumentStandsInAProblem: no name, no value, in no header.
func TestNothingOfTheDocumentStandsInAProblem(t *testing.T) {
	s := New(Options{MaxBody: 100})
	const secret = "s3cr3tW0rd"
	for _, document := range []string{
		`{"` + secret + `":1,"` + secret + `":2}`, `{"` + secret + `":{"` + secret + `":[1e999]}}`, `["` + secret + `\ud800"]`,
		secret, `{"a":"` + secret, "[\"" + secret + "\xff\"]", strings.Repeat(secret, 20),
	} {
		for _, path := range []string{"/v1/canonicalize", "/v1/snapshot", "/v1/snapshot?agent=a&tool=b", "/v1/canonicalize?profile=" + secret, "/v1/verify?" + secret, "/v1/verify?" + secret + "=1&" + secret + "=2"} {
			w := post(s, path, document)
			if w.Code == http.StatusOK || strings.Contains(w.Body.String(), secret) {
				t.Errorf("%s of %q: status %d: %s", path, document, w.Code, w.Body)
			}
			for name, values := range w.Header() {
				if strings.Contains(strings.Join(values, " "), secret) {
					t.Errorf("%s of %q: %s: %s", path, document, name, values)
				}
			}
		}
	}
}

// TestWrongRequestsAreProblems, each of its kind.
func TestWrongRequestsAreProblems(t *testing.T) {
	s := New(Options{MaxBody: 20, Hosts: []string{"localhost", "127.0.0.1", "::1"}})
	request := func(method, target, kind, body string, edit func(*http.Request)) func() *http.Request {
		return func() *http.Request {
			r := httptest.NewRequest(method, "http://localhost:8785"+target, strings.NewReader(body))
			r.Header.Set("Content-Type", kind)
			if edit != nil {
				edit(r)
			}
			return r
		}
	}
	const raw, api = "application/octet-stream", "/v1/canonicalize"
	origin := func(o string) func(*http.Request) { return func(r *http.Request) { r.Header.Set("Origin", o) } }
	host := func(h string) func(*http.Request) { return func(r *http.Request) { r.Host = h } }
	for _, c := range []struct {
		kind    string
		status  int
		request func() *http.Request
	}{
		{"not-found", 404, request("POST", "/v1/nothing", raw, "{}", nil)},
		{"not-found", 404, request("GET", "/../etc/passwd", raw, "", nil)},
		{"method", 405, request("GET", api, raw, "", nil)},
		{"method", 405, request("DELETE", "/", raw, "", nil)},
		{"method", 405, request("POST", "/metrics", raw, "", nil)},
		{"media-type", 415, request("POST", api, "text/plain", "{}", nil)},
		{"media-type", 415, request("POST", api, "", "{}", nil)},
		{"media-type", 415, request("POST", "/", raw, "{}", nil)},
		{"media-type", 415, request("POST", api, raw, "{}", func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") })},
		{"too-large", 413, request("POST", api, raw, strings.Repeat(" ", 21), nil)},
		{"too-large", 413, request("POST", api, raw, strings.Repeat(" ", 21), func(r *http.Request) { r.ContentLength = -1 })},
		{"cut-short", 400, request("POST", api, raw, "{}", func(r *http.Request) { r.ContentLength = 5 })},
		{"cut-short", 400, request("POST", "/", "multipart/form-data; boundary=x", "{}", nil)},
		{"parameter", 400, request("POST", api+"?profile=ijson&profile=ijson", raw, "{}", nil)},
		{"parameter", 400, request("POST", api+"?peers=on", raw, "{}", nil)},
		{"parameter", 400, request("POST", api+"?profile=%zz", raw, "{}", nil)},
		{"parameter", 400, request("POST", "/v1/explain?peers=perhaps", raw, "{}", nil)},
		{"parameter", 400, request("POST", "/v1/snapshot?agent=a", raw, "{}", nil)},
		{"parameter", 400, request("POST", "/v1/snapshot?agent=%ff&tool=b", raw, "{}", nil)},
		{"parameter", 400, request("POST", "/v1/snapshot?tool=b&agent="+strings.Repeat("a", 201), raw, "{}", nil)},
		{"parameter", 400, request("GET", "/?example=nothing", "", "", nil)},
		{"wrong-host", 421, request("GET", "/", "", "", host("rebound.example:8785"))},
		{"wrong-host", 421, request("POST", api, raw, "{}", host("127.0.0.1.example"))},
		{"wrong-host", 421, request("GET", "/", "", "", host(""))},
		{"other-origin", 403, request("POST", api, raw, "{}", origin("https://elsewhere.example"))},
		{"other-origin", 403, request("POST", api, raw, "{}", origin("null"))},
		{"other-origin", 403, request("POST", "/", raw, "{}", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") })},
	} {
		r := c.request()
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if p := readProblem(t, w); p.kind() != c.kind || w.Code != c.status {
			t.Errorf("%s %s: %s, status %d, want %s", r.Method, r.URL, p.kind(), w.Code, c.kind)
		}
		if c.kind == "method" && w.Header().Get("Allow") == "" {
			t.Errorf("%s %s: no Allow", r.Method, r.URL)
		}
	}
	for _, right := range []func() *http.Request{
		request("POST", api, raw, "{}", nil), request("POST", api, "application/json; charset=utf-8", "{}", nil),
		request("POST", api, raw, "{}", origin("http://localhost:8785")), request("HEAD", "/", "", "", nil),
		request("GET", "/", "", "", host("[::1]:9000")), request("GET", "/", "", "", host("LocalHost.")), request("GET", "/", "", "", host("127.0.0.1")),
	} {
		w := httptest.NewRecorder()
		r := right()
		if s.ServeHTTP(w, r); w.Code != http.StatusOK {
			t.Errorf("%s %s of %s: status %d: %s", r.Method, r.URL, r.Host, w.Code, w.Body)
		}
	}
}

// TestEveryAnswerIsGuarded: the headers that keep pages and answers to
// themselves stand in answers of every kind.
func TestEveryAnswerIsGuarded(t *testing.T) {
	s := New(Options{})
	for _, w := range []*httptest.ResponseRecorder{
		get(s, "/"), get(s, "/page.js"), get(s, "/style.css"), get(s, "/icon.svg"), get(s, "/backend.js"), get(s, "/nothing"), get(s, "/healthz"),
		get(s, "/metrics"), get(s, "/v1/openapi.json"), post(s, "/v1/canonicalize", "{}"), post(s, "/v1/canonicalize", "{"), post(s, "/results", "{}"),
	} {
		for name, value := range headers {
			if w.Header().Get(name) != value {
				t.Errorf("%s: %q", name, w.Header().Get(name))
			}
		}
		if w.Header().Get("Content-Type") == "" {
			t.Error("no Content-Type")
		}
	}
	if strings.Contains(policy, "unsafe") || !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "frame-ancestors 'none'") {
		t.Errorf("the policy is %s", policy)
	}
}

// TestDisagreementIsNoAnswer: what the library says, and the reference does not,
// is not sent.
func TestDisagreementIsNoAnswer(t *testing.T) {
	s := New(Options{})
	canonicalize, decode := s.engines.canonicalize, s.engines.decode
	for name, wrong := range map[string]func(reject.Profile, []byte) ([]byte, error){
		"other bytes":  func(reject.Profile, []byte) ([]byte, error) { return []byte(`{"a":2}`), nil },
		"a refusal":    func(reject.Profile, []byte) ([]byte, error) { return nil, &reject.Error{Reason: reject.Syntax} },
		"no reason":    func(reject.Profile, []byte) ([]byte, error) { return nil, errors.New("no") },
		"an empty one": func(reject.Profile, []byte) ([]byte, error) { return nil, nil },
	} {
		s.engines.canonicalize = wrong
		for _, path := range []string{"/v1/canonicalize", "/v1/verify"} {
			if w := post(s, path, `{"a":1}`); readProblem(t, w).kind() != "disagreement" || w.Code != 500 {
				t.Errorf("%s, %s: %s", path, name, w.Body)
			}
		}
	}
	s.engines.canonicalize = func(p reject.Profile, src []byte) ([]byte, error) { return canonicalize(p, []byte(`{}`)) }
	if w := post(s, "/v1/canonicalize", `{"a":1,"a":1}`); readProblem(t, w).kind() != "disagreement" {
		t.Errorf("accepted: %s", w.Body)
	}
	s.engines.decode = decode
	s.engines.hash = nil // a panic
	if w := post(s, "/v1/snapshot?agent=a&tool=b", `{}`); readProblem(t, w).kind() != "internal" || w.Code != 500 {
		t.Errorf("a panic: %s", w.Body)
	}
	// A limit of the library's own is no disagreement.
	s.engines.canonicalize = func(_ reject.Profile, src []byte) ([]byte, error) {
		return nil, reject.At("canon", src, 0, reject.LimitSize, "rfc8259/9/limits")
	}
	if w := post(s, "/v1/canonicalize", `{"a":1}`); readProblem(t, w).kind() != "refused" || w.Code != 422 {
		t.Errorf("a limit: %s", w.Body)
	}
	if w := post(s, "/v1/verify", `{"a":1}`); w.Code != 200 || !strings.Contains(w.Body.String(), "limit_size") {
		t.Errorf("a limit: %s", w.Body)
	}
}

// TestMetricsAreReadByPrometheus: its own reader takes the text, and the counts
// are those of what was asked.
func TestMetricsAreReadByPrometheus(t *testing.T) {
	s := New(Options{Version: "v1 \"\\\n"})
	for range 3 {
		post(s, "/v1/canonicalize", "{}")
	}
	post(s, "/v1/canonicalize", "{")
	get(s, "/nothing%22%0A")
	w := get(s, "/metrics")
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]float64{}
	for _, m := range families["touchstone_requests_total"].GetMetric() {
		counts[m.GetLabel()[0].GetValue()+" "+m.GetLabel()[1].GetValue()] = m.GetCounter().GetValue()
	}
	if len(counts) != 3 || counts["/v1/canonicalize 200"] != 3 || counts["/v1/canonicalize 422"] != 1 || counts["other 404"] != 1 {
		t.Errorf("requests: %v", counts)
	}
	if h := families["touchstone_request_seconds"].GetMetric()[0].GetHistogram(); h.GetSampleCount() != 5 || len(h.GetBucket()) != len(buckets)+1 {
		t.Errorf("durations: %v", h)
	}
	if m := families["touchstone_requests_open"].GetMetric()[0]; m.GetGauge().GetValue() != 1 {
		t.Errorf("open: %v, of which one asks this", m)
	}
	for name, family := range families {
		if family.GetHelp() == "" || !strings.HasPrefix(name, "touchstone_") {
			t.Errorf("%s has no help, or another's name", name)
		}
	}
}

// submit sends the page's form as a browser without scripts does.
func submit(s http.Handler, fields map[string]string, file []byte) *httptest.ResponseRecorder {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range fields {
		form.WriteField(name, value)
	}
	part, _ := form.CreateFormFile("file", map[bool]string{true: "document.json"}[file != nil])
	part.Write(file)
	form.Close()
	r := httptest.NewRequest("POST", "/", &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// TestThePageIsAForm: without scripts it explains text, hexadecimal digits and
// files, and shows in the box what was asked.
func TestThePageIsAForm(t *testing.T) {
	s := New(Options{})
	for name, c := range map[string]struct {
		fields map[string]string
		file   []byte
		want   []string
	}{
		"text":        {map[string]string{"document": "{\"a\":1,\r\n\"a\":2}"}, nil, []string{"duplicate_name", "offset 8, line 2, column 1", "\n{&#34;a&#34;:1,\n&#34;a&#34;:2}</textarea>"}},
		"hexadecimal": {map[string]string{"document": "5b22 63ff\r\n225d", "encoding": "hex"}, nil, []string{"invalid_utf8", "offset 3", "\n5b2263ff225d</textarea>", `value="hex" checked`}},
		"a file":      {map[string]string{"document": "ignored"}, []byte("[1e2]"), []string{"[100]", "✓"}},
		"arguments":   {map[string]string{"document": "{}", "agent": "Support Agent", "tool": "search_docs"}, nil, []string{"539d41aaf70845fa1c78b75080b676afc88cf0f9e1eaf1834b85da38016ef502"}},
		"half a call": {map[string]string{"document": "{}", "agent": "Support Agent"}, nil, []string{"✓", `value="Support Agent"`}},
		"markup":      {map[string]string{"document": `["</textarea><script>alert(1)</script>"]`}, nil, []string{"&lt;script&gt;"}},
		"controls":    {map[string]string{"document": "[\"\x1b[2J\u202e\"]"}, nil, []string{"‹U+001B›", "‹U+202E›", `value="hex" checked`}},
	} {
		w := submit(s, c.fields, c.file)
		if w.Code != http.StatusOK {
			t.Errorf("%s: status %d: %s", name, w.Code, w.Body)
		}
		for _, want := range c.want {
			if !strings.Contains(w.Body.String(), want) && !strings.Contains(html.UnescapeString(w.Body.String()), want) {
				t.Errorf("%s: no %q", name, want)
			}
		}
		if strings.Contains(w.Body.String(), "<script>") || strings.Contains(w.Body.String(), "\x1b") {
			t.Errorf("%s: markup or controls of the document reach the page", name)
		}
	}
	if w := submit(s, map[string]string{"document": "xy", "encoding": "hex"}, nil); w.Code != 400 || !strings.Contains(w.Body.String(), "not pairs of hexadecimal digits") {
		t.Errorf("faulty digits: status %d", w.Code)
	}
	r := httptest.NewRequest("POST", "/", strings.NewReader(url.Values{"document": {"[1.0]"}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	if s.ServeHTTP(w, r); w.Code != 200 || !strings.Contains(w.Body.String(), "[1]") {
		t.Errorf("a plain form: status %d", w.Code)
	}
}

// TestEveryExampleIsShown, and each shows another side of the oracle.
func TestEveryExampleIsShown(t *testing.T) {
	s := New(Options{})
	seen := map[string]bool{}
	for _, link := range strings.Split(get(s, "/").Body.String(), `<a href="?example=`)[1:] {
		name, _, _ := strings.Cut(link, `"`)
		w := get(s, "/?example="+name)
		_, summary, _ := strings.Cut(w.Body.String(), `data-summary="`)
		summary, _, _ = strings.Cut(summary, `"`)
		if w.Code != 200 || summary == "" {
			t.Errorf("%s: status %d, %q", name, w.Code, summary)
		}
		seen[summary] = true
	}
	if len(seen) < 3 {
		t.Errorf("the examples come to %v", seen)
	}
}

// TestResultsAreThePagesOwn: what the script fetches is what the form shows.
func TestResultsAreThePagesOwn(t *testing.T) {
	s := New(Options{})
	results := post(s, "/results", `{"b":1e400}`).Body.String()
	whole := submit(s, map[string]string{"document": `{"b":1e400}`}, nil).Body.String()
	if results == "" || !strings.Contains(whole, results) {
		t.Error("the page and its script show different results")
	}
}

// TestKindsOfProblemsAreDocumented: each type is an address in docs/server.md.
func TestKindsOfProblemsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/server.md")
	if err != nil {
		t.Fatal(err)
	}
	for kind := range kinds {
		if !strings.Contains(string(text), `<a id="`+kind+`"></a>`+"`"+kind+"`") {
			t.Errorf("docs/server.md does not explain %s", kind)
		}
	}
	if n := strings.Count(string(text), "<a id="); n != len(kinds) {
		t.Errorf("docs/server.md explains %d problems, there are %d", n, len(kinds))
	}
}
