package reports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// WriteRecord writes one line of a results file. Lines are ASCII where it
// matters: payloads are hex, and encoding/json escapes controls and U+2028.
func WriteRecord(w io.Writer, record result.Record) error {
	line, err := json.Marshal(record)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// maxRecord bounds a line of a results file, maxRecords their number.
const (
	maxRecord  = 64 << 20
	maxRecords = 2_000_000
)

// ErrCut says that a results file has no footer: its run was cut. What was read
// before it is returned too.
var ErrCut = errors.New("reports: the results file has no footer; its run was cut")

// Read reads a results file. It refuses another format, unknown fields and
// lines of more than 64 MiB, and words
// outside the closed lists.
func Read(r io.Reader) (*result.Run, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), maxRecord)
	run := &result.Run{}
	n, ended := 0, false
	for lines.Scan() {
		if n++; n > maxRecords {
			return nil, fmt.Errorf("reports: more than %d records", maxRecords)
		}
		var record result.Record
		if err := unmarshalStrictly(lines.Bytes(), &record); err != nil {
			return nil, fmt.Errorf("reports: line %d: %w", n, err)
		}
		if err := place(run, record, n, ended); err != nil {
			return nil, fmt.Errorf("reports: line %d: %w", n, err)
		}
		ended = record.Footer != nil
	}
	switch {
	case lines.Err() != nil:
		return nil, fmt.Errorf("reports: line %d: %w", n+1, lines.Err())
	case n == 0:
		return nil, errors.New("reports: the results file is empty")
	case !ended:
		return run, ErrCut
	}
	return run, nil
}

func place(run *result.Run, record result.Record, n int, ended bool) error {
	switch {
	case ended:
		return errors.New("a record behind the footer")
	case (record.Header != nil) != (n == 1):
		return errors.New("the first record, and no other, is the header")
	case record.Header != nil && record.Header.Format != result.Format:
		return fmt.Errorf("format %d; this command reads format %d", record.Header.Format, result.Format)
	case record.Header != nil:
		run.Header = *record.Header
	case record.Vector != nil:
		if _, err := result.ParseOutcome(string(record.Vector.Outcome)); err != nil {
			return err
		}
		run.Vectors = append(run.Vectors, *record.Vector)
	case record.Finding != nil:
		if _, err := result.ParseOutcome(string(record.Finding.Outcome)); err != nil {
			return err
		}
		if _, err := result.ParseEffect(string(record.Finding.Effect)); err != nil {
			return err
		}
		run.Findings = append(run.Findings, *record.Finding)
	case record.Footer != nil:
		run.Footer = *record.Footer
	default:
		return errors.New("an empty record")
	}
	return nil
}

func unmarshalStrictly(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return errors.New("more than one record")
	}
	return nil
}
