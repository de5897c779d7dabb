package server

import (
	"net"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// newcomers drops the first segment of every new connection (RFC 9293 section
// 3.1: the flags are the 14th byte of a TCP header, SYN is 2), so that none is
// made, and lets the last one of those that are being made pass. Who knocks is
// refused once the port is closed.
var newcomers = must(bpf.Assemble([]bpf.Instruction{
	bpf.LoadAbsolute{Off: 13, Size: 1},
	bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: 2, SkipTrue: 1},
	bpf.RetConstant{Val: 1<<32 - 1},
	bpf.RetConstant{Val: 0},
}))

func must(program []bpf.RawInstruction, err error) []bpf.RawInstruction {
	if err != nil {
		panic(err) // it is constant
	}
	return program
}

// refuseNewcomers tells the system to let nobody new connect. Closing alone would
// cut off those who connect between the last Accept and the Close.
func refuseNewcomers(l net.Listener) {
	conn, ok := l.(*net.TCPListener)
	if !ok {
		return
	}
	raw, err := conn.SyscallConn()
	if err != nil {
		return
	}
	var filter []unix.SockFilter
	for _, i := range newcomers {
		filter = append(filter, unix.SockFilter{Code: i.Op, Jt: i.Jt, Jf: i.Jf, K: i.K})
	}
	raw.Control(func(fd uintptr) {
		// Where this is not allowed, closing is as it is elsewhere.
		unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]})
	})
}

// waiting reports whether somebody has connected who is not let in yet.
func waiting(l net.Listener) (somebody bool) {
	conn, ok := l.(*net.TCPListener)
	if !ok {
		return false
	}
	raw, err := conn.SyscallConn()
	if err != nil {
		return false
	}
	raw.Control(func(fd uintptr) {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
		somebody = err == nil && n > 0
	})
	return somebody
}
