package server

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

// policy is the pages' Content-Security-Policy: their own files, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// headers stand in every answer.
var headers = map[string]string{
	"Content-Security-Policy":      policy,
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
	"Referrer-Policy":              "same-origin", // no-referrer would hide from us, too, where a form comes from
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), geolocation=(), microphone=()",
	"Cache-Control":                "no-store",
}

// guarded puts before a handler what every request goes through: it is counted,
// gets its headers, must be meant for this server, and must not end it.
func (s *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		noted := &notedWriter{ResponseWriter: w}
		s.counters.begin()
		defer func() {
			s.counters.end(noted.route, noted.status, noted.written, time.Since(begin))
		}()
		defer recovered(noted)
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		if s.stopping() {
			w.Header().Set("Connection", "close")
		}
		if p := s.stranger(r); p != nil {
			p.write(noted)
			return
		}
		next.ServeHTTP(noted, r)
	})
}

// stranger refuses requests that are not meant for this server: whose name leads
// here by a trick of the name service (DNS rebinding), or that a page of another
// origin made a browser send.
func (s *Server) stranger(r *http.Request) *problem {
	if !s.named(r.Host) {
		return newProblem("wrong-host", http.StatusMisdirectedRequest, "the host of the request is not one of this server's names")
	}
	if err := s.origins.Check(r); err != nil {
		detail := "pages of other origins may not send documents here"
		if r.Header.Get("Origin") == "null" {
			detail = "the browser hides which page sends this (Origin: null), and pages of other origins may not send documents here: " +
				"open this server's page anew, without what hides its origin, or send the document to /v1/explain by a program"
		}
		return newProblem("other-origin", http.StatusForbidden, detail)
	}
	return nil
}

// named reports whether a Host field names this server, whatever the port.
func (s *Server) named(host string) bool {
	if len(s.options.Hosts) == 0 {
		return true
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	return slices.Contains(s.options.Hosts, host)
}

// recovered answers a panic, of which nothing is told: its text could hold a
// part of a document.
func recovered(w *notedWriter) {
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler {
		panic(p)
	}
	if w.status == 0 {
		newProblem("internal", http.StatusInternalServerError, fmt.Sprintf("a fault of the server's own (%T): please report it", p)).write(w)
	}
}

// A notedWriter notes what is answered.
type notedWriter struct {
	http.ResponseWriter
	route   string // "" before it is known
	status  int    // 0 before it is sent
	written int64
}

// Unwrap gives the writer to http.ResponseController.
func (w *notedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *notedWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *notedWriter) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.written += int64(n)
	return n, err
}

func noteRoute(w http.ResponseWriter, route string) {
	if noted, ok := w.(*notedWriter); ok {
		noted.route = route
	}
}
