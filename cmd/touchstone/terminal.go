package main

import (
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Texts are laid out for so many columns, unless the terminal has fewer.
const (
	mostColumns  = 80
	leastColumns = 24
)

func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	_, is := terminalColumns(file)
	return is
}

// columns tells how wide a stream is: what the variable COLUMNS or the terminal
// says, within bounds, and 80 elsewhere.
func columns(out io.Writer) int {
	n, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil || n <= 0 {
		n = mostColumns
		if file, ok := out.(*os.File); ok {
			if wide, is := terminalColumns(file); is && wide > 0 {
				n = wide
			}
		}
	}
	return min(max(n, leastColumns), mostColumns)
}

// fold breaks a text at its blanks into lines that end before so many columns;
// the first begins where indent ends, the others begin with it. A longer word
// stands alone.
func fold(text, indent string, width int) string {
	var b strings.Builder
	column := len(indent)
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}
