//go:build purego || !(amd64 || arm64)

package canon

// eachKernel calls f for every way to read a text: here is one alone.
func eachKernel(f func()) { f() }
