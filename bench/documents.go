package main

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

// A set is a group of documents that are measured together.
type set struct {
	name  string
	group string // large, small, hostile or given
	docs  [][]byte
}

func (s set) size() (n int) {
	for _, d := range s.docs {
		n += len(d)
	}
	return n
}

// largeSets reads the documents that come with the Go toolchain.
func largeSets() ([]set, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("finding GOROOT: %w", err)
	}
	dir := filepath.Join(strings.TrimSpace(string(root)), "src/encoding/json/internal/jsontest/testdata")
	files, err := filepath.Glob(filepath.Join(dir, "*.json.zst"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no documents in %s", dir)
	}
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	var sets []set
	for _, file := range files {
		packed, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		doc, err := decoder.DecodeAll(packed, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".json.zst")
		sets = append(sets, set{name: name, group: "large", docs: [][]byte{doc}})
	}
	return sets, nil
}

// folderSets reads each JSON file of a folder. A list of strings is a set of
// raw documents, any other file is one document.
func folderSets(dir string) ([]set, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s has no *.json files", dir)
	}
	sort.Strings(files)
	var sets []set
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		s := set{name: strings.TrimSuffix(filepath.Base(file), ".json"), group: "given"}
		var list []string
		if json.Unmarshal(text, &list) == nil && len(list) > 0 {
			for _, doc := range list {
				s.docs = append(s.docs, []byte(doc))
			}
		} else {
			s.docs = [][]byte{text}
		}
		sets = append(sets, s)
	}
	return sets, nil
}
