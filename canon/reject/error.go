package reject

import (
	"strconv"
	"strings"
)

// An Error says why, where and by which requirement an input is refused. It
// holds nothing of the input: member names in Pointer are replaced by "*", and
// no value is ever quoted. It is a plain value that nothing shares.
type Error struct {
	// Package is the package that refuses, such as "canon"; the text begins with it.
	Package string
	// Reason is never None.
	Reason Reason
	// Requirement is the id of a catalogue entry: the clause that is broken.
	Requirement string
	// Offset counts bytes from 0; -1 where the input is a value, not a text.
	Offset int
	// Line and Column count from 1; columns count bytes. 0 where Offset is -1.
	Line, Column int
	// Pointer is the JSON Pointer (RFC 6901) of the value in which the fault
	// stands, with "*" for each member name. See Locate for the exact rule.
	Pointer string
	// Type names what was found where the input is a value: a Go type or a
	// JavaScript brand. Empty for text.
	Type string
	// Detail adds what the reason alone does not say, such as the limit that
	// was passed. It never holds a part of the input.
	Detail string
}

// At builds the error for a text: line, column and pointer are computed from
// src here, so that they cost nothing unless there is an error. Nothing of src
// is kept. Time and memory are linear in offset.
func At(pkg string, src []byte, offset int, reason Reason, requirement string) *Error {
	place := locate(src, offset, reason == DuplicateName, false)
	return &Error{
		Package: pkg, Reason: reason, Requirement: requirement, Offset: offset,
		Line: place.Line, Column: place.Column, Pointer: place.Pointer,
	}
}

// Error says what is wrong, where, which requirement is broken and what to do.
// The text is of bounded length whatever the input: a long pointer is cut in
// the middle.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Package != "" {
		b.WriteString(e.Package)
		b.WriteString(": ")
	}
	b.WriteString(e.Reason.Meaning())
	if e.Type != "" {
		b.WriteString(" (" + e.Type + ")")
	}
	if e.Detail != "" {
		b.WriteString(", " + e.Detail)
	}
	if e.Line > 0 {
		b.WriteString(", at offset " + strconv.Itoa(e.Offset) +
			" (line " + strconv.Itoa(e.Line) + ", column " + strconv.Itoa(e.Column) + ")")
	}
	if e.Pointer != "" {
		b.WriteString(", in " + shorten(e.Pointer))
	}
	b.WriteString(" [" + e.Reason.String())
	if e.Requirement != "" {
		b.WriteString(", " + e.Requirement)
	}
	b.WriteString("]")
	if advice := e.Reason.Advice(); advice != "" {
		b.WriteString(": " + advice)
	}
	return b.String()
}

// Unwrap gives the Reason, so that errors.Is(err, reject.NegativeZero) works.
func (e *Error) Unwrap() error { return e.Reason }

// PointerIn gives the pointer with the member names of src, which must be the
// text that the error is about. Names are payload: ask only where the payload
// may be shown, and escape the result before it reaches a terminal.
func (e *Error) PointerIn(src []byte) string {
	if e.Offset == -1 {
		return e.Pointer
	}
	return locate(src, e.Offset, e.Reason == DuplicateName, true).Pointer
}

// shorten keeps error texts readable: at most 120 bytes of a pointer.
func shorten(pointer string) string {
	const most = 120
	if len(pointer) <= most {
		return pointer
	}
	return pointer[:most/2] + "…" + pointer[len(pointer)-most/2:]
}
