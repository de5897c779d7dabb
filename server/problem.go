package server

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
)

// problemBase is the page that explains the types of problems.
const problemBase = "https://github.com/touchstone-oracle/touchstone/blob/main/docs/server.md#"

// A problem is what stands between a request and its answer, in the form of RFC
// 9457. It holds nothing of a document: member names in pointers are "*".
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`

	// Of a document that is refused, its first fault.
	Profile string   `json:"profile,omitempty"`
	Verdict string   `json:"verdict,omitempty"`
	*Fault           // nil where no document is refused
	Faults  []*Fault `json:"faults,omitempty"` // all of them

	retry bool   // the same request may succeed later
	last  bool   // the connection is of no more use
	allow string // the method that is served, where another was used
}

// A Fault is a reason to refuse a document, and where.
type Fault struct {
	Reason      string         `json:"reason"`
	Meaning     string         `json:"meaning"`
	Requirement string         `json:"requirement"`
	Clause      *result.Clause `json:"clause,omitempty"`
	Offset      int            `json:"offset"`
	Line        int            `json:"line"`
	Column      int            `json:"column"`
	Pointer     string         `json:"pointer"`
	Advice      string         `json:"advice,omitempty"`
}

// kinds are the types of problems: the fragment of the type, and the title.
var kinds = map[string]string{
	"refused":      "the document is refused",
	"too-large":    "the document is too large",
	"too-slow":     "the document did not arrive in time",
	"cut-short":    "the document did not arrive whole",
	"media-type":   "the body is not a document",
	"parameter":    "a parameter is wrong",
	"not-found":    "there is nothing at this address",
	"method":       "the method is not served here",
	"wrong-host":   "the request names another host",
	"other-origin": "the request comes from a page of another origin",
	"too-many":     "too many requests from one address at once",
	"busy":         "the server is busy",
	"took-long":    "the answer took too long",
	"stopping":     "the server is stopping",
	"disagreement": "two derivations of the answer disagree",
	"internal":     "the server failed",
}

// newProblem makes a problem of a kind.
func newProblem(kind string, status int, detail string) *problem {
	title, ok := kinds[kind]
	if !ok {
		panic("server: there is no problem of the kind " + kind)
	}
	return &problem{
		Type: problemBase + kind, Title: title, Status: status, Detail: detail,
		retry: status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests,
		last:  status == http.StatusRequestTimeout || status == http.StatusRequestEntityTooLarge,
	}
}

// refusal makes the problem of a document that is refused. The faults are those
// of the verdict, first the one that the library gave.
func refusal(v verdict.Verdict, given *reject.Error) *problem {
	p := newProblem("refused", http.StatusUnprocessableEntity, given.Reason.Meaning()+at(given.Offset)+": "+given.Reason.Advice())
	p.Profile, p.Verdict = v.Profile.String(), string(v.Kind)
	for _, f := range v.Faults {
		place := newFault(f)
		if f.Reason == given.Reason && p.Fault == nil {
			p.Fault = place
		}
		p.Faults = append(p.Faults, place)
	}
	if p.Fault == nil { // a limit of the library's own
		p.Fault = newFault(given)
	}
	return p
}

func at(offset int) string { return ", at offset " + strconv.Itoa(offset) }

func newFault(f *reject.Error) *Fault {
	place := &Fault{
		Reason: f.Reason.String(), Meaning: f.Reason.Meaning(), Requirement: f.Requirement, Advice: f.Reason.Advice(),
		Offset: f.Offset, Line: f.Line, Column: f.Column, Pointer: cut(f.Pointer),
	}
	if q, ok := reject.LookupRequirement(f.Requirement); ok {
		place.Clause = &result.Clause{ID: q.ID, Source: q.Source, Section: q.Section, Group: string(q.Group), Text: q.Text}
	}
	return place
}

// cut bounds a pointer, which can be half as long as the document.
func cut(pointer string) string {
	const most = 4096
	if len(pointer) <= most {
		return pointer
	}
	return pointer[:most] + "…"
}

// write sends the problem.
func (p *problem) write(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	if p.retry {
		h.Set("Retry-After", "1")
	}
	if p.last {
		h.Set("Connection", "close")
	}
	if p.allow != "" {
		h.Set("Allow", p.allow)
	}
	body, err := json.Marshal(p)
	if err != nil {
		panic(err) // plain data
	}
	h.Set("Content-Length", strconv.Itoa(len(body)+1))
	w.WriteHeader(p.Status)
	w.Write(append(body, '\n'))
}
