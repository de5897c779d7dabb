package shrink

import (
	"bytes"
)

// bytes makes the steps on single bytes.
func (m *minimizer) bytes() {
	chunks(len(m.best), func(from, to int) bool { return m.splice(from, to, nil) })
	m.around()
	for i := range m.best {
		oneOf([]byte("018aA["), func(c byte) bool {
			return rank[c] >= rank[m.best[i]] || m.splice(i, i+1, []byte{c})
		})
	}
}

// around takes out two bytes at once that stand apart, such as quotes or
// brackets: near each other only, since there are as many pairs as squares.
func (m *minimizer) around() {
	const near = 4
	for i := 0; i < len(m.best); i++ {
		for j := i + 1; j < min(i+near+1, len(m.best)); j++ {
			if m.splice(i, j+1, bytes.Clone(m.best[i+1:j])) {
				i = max(i-near, 0)
				break
			}
		}
	}
}
