package toolcall

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/touchstone-oracle/touchstone/snapshot"
)

// A Projection shows a tool's arguments to others than policy and handler. It
// runs once an attempt, on a view of its own, after the snapshot and before
// policy. permission is for the host's own prompts, persisted for the records
// and for the model. Both must lie in the strict domain, and persisted keeps the
// names: if the arguments are an object, it is one with the same names, since a
// model repeats the names that it is shown.
type Projection func(ctx context.Context, arguments any) (permission, persisted any, err error)

// Views are the projections of a call's arguments: immutable values, zero where
// no projection ran or it failed.
type Views struct {
	// Permission is for the host's own prompts. It is neither what policy sees
	// nor evidence of anything.
	Permission snapshot.Snapshot
	// Persisted is what is recorded.
	Persisted snapshot.Snapshot
}

// ModelFacing is what the model is shown of its own call later: the persisted view.
func (v Views) ModelFacing() snapshot.Snapshot { return v.Persisted }

// ShowAll is the projection that shows the arguments as they are.
func ShowAll(_ context.Context, arguments any) (permission, persisted any, err error) {
	return arguments, arguments, nil
}

// Hidden stands where Hide hides a value.
const Hidden = "[hidden]"

// Hide makes the projection that replaces the values of the given names by
// Hidden, at the top of the arguments, in both views. Arguments that are no
// object are hidden whole.
func Hide(names ...string) Projection {
	names = slices.Clone(names)
	return func(_ context.Context, arguments any) (permission, persisted any, err error) {
		object, ok := arguments.(map[string]any)
		if !ok {
			return Hidden, Hidden, nil
		}
		for _, name := range names {
			if _, has := object[name]; has {
				object[name] = Hidden
			}
		}
		return object, object, nil
	}
}

var errNames = errors.New("the persisted view has other names than the arguments")

// views runs a tool's projection, if it has one.
func (t *Tool) views(ctx context.Context, arguments snapshot.Snapshot, limits snapshot.Options) (v Views, err error) {
	if t.Projection == nil {
		return Views{}, nil
	}
	type pair struct{ permission, persisted any }
	out, err := guard(func() (pair, error) {
		permission, persisted, err := t.Projection(ctx, arguments.View())
		return pair{permission, persisted}, err
	})
	if err != nil {
		return Views{}, err
	}
	if v.Permission, err = limits.Of(out.permission); err != nil {
		return Views{}, err
	}
	if v.Persisted, err = limits.Of(out.persisted); err != nil {
		return Views{}, err
	}
	if !sameNames(arguments.View(), v.Persisted.View()) {
		return Views{}, errNames
	}
	return v, nil
}

// sameNames reports whether b has the names of a, if a is an object.
func sameNames(a, b any) bool {
	object, ok := a.(map[string]any)
	if !ok {
		return true
	}
	other, ok := b.(map[string]any)
	return ok && maps.EqualFunc(object, other, func(any, any) bool { return true })
}
