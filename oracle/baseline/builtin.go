package baseline

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
)

//go:embed builtin/*.baseline
var builtin embed.FS

// Builtin gives the baseline of a built-in implementation, nil if it has none.
// The error is of a faulty file.
func Builtin(name string) (*File, error) {
	path := BuiltinPath(name)
	text, err := builtin.ReadFile("builtin/" + name + ".baseline")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	return Parse(path, text)
}

// BuiltinPath is where a built-in implementation's baseline stands in the
// source tree.
func BuiltinPath(name string) string { return "oracle/baseline/builtin/" + name + ".baseline" }
