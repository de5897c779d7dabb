package reports

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// need skips a test whose reader is missing, by its name; where everything must
// be there it fails.
func need(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		if os.Getenv("TOUCHSTONE_CI") == "1" {
			t.Fatalf("%s is missing", program)
		}
		t.Skipf("%s is missing", program)
	}
	return path
}

// TestReadWhatIsWritten: a results file gives its run back.
func TestReadWhatIsWritten(t *testing.T) {
	run := hostileRun()
	out := render(t, "jsonl", run)
	got, err := Read(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	// Strings that are not UTF-8 come back with U+FFFD: JSON cannot hold them.
	again, err := Read(bytes.NewReader(render(t, "jsonl", got)))
	if err != nil || !reflect.DeepEqual(got, again) || len(got.Findings) != len(run.Findings) || len(got.Vectors) != len(run.Vectors) {
		t.Errorf("not the same run: %v", err)
	}
	if !reflect.DeepEqual(got.Findings[0].Input, run.Findings[0].Input) {
		t.Error("an input is not the same")
	}
	for line := range bytes.Lines(out) {
		if !json.Valid(line) {
			t.Fatalf("not JSON: %.100q", line)
		}
	}
}

func TestReadFaulty(t *testing.T) {
	const header, footer = `{"header":{"format":1}}`, `{"footer":{"scores":null}}`
	for _, c := range []struct{ name, text, says string }{
		{"empty", "", "empty"},
		{"no header", footer, "header"},
		{"two headers", header + "\n" + header, "header"},
		{"another format", `{"header":{"format":2}}`, "format 2"},
		{"unknown field", `{"header":{"format":1,"colour":"red"}}`, "unknown field"},
		{"behind the footer", header + "\n" + footer + "\n" + footer, "behind the footer"},
		{"empty record", header + "\n{}", "empty record"},
		{"two on a line", header + header, "more than one"},
		{"garbage", "\x00\xff", "line 1"},
		{"a long line", strings.Repeat(" ", maxRecord+1), "line 1"},
		{"no such outcome", header + "\n" + `{"finding":{"outcome":"fine","effect":"split"}}`, "outcome"},
		{"no such effect", header + "\n" + `{"finding":{"outcome":"crash","effect":"doom"}}`, "effect"},
		{"not hex", header + "\n" + `{"finding":{"input":"zz"}}`, "not hex"},
	} {
		if _, err := Read(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one about %q", c.name, err, c.says)
		}
	}
	run, err := Read(strings.NewReader(header))
	if !errors.Is(err, ErrCut) || run == nil {
		t.Errorf("without a footer: %v, %v", run, err)
	}
}

func TestJUnitReads(t *testing.T) {
	out := render(t, "junit", hostileRun())
	var suites junitSuites
	if err := xml.Unmarshal(out, &suites); err != nil {
		t.Fatal(err)
	}
	if len(suites.Suites) != len(hostile) || suites.Failures == 0 || suites.Errors == 0 {
		t.Errorf("%d suites, %d failures, %d errors", len(suites.Suites), suites.Failures, suites.Errors)
	}
	for _, s := range suites.Suites {
		if s.Tests != len(s.Cases) {
			t.Errorf("%d tests, %d cases", s.Tests, len(s.Cases))
		}
	}
	file := filepath.Join(t.TempDir(), "junit.xml")
	if err := os.WriteFile(file, out, 0o644); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(need(t, "xmllint"), "--nonet", "--noout", "--schema", "testdata/junit.xsd", file).CombinedOutput(); err != nil {
		t.Errorf("%v: %.2000s", err, text)
	}
}

// TestTAPReads by Perl's harness. It knows TAP up to version 13, whose only
// difference here is the number.
func TestTAPReads(t *testing.T) {
	out := render(t, "tap", hostileRun())
	if !bytes.HasPrefix(out, []byte("TAP version 14\n1..")) {
		t.Fatalf("begins with %.40q", out)
	}
	prove := need(t, "prove")
	file := filepath.Join(t.TempDir(), "run.tap")
	if err := os.WriteFile(file, bytes.Replace(out, []byte("version 14"), []byte("version 13"), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command(prove, "--exec", "cat", file).CombinedOutput()
	if err == nil {
		t.Error("failures pass")
	}
	if bytes.Contains(text, []byte("Parse errors")) || bytes.Contains(text, []byte("Bail")) {
		t.Errorf("%.2000s", text)
	}
	clean := &result.Run{Footer: result.Footer{Scores: []result.Score{{Subject: "x"}}}, Vectors: []result.VectorResult{{Subject: "x", Vector: "a # b", Outcome: result.Pass}}}
	if err := os.WriteFile(file, bytes.Replace(render(t, "tap", clean), []byte("version 14"), []byte("version 13"), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(prove, "--exec", "cat", file).CombinedOutput(); err != nil {
		t.Errorf("a pass fails: %s", text)
	}
}

func TestSARIFReads(t *testing.T) {
	out := render(t, "sarif", hostileRun())
	report, err := sarif.FromBytes(out)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Runs) != 1 || len(report.Runs[0].Results) != len(hostile) {
		t.Errorf("%d runs", len(report.Runs))
	}
	var value any
	if err := json.Unmarshal(out, &value); err != nil {
		t.Fatal(err)
	}
	if err := sarifSchemaOf(t).Validate(value); err != nil {
		t.Error(err)
	}
}

// sarifSchemaOf reads the published schema where go-sarif keeps it.
func sarifSchemaOf(t *testing.T) *jsonschema.Schema {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3").Output()
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "pkg/report/v210/sarif/schema.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(source), "`")
	text, _, _ = strings.Cut(text, "`")
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sarif.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// elements walks a parsed page.
func elements(t *testing.T, page []byte, visit func(*html.Node)) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			visit(n)
		}
	}
}

// TestHTMLAsksNobody: no script, no picture but curves of lines and words, no
// style sheet, no address but those of reports, no handler.
func TestHTMLAsksNobody(t *testing.T) {
	ids, landmarks := map[string]bool{}, map[string]bool{}
	var targets []string
	elements(t, render(t, "html", hostileRun()), func(n *html.Node) {
		switch n.Data {
		case "script", "img", "link", "iframe", "object", "embed", "form", "base", "audio", "video", "use", "image", "foreignObject":
			t.Errorf("<%s> in the page", n.Data)
		}
		if n.Namespace == "svg" && !slices.Contains([]string{"svg", "title", "polyline", "circle", "text"}, n.Data) {
			t.Errorf("<%s> in a curve", n.Data)
		}
		if name := landmark(n); name != "" {
			if landmarks[name] {
				t.Errorf("two landmarks are called %q", name)
			}
			landmarks[name] = true
		}
		for _, a := range n.Attr {
			switch {
			case strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src":
				t.Errorf("attribute %s in <%s>", a.Key, n.Data)
			case a.Key == "href" && strings.HasPrefix(a.Val, "#"):
				id, err := url.PathUnescape(a.Val[1:])
				if err != nil {
					t.Error(err)
				}
				targets = append(targets, id)
			case a.Key == "href" && !strings.HasPrefix(a.Val, "https://example.org/"):
				t.Errorf("address %q", a.Val)
			case a.Key == "id":
				if ids[a.Val] {
					t.Errorf("id %q twice", a.Val)
				}
				ids[a.Val] = true
			}
		}
	})
	for _, id := range targets {
		if !ids[id] {
			t.Errorf("a link to #%s leads nowhere", id)
		}
	}
}

// landmark gives what a screen reader calls a section, region or navigation.
func landmark(n *html.Node) string {
	name, is := "", n.Data == "section" || n.Data == "nav"
	for _, a := range n.Attr {
		switch a.Key {
		case "aria-label", "aria-labelledby":
			name = a.Key + " " + a.Val
		case "role":
			is = is || a.Val == "region"
		}
	}
	if !is {
		return ""
	}
	return name
}

// TestMarkdownIsInert: whatever an implementation says makes no link, picture,
// heading or element of its own.
func TestMarkdownIsInert(t *testing.T) {
	var page bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert(render(t, "markdown", hostileRun()), &page); err != nil {
		t.Fatal(err)
	}
	headings := 0
	elements(t, page.Bytes(), func(n *html.Node) {
		switch n.Data {
		case "a", "img", "script", "del", "em", "input":
			t.Errorf("<%s> in the page", n.Data)
		case "h1", "h2", "h3":
			headings++
		}
	})
	if headings == 0 || headings > len(hostile)+1 {
		t.Errorf("%d headings", headings)
	}
}

// TestGitHubCommands: each line is one command whose data unescapes to text
// without another.
func TestGitHubCommands(t *testing.T) {
	out := string(render(t, "github", hostileRun()))
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != maxAnnotations {
		t.Errorf("%d lines", len(lines))
	}
	for _, l := range lines {
		head, data, ok := strings.Cut(strings.TrimPrefix(l, "::"), "::")
		if !ok || !strings.HasPrefix(l, "::") || !strings.HasPrefix(head, "error title=") && !strings.HasPrefix(head, "warning title=") {
			t.Errorf("not a command: %.200q", l)
		}
		if strings.ContainsAny(strings.TrimPrefix(head, "error title="), ":,") || strings.ContainsAny(data, "\r\n") {
			t.Errorf("breaks out: %.200q", l)
		}
	}
}

func TestBadges(t *testing.T) {
	run := hostileRun()
	var shield struct {
		SchemaVersion         int
		Label, Message, Color string
	}
	if err := json.Unmarshal(render(t, "badge", run), &shield); err != nil || shield.SchemaVersion != 1 || shield.Message == "" {
		t.Errorf("%+v, %v", shield, err)
	}
	d := xml.NewDecoder(bytes.NewReader(render(t, "svg", run)))
	for {
		if _, err := d.Token(); err != nil {
			if !errors.Is(err, io.EOF) {
				t.Error(err)
			}
			break
		}
	}
}
