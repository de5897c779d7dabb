// Package page is the page on which the oracle explains one document. The server
// and the playground, which has no server, show the same page: they differ in
// backend.js alone, the script that carries a document to the oracle.
//
// Whatever a document or an implementation said is made printable by
// reports.Escape and then escaped by html/template. The page has no script and
// no style of its own but in files, so that its policy can forbid both elsewhere.
package page

import (
	"bytes"
	"embed"
	"encoding/hex"
	"html/template"
	"io"
	"io/fs"
	"strconv"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/oracle/explain"
)

//go:embed files
var embedded embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{"count": count}).ParseFS(embedded, "files/*.html"))

// count writes a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// Assets are what every copy of the page loads beside backend.js: style.css,
// page.js, icon.svg.
func Assets() map[string][]byte {
	all := map[string][]byte{}
	for _, name := range []string{"style.css", "page.js", "icon.svg"} {
		all[name] = mustRead(name)
	}
	return all
}

// ServerBackend is backend.js for the server.
func ServerBackend() []byte { return mustRead("backend.js") }

func mustRead(name string) []byte {
	b, err := fs.ReadFile(embedded, "files/"+name)
	if err != nil {
		panic(err) // embedded
	}
	return b
}

// A Form is what stands in the page's form.
type Form struct {
	Document []byte
	Profile  string // by which implementations are judged
	Agent    string
	Tool     string
	// Static is set where there is no server: the page then says that it needs
	// scripts.
	Static bool
	// Policy is a Content-Security-Policy for a page that comes without headers.
	Policy string
	// Problem is told instead of an explanation; printable.
	Problem string
}

// Write writes the whole page; e is nil if there is nothing to explain yet.
func Write(w io.Writer, f Form, e *explain.Explanation) error {
	data := pageData{Form: f, Examples: Examples(), Profiles: profiles(f.Profile)}
	if safeInTextArea(f.Document) {
		data.Text = string(f.Document)
	} else {
		data.Hex, data.Text = true, hex.EncodeToString(f.Document)
	}
	if e != nil {
		told := newTold(e)
		data.Told = &told
	}
	return templates.ExecuteTemplate(w, "page.html", data)
}

// WriteResults writes the part of the page that explains a document.
func WriteResults(w io.Writer, e *explain.Explanation) error {
	return templates.ExecuteTemplate(w, "results.html", newTold(e))
}

type pageData struct {
	Form
	Text     string
	Hex      bool
	Examples []Example
	Profiles []choice
	Told     *told
}

// safeInTextArea reports whether a text comes back from an HTML text area as it
// was: it is UTF-8, and without controls but tabs and line feeds.
func safeInTextArea(text []byte) bool {
	return utf8.Valid(text) && bytes.IndexFunc(text, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' || r == 0x7F || r == 0xFEFF
	}) < 0
}

// An Example is a document worth a look.
type Example struct {
	Name, Title string
	Document    string
}

// Hex gives the document for the page's script.
func (e Example) Hex() string { return hex.EncodeToString([]byte(e.Document)) }

// Examples lists documents worth a look.
func Examples() []Example {
	return []Example{
		{"sorting", "names beyond U+FFFF", "{\"\ufb33\":1,\"\U0001F600\":2,\"\u20ac\":3,\"1\":4}"},
		{"numbers", "numbers", "[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001, -0]"},
		{"duplicate", "a duplicate name", `{"amount": 1, "\u0061mount": 1000000}`},
		{"surrogate", "a lone surrogate", `{"name": "\ud83d", "n": 1}`},
		{"overflow", "1e400", `[1e400, 9007199254740993, 5e-324]`},
		{"utf8", "faulty UTF-8", "[\"caf\xe9\"]"},
		{"arguments", "a tool call", `{"query": "refund policy", "limit": 10, "exact": true}`},
	}
}

// LookupExample finds an example by its name.
func LookupExample(name string) (Example, bool) {
	for _, e := range Examples() {
		if e.Name == name {
			return e, true
		}
	}
	return Example{}, false
}
