package zoo

import "testing"

// A request may do so much work and no more, whatever was done before it.
func TestHungBeyondItsWork(t *testing.T) {
	work := 0
	m := Creature{plant: answering(func(m *machine, _ []byte) ([]byte, bool) { m.step(work); return nil, true })}.New()
	ask := func(steps int) (hung any) {
		defer func() { hung = recover() }()
		work = steps
		m.Canonicalize(nil)
		return nil
	}
	for _, steps := range []int{1, mostSteps, mostSteps} {
		if hung := ask(steps); hung != nil {
			t.Errorf("after %d steps: %v", steps, hung)
		}
	}
	if hung := ask(mostSteps + 1); hung != Hung {
		t.Errorf("after one more: %v", hung)
	}
	if done := m.Work(); done != 1+3*mostSteps+1 {
		t.Errorf("%d steps are counted", done)
	}
}
