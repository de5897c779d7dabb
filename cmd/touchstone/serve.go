package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/oracle/explain"
	"github.com/touchstone-oracle/touchstone/server"
)

// serveOptions are the flags of serve.
type serveOptions struct {
	listen      string
	allowRemote bool
	hosts       []string
	noPeers     bool
	limits      server.Options
}

func newServeCommand() *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "the oracle as a local page and HTTP API",
		Long: `Serves a page on which a document is explained while it is typed, and the same
for programs. POST a document, as application/json or application/octet-stream,
to /v1/canonicalize for its canonical form; to /v1/verify for whether its bytes
are canonical; to /v1/explain for all that "touchstone explain" tells; to
/v1/snapshot for its strict snapshot. Parameters stand in the query: profile
(rfc8785, ijson or rfc0016), agent and tool for a proposal hash, and peers=off
for an explanation without implementations.

A refusal is status 422 with problem details (RFC 9457): reason, requirement,
offset, line, column and pointer, and nothing of the document. GET
/v1/openapi.json describes all of it, /healthz and /metrics are for those who run
it.

Nothing is kept, logged or sent anywhere. Only this machine reaches the server,
unless --allow-remote is given: then everybody who reaches the address can send
documents and use this machine's time, unencrypted and without a password.

SIGINT or SIGTERM stop it: what was accepted is answered, within two seconds. The
status is 0 then, or 5 if an answer had to be cut.`,
		Example: `  touchstone serve
  curl --data-binary @document.json -H 'Content-Type: application/json' \
      http://127.0.0.1:8785/v1/canonicalize
  touchstone serve --listen 127.0.0.1:0 --no-peers`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context(), cmd.OutOrStdout()) },
	}
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", "127.0.0.1:8785", "the `ADDRESS:PORT`; port 0 takes a free one")
	f.BoolVar(&o.allowRemote, "allow-remote", false, "let --listen name an address that other machines reach")
	f.StringArrayVar(&o.hosts, "host", nil, "a further `NAME` by which requests may call the server; repeatable")
	f.BoolVar(&o.noPeers, "no-peers", false, "ask no implementations, give the verdicts alone")
	f.Int64Var(&o.limits.MaxBody, "max-body", 1<<20, "the most `BYTES` of a document, up to 16777216")
	f.DurationVar(&o.limits.Timeout, "timeout", 10*time.Second, "the most time for one answer")
	f.DurationVar(&o.limits.BodyLimit, "body-timeout", 10*time.Second, "the most time in which a document must arrive")
	f.IntVar(&o.limits.Requests, "requests", 64, "the most documents at once; half of them from one address")
	f.IntVar(&o.limits.Connections, "connections", 256, "the most connections at once")
	return cmd
}

func (o serveOptions) run(ctx context.Context, out io.Writer) error {
	if err := o.check(); err != nil {
		return usageError(err)
	}
	listener, err := server.Listen(ctx, o.listen)
	if err != nil {
		return usageError(err)
	}
	o.limits.Version = version()
	if o.limits.Hosts, err = o.names(listener.Addr()); err != nil {
		listener.Close()
		return usageError(err)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(serveMemory)
	}
	if !o.noPeers {
		panel := explain.IsolatedPanel(serveCase, serveCase*3)
		defer panel.Close()
		o.limits.Panel = panel
	}
	if _, err := fmt.Fprintf(out, "the oracle is at http://%s/ until it is interrupted\n", listener.Addr()); err != nil {
		listener.Close()
		return err
	}
	return server.New(o.limits).Run(ctx, listener)
}

// serveMemory is what the server keeps itself to, unless what it works on at once
// needs more, in bytes.
const serveMemory = 192 << 20

// serveCase is how long an implementation may take over a document, and again in
// a fresh process if it did not answer.
const serveCase = 2 * time.Second

func (o serveOptions) check() error {
	l := o.limits
	switch {
	case l.MaxBody < 1 || l.MaxBody > server.MaxBodyMost:
		return fmt.Errorf("--max-body is 1 to %d", server.MaxBodyMost)
	case l.Timeout <= 0 || l.BodyLimit <= 0:
		return errors.New("--timeout and --body-timeout must be positive")
	case l.Requests < 1 || l.Connections < 1:
		return errors.New("--requests and --connections must be positive")
	}
	host, _, err := net.SplitHostPort(o.listen)
	if err != nil {
		return fmt.Errorf("--listen is ADDRESS:PORT: %w", err)
	}
	if !o.allowRemote && !loopback(host) {
		return fmt.Errorf("%q is reached from other machines, without encryption or password: say --allow-remote if that is meant, or listen on 127.0.0.1", host)
	}
	return nil
}

// loopback reports whether a host, as it stands in --listen, is this machine
// alone.
func loopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.Unmap().IsLoopback()
}

// names lists the hosts that requests may name. On loopback a request that names
// another one comes from a page whose name leads here by a trick. Elsewhere the
// server does not know its names, unless they are given.
func (o serveOptions) names(listening net.Addr) ([]string, error) {
	var names []string
	for _, name := range o.hosts {
		if name == "" || strings.ContainsAny(name, "/:@ ") && !isAddress(name) {
			return nil, fmt.Errorf("--host is a name or address without scheme and port, not %q", name)
		}
		names = append(names, strings.ToLower(name))
	}
	address, _, err := net.SplitHostPort(listening.String())
	if err != nil {
		return nil, err
	}
	if loopback(address) {
		names = append(names, "localhost", "127.0.0.1", "::1", address)
	} else if len(names) > 0 {
		names = append(names, address)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

func isAddress(name string) bool {
	_, err := netip.ParseAddr(name)
	return err == nil
}
