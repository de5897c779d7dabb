//go:build !unix

package ladder

import "time"

// processorTime is not known here; the wall clock stands for it.
func processorTime() (time.Duration, bool) { return 0, false }
