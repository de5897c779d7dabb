package server

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/explain"
	"github.com/touchstone-oracle/touchstone/server/page"
)

// openAPI describes the interface to programs, in OpenAPI 3.1.
//
//go:embed openapi.json
var openAPI []byte

func (s *Server) table() map[string]map[string]http.HandlerFunc {
	table := map[string]map[string]http.HandlerFunc{
		"/": {"GET": s.showPage, "POST": s.submitPage},

		"/v1/canonicalize": {"POST": s.canonicalize},
		"/v1/verify":       {"POST": s.verify},
		"/v1/explain":      {"POST": s.explainDocument},
		"/v1/snapshot":     {"POST": s.snapshot},
		"/v1/openapi.json": {"GET": file("application/json", openAPI)},
		"/results":         {"POST": s.results},
		"/healthz":         {"GET": s.health},
		"/metrics":         {"GET": s.showMetrics},
		"/backend.js":      {"GET": file("text/javascript; charset=utf-8", page.ServerBackend())},
	}
	types := map[string]string{"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
	for name, content := range page.Assets() {
		_, extension, _ := strings.Cut(name, ".")
		table["/"+name] = map[string]http.HandlerFunc{"GET": file(types[extension], content)}
	}
	return table
}

// routes chooses by path and method. HEAD is GET without a body.
func (s *Server) routes() http.Handler {
	table := s.table()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		methods, ok := table[r.URL.Path]
		if !ok {
			newProblem("not-found", http.StatusNotFound, "see /v1/openapi.json for what is served").write(w)
			return
		}
		noteRoute(w, r.URL.Path)
		method := r.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		if serve := methods[method]; serve != nil {
			serve(w, r)
			return
		}
		p := newProblem("method", http.StatusMethodNotAllowed, "the method served here stands in the Allow field")
		p.allow = strings.Join(allowed(methods), ", ")
		p.write(w)
	})
}

func allowed(methods map[string]http.HandlerFunc) []string {
	var all []string
	for method := range methods {
		all = append(all, method)
		if method == http.MethodGet {
			all = append(all, http.MethodHead)
		}
	}
	slices.Sort(all)
	return all
}

func file(kind string, content []byte) http.HandlerFunc {
	length := strconv.Itoa(len(content))
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Content-Length", length)
		w.Write(content)
	}
}

func (s *Server) canonicalize(w http.ResponseWriter, r *http.Request) {
	s.answer(w, r, []string{"profile"}, func(q query, src []byte) (any, *problem) { return s.engines.canonicalized(q.profile, src) })
}

func (s *Server) verify(w http.ResponseWriter, r *http.Request) {
	s.answer(w, r, []string{"profile"}, func(q query, src []byte) (any, *problem) { return s.engines.verified(q.profile, src) })
}

func (s *Server) snapshot(w http.ResponseWriter, r *http.Request) {
	s.answer(w, r, []string{"agent", "tool"}, func(q query, src []byte) (any, *problem) { return s.engines.snapshotted(q.agent, q.tool, src) })
}

func (s *Server) explainDocument(w http.ResponseWriter, r *http.Request) {
	s.answer(w, r, []string{"profile", "peers", "agent", "tool"}, func(q query, src []byte) (any, *problem) {
		return s.explanation(r, q, src), nil
	})
}

// answer reads parameters and document, has them answered and sends the answer
// as JSON.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, names []string, work func(query, []byte) (any, *problem)) {
	s.admitted(w, r, func() *problem {
		q, p := s.readQuery(r.URL, names)
		if p != nil {
			return p
		}
		src, p := s.readDocument(w, r)
		if p != nil {
			return p
		}
		var body []byte
		if late := s.worked(r, s.places(q), func() {
			var answer any
			if answer, p = work(q, src); p == nil {
				body, _ = json.Marshal(answer) // plain data
			}
		}); late != nil {
			return late
		}
		if p == nil {
			sendJSON(w, body)
		}
		return p
	})
}

func sendJSON(w http.ResponseWriter, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)+1))
	w.Write(append(body, '\n'))
}

// places gives where a question is worked on: those that implementations are
// asked about must not keep the others waiting.
func (s *Server) places(q query) chan struct{} {
	if q.peers {
		return s.asking
	}
	return s.work
}

// explanation explains a document, and asks implementations if the query wants
// them asked.
func (s *Server) explanation(r *http.Request, q query, src []byte) *explain.Explanation {
	var e *explain.Explanation
	if q.peers {
		e = s.options.Panel.Explain(r.Context(), q.profile, src)
	} else {
		e = explain.Document(src)
	}
	if q.tool != "" {
		e.Bind(q.agent, q.tool) // the names are UTF-8
	}
	return e
}

// A query is what parameters say.
type query struct {
	profile     reject.Profile
	peers       bool // implementations are asked
	agent, tool string
}

const maxName = 200 // bytes of an agent's or a tool's name

// readQuery reads the parameters of an address; names are those that it may
// have. Implementations are asked where peers is one of them, unless it is off.
func (s *Server) readQuery(u *url.URL, names []string) (query, *problem) {
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return query{}, wrongParameter("the query is not in the form name=value&name=value")
	}
	for name, given := range values {
		if !slices.Contains(names, name) {
			return query{}, wrongParameter("the parameters here are " + strings.Join(names, ", "))
		}
		if len(given) != 1 {
			return query{}, wrongParameter("a parameter is given twice")
		}
	}
	return s.newQuery(values, slices.Contains(names, "peers"))
}

func (s *Server) newQuery(values url.Values, asks bool) (query, *problem) {
	q := query{agent: values.Get("agent"), tool: values.Get("tool"), peers: asks && s.options.Panel != nil}
	if name := values.Get("profile"); name != "" {
		var err error
		if q.profile, err = reject.ParseProfile(name); err != nil {
			return query{}, wrongParameter("profile is one of rfc8785, ijson, rfc0016")
		}
	}
	switch values.Get("peers") {
	case "", "on":
	case "off":
		q.peers = false
	default:
		return query{}, wrongParameter("peers is on or off")
	}
	switch {
	case (q.agent == "") != (q.tool == ""):
		return query{}, wrongParameter("agent and tool go together")
	case len(q.agent) > maxName || len(q.tool) > maxName || !utf8.ValidString(q.agent) || !utf8.ValidString(q.tool):
		return query{}, wrongParameter("agent and tool are UTF-8 of at most 200 bytes")
	}
	return q, nil
}

func wrongParameter(detail string) *problem {
	return newProblem("parameter", http.StatusBadRequest, detail)
}

// health says whether requests should be sent here.
func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	if s.stopping() {
		newProblem("stopping", http.StatusServiceUnavailable, "it answers what it has accepted and ends").write(w)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Write([]byte("ok\n"))
}
