//go:build !unix

package process

import (
	"os"
	"syscall"
)

// Without Unix there are no process groups: a program is ended alone. Under js
// and wasm none can be started at all, which is told as any start that fails.

func attributes() *syscall.SysProcAttr { return nil }

func killGroup(p *os.Process) { p.Kill() }
