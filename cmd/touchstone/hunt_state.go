package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// huntHeader names a hunt: two runs with one header are one hunt.
type huntHeader struct {
	Format   int      `json:"format"`
	Seed     uint64   `json:"seed"`
	Shard    int64    `json:"shard"`
	Shards   int64    `json:"shards"`
	Chunk    int64    `json:"chunk"`
	Profile  string   `json:"profile"`
	Subjects []string `json:"subjects"`
}

// huntRecord is a line of the state file: exactly one field is set.
type huntRecord struct {
	Hunt    *huntHeader     `json:"hunt,omitempty"`
	Finding *result.Finding `json:"finding,omitempty"`
	Chunk   *huntChunk      `json:"chunk,omitempty"`
}

// huntChunk says that a chunk, or a piece of one, is done.
type huntChunk struct {
	Number   int64            `json:"number"` // from 1
	Cases    int64            `json:"cases"`
	Features map[string]int64 `json:"features"`
}

// huntState is a state file: what a hunt has found and how far it is. Lines are
// appended as things happen; a last line that is not whole is what an interrupt
// left, and is cut off.
type huntState struct {
	path     string
	file     *os.File
	done     int64 // chunks and pieces of them
	asked    int64 // cases
	findings []*result.Finding
	seen     map[huntKey]int // numbers of findings, from 1
	unknown  int             // findings that no baseline knows
	features map[string]int64
}

// huntKey tells kinds of findings apart.
type huntKey struct {
	subject, requirement, signature string
	outcome                         result.Outcome
	effect                          result.Effect
}

func keyOfFinding(f *result.Finding) huntKey {
	return huntKey{f.Subject, f.Requirement, f.Signature, f.Outcome, f.Effect}
}

// openHuntState opens or makes a state file for a hunt.
func openHuntState(path string, head huntHeader, fresh bool) (*huntState, error) {
	s := &huntState{path: path, seen: make(map[huntKey]int), features: make(map[string]int64)}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if fresh {
		text = nil
	}
	whole := bytes.LastIndexByte(text, '\n') + 1
	found, err := s.read(text[:whole])
	if err != nil {
		return nil, err
	}
	if found != nil && !sameHunt(*found, head) {
		return nil, fmt.Errorf("%s holds another hunt; choose another --state, or --fresh to begin again", path)
	}
	if s.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, err
	}
	if err := s.file.Truncate(int64(whole)); err != nil {
		return nil, err
	}
	if _, err := s.file.Seek(int64(whole), 0); err != nil {
		return nil, err
	}
	if found == nil {
		return s, s.append(huntRecord{Hunt: &head})
	}
	return s, nil
}

func sameHunt(a, b huntHeader) bool {
	return slices.Equal(a.Subjects, b.Subjects) && a.Format == b.Format && a.Seed == b.Seed && a.Shard == b.Shard &&
		a.Shards == b.Shards && a.Chunk == b.Chunk && a.Profile == b.Profile
}

// read takes over what a file holds; its header is nil if it is empty.
func (s *huntState) read(text []byte) (*huntHeader, error) {
	var head *huntHeader
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for n := 1; lines.Scan(); n++ {
		var r huntRecord
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.DisallowUnknownFields()
		if err := d.Decode(&r); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", s.path, n, err)
		}
		switch {
		case n == 1 && r.Hunt != nil:
			head = r.Hunt
		case n > 1 && r.Finding != nil:
			s.add(r.Finding)
		case n > 1 && r.Chunk != nil && r.Chunk.Number == s.done+1:
			s.addChunk(*r.Chunk)
		default:
			return nil, fmt.Errorf("%s, line %d: not the next record of a hunt", s.path, n)
		}
	}
	return head, lines.Err()
}

func (s *huntState) add(f *result.Finding) int {
	s.findings = append(s.findings, f)
	s.seen[keyOfFinding(f)] = len(s.findings)
	if f.Known == nil {
		s.unknown++
	}
	return len(s.findings)
}

func (s *huntState) addChunk(c huntChunk) {
	s.done = c.Number
	s.asked += c.Cases
	for name, n := range c.Features {
		s.features[name] += n
	}
}

// hasLike reports whether some finding breaks the same requirement with the same
// outcome.
func (s *huntState) hasLike(f *result.Finding) bool {
	return slices.ContainsFunc(s.findings, func(known *result.Finding) bool {
		return known.Subject == f.Subject && known.Requirement == f.Requirement && known.Outcome == f.Outcome
	})
}

// noteFinding writes a finding down if its kind is new. Findings are numbered
// from 1.
func (s *huntState) noteFinding(f *result.Finding) (number int, isNew bool, err error) {
	if number, known := s.seen[keyOfFinding(f)]; known {
		return number, false, nil
	}
	return s.add(f), true, s.append(huntRecord{Finding: f})
}

// noteChunk writes down that so many cases more are done.
func (s *huntState) noteChunk(cases int64, features map[string]int64) error {
	c := huntChunk{s.done + 1, cases, features}
	s.addChunk(c)
	return s.append(huntRecord{Chunk: &c})
}

func (s *huntState) append(r huntRecord) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if _, err := s.file.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("writing %s: %w", s.path, err)
	}
	return nil
}

func (s *huntState) close() { s.file.Close() }
