// Package documents gives the documents that canonicalizers are measured on.
package documents

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// A Set is a group of documents that are measured together.
type Set struct {
	Name  string
	Group string // large, small, canonical, hostile or given
	Docs  [][]byte
}

// Size gives the bytes of all documents.
func (s Set) Size() (n int) {
	for _, d := range s.Docs {
		n += len(d)
	}
	return n
}

// GoRoot gives the folder of the Go toolchain.
func GoRoot() (string, error) {
	if root := os.Getenv("GOROOT"); root != "" {
		return root, nil
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("finding GOROOT: %w", err)
	}
	return strings.TrimSpace(string(root)), nil
}

// Large reads the documents that come with the Go toolchain, those that
// want asks for.
func Large(want func(name string) bool) ([]Set, error) {
	root, err := GoRoot()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(root, "src/encoding/json/internal/jsontest/testdata")
	files, err := filepath.Glob(filepath.Join(dir, "*.json.zst"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no documents in %s", dir)
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	var sets []Set
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json.zst")
		if !want(name) {
			continue
		}
		packed, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		doc, err := decoder.DecodeAll(packed, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		sets = append(sets, Set{Name: name, Group: "large", Docs: [][]byte{doc}})
	}
	return sets, nil
}

// Folder reads each JSON file of a folder. A list of strings is a set of
// raw documents, any other file is one document.
func Folder(dir string) ([]Set, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s has no *.json files", dir)
	}
	sort.Strings(files)
	var sets []Set
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		s := Set{Name: strings.TrimSuffix(filepath.Base(file), ".json"), Group: "given"}
		var list []string
		if json.Unmarshal(text, &list) == nil && len(list) > 0 {
			for _, doc := range list {
				s.Docs = append(s.Docs, []byte(doc))
			}
		} else {
			s.Docs = [][]byte{text}
		}
		sets = append(sets, s)
	}
	return sets, nil
}

// Core names the sets whose geometric mean is told.
var Core = []string{"twitter_status", "citm_catalog", "canada_geometry", "tool arguments", "tool results", "tool schemas", "code edits"}
