//go:build !unix

package main

import "os"

// terminalColumns reports whether a file is a terminal, by what the standard
// library can tell; its width stays unknown.
func terminalColumns(file *os.File) (n int, is bool) {
	info, err := file.Stat()
	return 0, err == nil && info.Mode()&os.ModeCharDevice != 0
}
