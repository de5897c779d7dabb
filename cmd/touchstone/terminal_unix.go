//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// terminalColumns asks how wide a terminal is, which only a terminal answers; 0
// if it does not know.
func terminalColumns(file *os.File) (n int, is bool) {
	size, err := unix.IoctlGetWinsize(int(file.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	return int(size.Col), true
}
