// Package arch holds the tree's architecture: which package may import which.
// It has tests only.
package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/touchstone-oracle/touchstone"

// A rule says what the product code of a package may import beside the standard
// library: packages of this module, and packages of others by prefix, among
// which unsafe and C count.
type rule struct {
	own     string // separated by spaces; "*" for any
	foreign string
}

// rules has a row for each package, by its folder. Trust points downwards: the
// library needs the standard library alone, its reference shares nothing with it
// but the vocabulary, verdicts come from the reference, and implementations are
// reached through oracle/peer.
var rules = map[string]rule{
	"canon/reject":                {},
	"canon":                       {own: "canon/reject", foreign: "unsafe"}, // loads of eight bytes
	"canon/reference":             {own: "canon/reject"},
	"snapshot":                    {own: "canon canon/reject", foreign: "unsafe"}, // addresses of slices, to find aliases
	"snapshot/reference":          {own: "canon/reject canon/reference", foreign: "unsafe"},
	"snapshot/jsvalue":            {own: "snapshot snapshot/reference canon canon/reject", foreign: "github.com/dop251/goja"},
	"snapshot/toolcall":           {own: "snapshot canon canon/reject"},
	"snapshot/toolcall/schema":    {own: "snapshot/toolcall", foreign: "github.com/santhosh-tekuri/jsonschema/v6"},
	"snapshot/toolcall/bolt":      {own: "snapshot/toolcall", foreign: "go.etcd.io/bbolt"},
	"snapshot/toolcall/scenario":  {own: "snapshot snapshot/toolcall snapshot/reference canon/reject"},
	"snapshot/toolcall/reference": {own: "snapshot/reference canon/reference canon/reject"},

	"vectors": {own: "canon/reject"},
	"corpus":  {},

	"oracle/result":      {own: "canon/reject"},
	"oracle/numbers":     {},
	"oracle/wire":        {},
	"oracle/grammar":     {},
	"oracle/verdict":     {own: "canon/reject canon/reference snapshot/reference"},
	"oracle/baseline":    {own: "canon/reject oracle/result"},
	"oracle/law":         {own: "canon/reject canon/reference oracle/result oracle/verdict oracle/grammar"},
	"oracle/shrink":      {own: "oracle/grammar oracle/result"},
	"oracle/relation":    {own: "canon/reject oracle/grammar oracle/law oracle/result"},
	"oracle/ladder":      {own: "oracle/result"},
	"oracle/zoo":         {own: "canon/reject oracle/result"},
	"oracle/zoo/kill":    {own: "canon/reject oracle/grammar oracle/law oracle/verdict oracle/zoo vectors"},
	"oracle/zoo/engines": {own: "fuzz oracle/grammar oracle/zoo oracle/zoo/kill"},
	"oracle/process":     {own: "canon/reject oracle/result oracle/wire", foreign: "golang.org/x/sys"},
	"oracle/peer":        {own: "canon canon/reject canon/reference snapshot snapshot/reference snapshot/jsvalue snapshot/toolcall/scenario snapshot/toolcall/reference oracle/process oracle/result oracle/wire", foreign: "github.com/cyberphone/json-canonicalization github.com/gowebpki/jcs github.com/go-json-experiment/json github.com/dop251/goja"},
	"oracle/check":       {own: "canon/reject vectors oracle/baseline oracle/grammar oracle/ladder oracle/law oracle/process oracle/relation oracle/result oracle/shrink oracle/verdict"},
	"oracle/explain":     {own: "canon/reference canon/reject snapshot/reference oracle/check oracle/grammar oracle/peer oracle/result oracle/verdict"},
	"oracle/vectorlint":  {own: "canon/reject vectors oracle/peer oracle/process oracle/result oracle/verdict"},
	"oracle/oracletest":  {own: "canon/reject vectors oracle/baseline oracle/check oracle/grammar oracle/result oracle/shrink"},

	"fuzz":           {own: "canon canon/reference snapshot corpus vectors oracle/grammar oracle/law"},
	"fuzz/libfuzzer": {own: "fuzz oracle/grammar oracle/zoo/engines", foreign: "C unsafe"},
	"properties":     {own: "fuzz oracle/grammar oracle/law", foreign: "github.com/leanovate/gopter pgregory.net/rapid"},

	"bench":           {own: "bench/documents canon", foreign: "github.com/bytedance/sonic github.com/cyberphone/json-canonicalization github.com/go-json-experiment/json github.com/goccy/go-json github.com/gowebpki/jcs github.com/minio/simdjson-go github.com/valyala/fastjson"},
	"bench/documents": {own: "canon", foreign: "github.com/klauspost/compress"},
	"bench/gate":      {own: "bench/documents canon"},

	"reports": {own: "canon/reject oracle/result", foreign: "github.com/jedib0t/go-pretty/v6"},

	"server":      {own: "canon canon/reject snapshot snapshot/reference oracle/explain oracle/result oracle/verdict server/page", foreign: "golang.org/x/net golang.org/x/sys"},
	"server/page": {own: "canon/reject oracle/explain oracle/result oracle/verdict reports"},

	"playground":        {own: "server/page"},
	"playground/oracle": {own: "canon/reject oracle/check oracle/explain oracle/grammar oracle/peer oracle/result server/page"},

	"examples/approval":       {own: "snapshot/toolcall snapshot/toolcall/bolt snapshot/toolcall/schema"},
	"examples/approve":        {own: "snapshot"},
	"examples/canonicalize":   {own: "canon canon/reject"},
	"examples/implementation": {own: "canon"},
	"examples/sign":           {own: "canon"},

	"cmd/touchstone": {own: "*", foreign: "github.com/spf13/cobra github.com/spf13/pflag github.com/jedib0t/go-pretty/v6 golang.org/x/sys"},
}

// A source file, by its folder.
type source struct {
	dir, name string
	test      bool
	file      *ast.File
}

// sources parses every Go file of the module, whatever its build tags.
func sources(t *testing.T) []source {
	t.Helper()
	const root = "../.."
	var all []source
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name != root && (ignored(entry.Name()) || nested(name)) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(name))
		all = append(all, source{filepath.ToSlash(dir), entry.Name(), strings.HasSuffix(name, "_test.go"), file})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("only %d Go files under %s", len(all), root)
	}
	return all
}

// ignored folders are those that the go command passes over.
func ignored(name string) bool {
	return name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

func nested(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

func (s source) imports() []string {
	var all []string
	for _, spec := range s.file.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		all = append(all, name)
	}
	return all
}

// program reports whether the file is run on its own, such as a generator.
func (s source) program() bool {
	for _, group := range s.file.Comments {
		for _, c := range group.List {
			if c.Pos() < s.file.Package && strings.HasPrefix(c.Text, "//go:build ignore") {
				return true
			}
		}
	}
	return false
}

// imported lists what the product code of each folder imports.
func imported(t *testing.T) map[string][]string {
	all := map[string][]string{}
	for _, s := range sources(t) {
		if !s.test && !s.program() {
			all[s.dir] = append(all[s.dir], s.imports()...)
		}
	}
	for dir, imports := range all {
		slices.Sort(imports)
		all[dir] = slices.Compact(imports)
	}
	return all
}

// standard reports whether a package is of the standard library: the first
// element of its path has no dot.
func standard(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return !strings.Contains(first, ".")
}

func (r rule) allows(name string) bool {
	if standard(name) && name != "C" && name != "unsafe" {
		return true
	}
	if own, ok := strings.CutPrefix(name, module+"/"); ok {
		return r.own == "*" || slices.Contains(strings.Fields(r.own), own)
	}
	for _, prefix := range strings.Fields(r.foreign) {
		if name == prefix || strings.HasPrefix(name, prefix+"/") {
			return true
		}
	}
	return false
}

func TestImportsFollowTheRules(t *testing.T) {
	for dir, imports := range imported(t) {
		r, ok := rules[dir]
		if !ok {
			t.Errorf("package %s has no row in the table of internal/arch: say there what it may import", dir)
			continue
		}
		for _, name := range imports {
			if !r.allows(name) {
				t.Errorf("%s imports %s, which its row in internal/arch does not allow", dir, name)
			}
		}
	}
}

// TestRulesHaveNoCycle follows the rows themselves: a table that allowed a
// cycle would say nothing.
func TestRulesHaveNoCycle(t *testing.T) {
	const open, done = 1, 2
	state := map[string]int{}
	var visit func(dir string, path []string)
	visit = func(dir string, path []string) {
		switch state[dir] {
		case open:
			t.Errorf("cycle: %s", strings.Join(append(path, dir), " -> "))
		case 0:
			state[dir] = open
			for _, next := range strings.Fields(rules[dir].own) {
				if _, ok := rules[next]; !ok && next != "*" {
					t.Errorf("%s may import %s, which has no row", dir, next)
				}
				visit(next, append(path, dir))
			}
			state[dir] = done
		}
	}
	for dir := range rules {
		visit(dir, nil)
	}
}

// TestLibraryNeedsTheStandardLibraryAlone holds what the README promises to
// programs that import canon or snapshot.
func TestLibraryNeedsTheStandardLibraryAlone(t *testing.T) {
	imports := imported(t)
	for _, root := range []string{"canon", "snapshot"} {
		seen := map[string]bool{}
		var visit func(dir string)
		visit = func(dir string) {
			if seen[dir] {
				return
			}
			seen[dir] = true
			for _, name := range imports[dir] {
				if own, ok := strings.CutPrefix(name, module+"/"); ok {
					visit(own)
				} else if !standard(name) {
					t.Errorf("%s needs %s, through %s", root, name, dir)
				}
			}
		}
		visit(root)
	}
}

// TestReferenceConvertsNoFloats: the reference's digits come from exact integer
// arithmetic, so nothing that converts between doubles and text may appear.
func TestReferenceConvertsNoFloats(t *testing.T) {
	forbidden := map[string][]string{
		"strconv":  {"ParseFloat", "FormatFloat", "AppendFloat", "ParseComplex", "FormatComplex"},
		"math/big": {"Float", "NewFloat", "ParseFloat", "Rat", "NewRat"},
	}
	packages := []string{"fmt", "log", "encoding/json", "text/template", "unsafe"}
	files := 0
	for _, s := range sources(t) {
		if s.dir != "canon/reference" || s.test || s.program() {
			continue
		}
		files++
		for _, name := range s.imports() {
			if slices.Contains(packages, name) {
				t.Errorf("%s/%s imports %s, which can convert doubles", s.dir, s.name, name)
			}
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				for name, words := range forbidden {
					if x, ok := sel.X.(*ast.Ident); ok && x.Name == path.Base(name) && slices.Contains(words, sel.Sel.Name) {
						t.Errorf("%s/%s uses %s.%s", s.dir, s.name, name, sel.Sel.Name)
					}
				}
			}
			return true
		})
	}
	if files == 0 {
		t.Fatal("no files in canon/reference")
	}
}

// TestFoldersHaveAReadme: each top-level folder says what it is and how to add
// one more of its kind.
func TestFoldersHaveAReadme(t *testing.T) {
	entries, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		if !entry.IsDir() || ignored(name) || name == "bin" || name == "internal" {
			continue
		}
		if _, err := os.Stat(filepath.Join("../..", name, "README.md")); err != nil {
			t.Errorf("%s/ has no README.md", name)
		}
	}
}
