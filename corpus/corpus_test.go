package corpus

import (
	"testing"
	"testing/fstest"
)

// There is something to start from, and no file stands twice.
func TestInputs(t *testing.T) {
	targets, err := Targets()
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		all, err := For(target)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]string{}
		for _, in := range all {
			if other, twice := seen[string(in.Data)]; twice {
				t.Errorf("%s/%s is %s again", in.Target, in.Name, other)
			}
			seen[string(in.Data)] = in.Target + "/" + in.Name
		}
		if len(all) < 40 {
			t.Errorf("%s has %d inputs", target, len(all))
		}
	}
}

// A target without files of its own has the shared ones; a corpus without any
// is an error.
func TestNothingFound(t *testing.T) {
	all, err := For("FuzzNothing")
	if err != nil || len(all) == 0 {
		t.Errorf("%d inputs, %v", len(all), err)
	}
	if _, err := from(fstest.MapFS{}, Shared); err == nil {
		t.Error("no folder is no error")
	}
}

// The data is the caller's own.
func TestDataIsFresh(t *testing.T) {
	a, _ := For(Shared)
	b, _ := For(Shared)
	a[0].Data[0] ^= 0xFF
	if a[0].Data[0] == b[0].Data[0] {
		t.Error("two callers share one input")
	}
}
