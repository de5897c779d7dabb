package shrink

// bytes makes the steps on single bytes.
func (m *minimizer) bytes() {
	m.chunks(len(m.best), func(from, to int) bool {
		return to <= len(m.best) && m.splice(from, to, nil)
	})
	m.around()
	for i := 0; i < len(m.best) && m.left > 0; i++ {
		for _, c := range []byte("018aA[") {
			if rank[c] >= rank[m.best[i]] || m.splice(i, i+1, []byte{c}) {
				break
			}
		}
	}
}

// around takes out two bytes at once that stand apart, such as quotes or
// brackets: near each other only, since there are as many pairs as squares.
func (m *minimizer) around() {
	const near = 4
	for i := 0; i < len(m.best) && m.left > 0; i++ {
		for j := i + 1; j <= i+near && j < len(m.best); j++ {
			kept := append([]byte(nil), m.best[i+1:j]...)
			if m.splice(i, j+1, kept) {
				i = max(i-near, 0)
				break
			}
		}
	}
}
