package server

import "sync"

// A door lets in so many requests at once, and so many of one address.
type door struct {
	mu         sync.Mutex
	most, each int
	inside     int
	addresses  map[string]int // of who is inside
}

func newDoor(most, each int) *door {
	return &door{most: most, each: each, addresses: map[string]int{}}
}

// enter lets a request in, or says why not: "too-many" of its own address, or
// "busy". Who was let in must leave.
func (d *door) enter(address string) (kind string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.addresses[address] >= d.each:
		return "too-many"
	case d.inside >= d.most:
		return "busy"
	}
	d.inside++
	d.addresses[address]++
	return ""
}

func (d *door) leave(address string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.inside--
	if d.addresses[address]--; d.addresses[address] == 0 {
		delete(d.addresses, address)
	}
}

// count gives how many are inside.
func (d *door) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.inside
}
