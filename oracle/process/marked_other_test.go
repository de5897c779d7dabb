//go:build unix && !linux

package process

// marked finds nothing where the system does not show environments.
func marked([]byte) []int { return nil }
