//go:build !purego

package canon

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestBestKernelIsWhatTheProcessorHas by what the system says of it.
func TestBestKernelIsWhatTheProcessorHas(t *testing.T) {
	text, err := os.ReadFile("/proc/cpuinfo")
	_, flags, found := strings.Cut(string(text), "\nflags")
	if err != nil || !found {
		t.Skip("the system does not say what the processor has: no flags in /proc/cpuinfo")
	}
	flags, _, _ = strings.Cut(flags, "\n")
	has := strings.Fields(flags)
	all := func(names string) bool {
		return !slices.ContainsFunc(strings.Fields(names), func(name string) bool { return !slices.Contains(has, name) })
	}
	want := kernelNone
	if all("avx2 bmi1 pclmulqdq popcnt") {
		want = kernelAVX2
		if all("bmi2 avx512f avx512bw avx512vl avx512_vbmi2") {
			want = kernelAVX512
		}
	}
	if bestKernel != want {
		t.Errorf("kernel %d of a processor with %s: want %d", bestKernel, flags, want)
	}
}
