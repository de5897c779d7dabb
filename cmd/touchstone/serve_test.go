package main

import (
	"net"
	"slices"
	"testing"
)

// TestWhoMayCallTheServer: on loopback its names are known; elsewhere only those
// that are given, and without any the host is not looked at.
func TestWhoMayCallTheServer(t *testing.T) {
	own := []string{"127.0.0.1", "::1", "localhost"}
	for _, c := range []struct {
		address string
		hosts   []string
		want    []string
	}{
		{"127.0.0.1:1", nil, own},
		{"[::1]:1", nil, own},
		{"127.0.0.2:1", []string{"Oracle.Test"}, []string{"127.0.0.1", "127.0.0.2", "::1", "localhost", "oracle.test"}},
		{"192.0.2.1:1", nil, nil},
		{"192.0.2.1:1", []string{"oracle.test"}, []string{"192.0.2.1", "oracle.test"}},
	} {
		address, err := net.ResolveTCPAddr("tcp", c.address)
		if err != nil {
			t.Fatal(err)
		}
		got, err := serveOptions{hosts: c.hosts}.names(address)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s, %v: %v, %v; want %v", c.address, c.hosts, got, err, c.want)
		}
	}
	for host, want := range map[string]bool{
		"127.0.0.1": true, "127.8.7.8": true, "::1": true, "localhost": true, "::ffff:127.0.0.1": true,
		"": false, "0.0.0.0": false, "::": false, "192.0.2.1": false, "localhost.example": false, "127.0.0.1.example": false,
	} {
		if loopback(host) != want {
			t.Errorf("%q: loopback is %v", host, !want)
		}
	}
}
