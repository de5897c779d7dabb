package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/explain"
	"github.com/touchstone-oracle/touchstone/oracle/peer"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// TestPageFiles: the page names no file that is not there, and none elsewhere.
func TestPageFiles(t *testing.T) {
	files, err := pageFiles()
	if err != nil {
		t.Fatal(err)
	}
	index := string(files["index.html"])
	for _, name := range []string{"style.css", "page.js", "icon.svg"} {
		if !strings.Contains(index, `="`+name+`"`) || files[name] == nil {
			t.Errorf("%s is not there or not named", name)
		}
	}
	for name, content := range files {
		if name != "icon.svg" && bytes.Contains(content, []byte("://")) {
			t.Errorf("%s names an address", name)
		}
	}
	if !strings.Contains(index, "http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;;") {
		t.Error("the page has no policy")
	}
}

// A document is asked in the page and here.
type document struct {
	name string
	text []byte
}

// documents are every text of the vectors, and texts that are hard on a stack.
func documents() []document {
	var all []document
	for _, v := range vectors.All() {
		if v.Op == vectors.OpCanon {
			all = append(all, document{v.ID, v.Input})
		}
	}
	for _, depth := range []int{1000, 5000, 16000, 120000} {
		all = append(all,
			document{"arrays", []byte(strings.Repeat("[", depth) + strings.Repeat("]", depth))},
			document{"objects", []byte(strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth))},
			document{"unclosed", []byte(strings.Repeat("[", depth))})
	}
	return all
}

// tooDeep are the vectors that not everyone is asked about in a page: some
// implementation, or all of them, could end it.
var tooDeep = []string{"depth-arrays-10000", "depth-arrays-2000", "depth-objects-5000", "depth-unclosed-arrays-20000", "depth-unclosed-objects-4000"}

// TestAnswersUnderNode: the oracle as WebAssembly explains every document as the
// command does. What could end a page is not asked of implementations there.
func TestAnswersUnderNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("TOUCHSTONE_CI") == "1" {
			t.Fatal("node is missing")
		}
		t.Skip("node is missing")
	}
	if testing.Short() {
		t.Skip("compiling the oracle to WebAssembly takes long")
	}
	root, err := goroot()
	if err != nil {
		t.Fatal(err)
	}
	oracle := filepath.Join(t.TempDir(), "touchstone.wasm")
	if err := buildOracle(oracle); err != nil {
		t.Fatal(err)
	}
	asked := documents()
	var questions bytes.Buffer
	for _, d := range asked {
		questions.WriteString(hex.EncodeToString(d.text) + "\n")
	}
	cmd := exec.CommandContext(t.Context(), node, "testdata/answers.mjs", filepath.Join(root, "lib", "wasm", "wasm_exec.js"), oracle)
	cmd.Stdin = &questions
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("node: %v", err)
	}
	answers := bufio.NewScanner(bytes.NewReader(out))
	answers.Buffer(nil, 64<<20)
	panel := explain.NewPanel(explain.Builtin(time.Minute, false), time.Hour)
	defer panel.Close()
	var apart []string
	count := 0
	for answers.Scan() && count < len(asked) {
		want := explainHere(t, panel, asked[count].text)
		got := answers.Bytes()
		same, all := equal(t, want, got)
		if !same {
			expected, _ := json.Marshal(want)
			t.Errorf("%s\ngives %.3000s\nwant  %.3000s", asked[count].name, got, expected)
		}
		if !all && strings.HasPrefix(asked[count].name, "depth-") {
			apart = append(apart, asked[count].name)
		}
		count++
	}
	slices.Sort(apart)
	if count != len(asked) || !slices.Equal(apart, tooDeep) {
		t.Errorf("%d of %d were answered; not everyone was asked about %v", count, len(asked), apart)
	}
}

// explainHere explains a document as the command does, but does not ask about
// what the page asks nobody about.
func explainHere(t *testing.T, panel *explain.Panel, text []byte) *explain.Explanation {
	if !peer.Risky(text) {
		return panel.Explain(t.Context(), reject.RFC8785, text)
	}
	e := explain.Document(text)
	e.Judged, e.Peers = reject.RFC8785.String(), make([]explain.Said, len(peer.All()))
	return e
}

// equal compares an explanation with one in JSON, but for the versions, which a
// test does not know of what it links, and for implementations that were not
// asked in the page; all says that everyone was.
func equal(t *testing.T, want *explain.Explanation, text []byte) (same, all bool) {
	t.Helper()
	var got explain.Explanation
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v: %.200s", err, text)
	}
	here, _ := json.Marshal(want)
	want = &explain.Explanation{} // what JSON cannot hold is replaced on both sides
	if err := json.Unmarshal(here, want); err != nil {
		t.Fatal(err)
	}
	if len(want.Peers) != len(got.Peers) {
		return false, true
	}
	all = true
	for i := range want.Peers {
		want.Peers[i].Version, got.Peers[i].Version = "", ""
		if strings.HasPrefix(got.Peers[i].Message, "not asked in a page") {
			want.Peers[i] = got.Peers[i]
			all = false
		}
	}
	a, _ := json.Marshal(want)
	b, _ := json.Marshal(&got)
	return bytes.Equal(a, b), all
}
