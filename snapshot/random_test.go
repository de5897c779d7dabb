package snapshot_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/touchstone-oracle/touchstone/snapshot"
)

// A maker builds random Go values that now and then share, repeat or contain
// what they should not.
type maker struct {
	*rand.Rand
	made  []any // containers made so far, open ones too
	array []any // windows of it are handed out
	fault int   // one choice in so many leaves the domain
}

func (m *maker) value(depth int) any {
	if m.fault > 0 && m.IntN(m.fault) == 0 {
		return m.strange()
	}
	kind := m.IntN(9)
	if depth <= 0 {
		kind = m.IntN(5)
	}
	switch kind {
	case 0:
		return nil
	case 1:
		return m.IntN(2) == 0
	case 2:
		return m.name()
	case 3:
		return float64(m.Int64N(1<<54)) / float64(int64(1)<<m.IntN(60))
	case 4:
		return []any{m.IntN(1000), int8(-m.IntN(100)), uint32(m.Uint32()), int64(m.Int64N(1 << 53)), json.Number("12.50")}[m.IntN(5)]
	case 5:
		if from := m.IntN(len(m.array)); m.IntN(4) == 0 {
			return m.array[from:min(from+m.IntN(3), len(m.array))]
		}
		fallthrough
	case 6:
		s := make([]any, m.IntN(5))
		m.made = append(m.made, s)
		for i := range s {
			s[i] = m.value(depth - 1)
		}
		return s
	}
	object := map[string]any{}
	m.made = append(m.made, object)
	for range m.IntN(5) {
		object[m.name()] = m.value(depth - 1)
	}
	return object
}

func (m *maker) name() string {
	parts := []string{"", "a", "b", "\x00", "\n", "é", "\ue000", "\uffff", "😀", "__proto__", "10", "9", "\""}
	return parts[m.IntN(len(parts))] + parts[m.IntN(len(parts))]
}

func (m *maker) strange() any {
	if len(m.made) > 0 && m.IntN(2) == 0 {
		return m.made[m.IntN(len(m.made))]
	}
	return []any{
		math.NaN(), math.Inf(1), math.Copysign(0, -1), "\xff", "a\xed\xa0\x80", []any(nil), map[string]any(nil), int64(1) << 60,
		json.Number("1e400"), json.Number("x"), json.Number("0.1000000000000000055"), []string{"a"}, struct{}{}, float32(1),
		map[string]any{"\xfe": 1, "\xfd": 2},
	}[m.IntN(15)]
}

// TestRandomValuesAgreeWithTheJudge holds Of to the second derivation.
func TestRandomValuesAgreeWithTheJudge(t *testing.T) {
	refused, rounds := 0, 20_000
	if testing.Short() {
		rounds = 2000
	}
	for seed := range uint64(rounds) {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 16)), array: make([]any, 6), fault: int(seed%40) * 2}
		value := m.value(5)
		agree(t, value)
		s, err := snapshot.Of(value)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
		if err != nil {
			refused++
			continue
		}
		if again, err := snapshot.Of(s.View()); err != nil || again != s {
			t.Fatalf("seed %d: the view's snapshot is %q, %v", seed, again.CanonicalJSON(), err)
		}
		if again, err := snapshot.Verify([]byte(s.CanonicalJSON())); err != nil || again != s {
			t.Fatalf("seed %d: stored and verified: %v", seed, err)
		}
	}
	if refused < rounds/10 || refused > rounds*9/10 {
		t.Errorf("%d of %d refused: the values are one-sided", refused, rounds)
	}
}
