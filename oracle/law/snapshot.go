package law

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
)

// A Snapshot is an immutable value of the strict domain.
type Snapshot interface {
	CanonicalJSON() string
	AppendCanonical(dst []byte) []byte
	View() any // a fresh decoding
}

// A Snapshotter makes snapshots of texts and of values.
type Snapshotter interface {
	Decode(src []byte) (Snapshot, error)
	Of(value any) (Snapshot, error)
}

func canSnapshot(im Implementation) bool { _, ok := im.(Snapshotter); return ok }

// checkDomain compares with the verdict of the profile rfc0016.
func checkDomain(im Implementation, input []byte) error {
	v := verdict.Of(reject.RFC0016, input)
	s, err := im.(Snapshotter).Decode(input)
	var e *reject.Error
	switch {
	case err == nil && v.Kind == verdict.Reject:
		return fmt.Errorf("%s is outside the domain: %v", show(input), v.Faults[0])
	case err == nil && !v.Right([]byte(s.CanonicalJSON())):
		return fmt.Errorf("%s gives %s; its canonical form is %s", show(input), show([]byte(s.CanonicalJSON())), show(v.Canonical))
	case err != nil && v.Kind == verdict.Accept:
		return fmt.Errorf("%s is in the domain and refused: %v", show(input), err)
	case err != nil && (!errors.As(err, &e) || !v.May(e.Reason)):
		return fmt.Errorf("%s is refused for another reason than %v: %v", show(input), v.Reasons, err)
	case err != nil && e.Offset != offsetOf(v, e.Reason, input):
		return fmt.Errorf("%s is refused at another place than %v: %v", show(input), v.Faults, err)
	}
	return nil
}

// offsetOf gives where a reason is first found by who rounds to the nearest double.
func offsetOf(v verdict.Verdict, r reject.Reason, input []byte) int {
	if infinite := reference.Examine(input).Infinite; r == reject.NumberOverflow && infinite != nil {
		return infinite.Offset
	}
	for _, f := range v.Faults {
		if f.Reason == r {
			return f.Offset
		}
	}
	return -1
}

// checkViews takes two views of one snapshot: they are equal, they share
// nothing, and changing one changes neither the other nor the snapshot.
func checkViews(im Implementation, input []byte) error {
	s, err := im.(Snapshotter).Decode(input)
	if err != nil {
		return nil
	}
	text := s.CanonicalJSON()
	first, second := s.View(), s.View()
	if !reflect.DeepEqual(first, second) {
		return fmt.Errorf("%s: two views differ", show(input))
	}
	want, ok := decode([]byte(text))
	if !ok || !reflect.DeepEqual(first, want) {
		return fmt.Errorf("%s: the view is not what the canonical form says", show(input))
	}
	destroy(first)
	if third := s.View(); !reflect.DeepEqual(second, want) || !reflect.DeepEqual(third, want) {
		return fmt.Errorf("%s: changing a view changed another one", show(input))
	}
	copied := s.AppendCanonical([]byte("x"))
	for i := range copied {
		copied[i] = '!'
	}
	if s.CanonicalJSON() != text {
		return fmt.Errorf("%s: the snapshot was changed", show(input))
	}
	again, err := im.(Snapshotter).Decode([]byte(text))
	if err != nil || again.CanonicalJSON() != text {
		return fmt.Errorf("%s: the canonical form %s does not decode to itself: %v", show(input), show([]byte(text)), err)
	}
	ofView, err := im.(Snapshotter).Of(second)
	if err != nil || ofView.CanonicalJSON() != text {
		return fmt.Errorf("%s: the snapshot of a view is not the snapshot: %v", show(input), err)
	}
	return nil
}

// destroy changes everything in a decoded value.
func destroy(v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, item := range v {
			destroy(item)
			delete(v, name)
		}
		v["destroyed"] = true
	case []any:
		for i, item := range v {
			destroy(item)
			v[i] = "destroyed"
		}
	}
}

// checkAliases puts containers of the input's value into a value twice, or into
// themselves: no snapshot comes of it, and the payload is not in the error.
func checkAliases(im Implementation, input []byte) error {
	var v any
	if json.Unmarshal(input, &v) != nil {
		return nil
	}
	snap := im.(Snapshotter)
	if _, err := snap.Of(v); err != nil {
		return nil
	}
	for _, c := range containers(v, nil) {
		var reasons []error
		_, err := snap.Of([]any{v, c})
		reasons = append(reasons, err)
		if m, ok := c.(map[string]any); ok {
			m["\x00self"] = c
			_, err = snap.Of(v)
			reasons = append(reasons, err)
			delete(m, "\x00self")
		}
		for _, err := range reasons {
			// A deep value may be too deep with one level more.
			if !errors.Is(err, reject.RepeatedReference) && !errors.Is(err, reject.Cycle) && !errors.Is(err, reject.LimitDepth) {
				return fmt.Errorf("%s: a container that is reached twice gives %v", show(input), err)
			}
		}
	}
	return nil
}

// containers lists up to eight containers that are not empty slices, which are
// never aliases.
func containers(v any, found []any) []any {
	const most = 8
	if len(found) >= most {
		return found
	}
	switch c := v.(type) {
	case map[string]any:
		found = append(found, c)
		for _, item := range c {
			found = containers(item, found)
		}
	case []any:
		if len(c) > 0 {
			found = append(found, c)
		}
		for _, item := range c {
			found = containers(item, found)
		}
	}
	return found
}
