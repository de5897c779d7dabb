//go:build !linux

package server

import "net"

// refuseNewcomers does nothing: this system knows no way. Who connects between
// the last Accept and the Close is cut off.
func refuseNewcomers(net.Listener) {}

// waiting is not known here.
func waiting(net.Listener) bool { return false }
