// Package corpus holds the inputs that fuzzing starts from, as raw files:
// plain JSON texts and texts that are nearly JSON, without framing, so that any
// other fuzzer can take the folders as they are.
//
// The folder "shared" is for every target; a folder with a target's name, such
// as "FuzzReference", holds what that target has found worth keeping. A file
// says nothing about what is right: that is what vectors are for.
package corpus

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
)

// Shared is the folder of the inputs that every target starts from.
const Shared = "shared"

//go:embed *
var files embed.FS

// An Input is one file.
type Input struct {
	Target string // the folder
	Name   string
	Data   []byte // the caller's own
}

// For lists the inputs of a target, the shared ones first, in the order of
// their names. It is an error if there are none: a fuzzer that starts from
// nothing is a mistake.
func For(target string) ([]Input, error) {
	all, err := from(files, target)
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("corpus: there is no input for %s", target)
	}
	return all, err
}

// Targets lists the folders.
func Targets() ([]string, error) {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	var all []string
	for _, e := range entries {
		if e.IsDir() {
			all = append(all, e.Name())
		}
	}
	return all, nil
}

func from(files fs.FS, target string) ([]Input, error) {
	folders := []string{Shared}
	if target != Shared {
		folders = append(folders, target)
	}
	var all []Input
	for _, folder := range folders {
		entries, err := fs.ReadDir(files, folder)
		if err != nil {
			if folder != Shared {
				continue // a target without files of its own
			}
			return nil, fmt.Errorf("corpus: %w", err)
		}
		for _, e := range entries {
			if !e.Type().IsRegular() {
				continue
			}
			data, err := fs.ReadFile(files, path.Join(folder, e.Name()))
			if err != nil {
				return nil, fmt.Errorf("corpus: %w", err)
			}
			all = append(all, Input{folder, e.Name(), slices.Clip(data)})
		}
	}
	return all, nil
}
