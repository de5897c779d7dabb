package server

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/explain"
	"github.com/touchstone-oracle/touchstone/server/page"
)

// showPage shows the empty page, or the page with one of its examples.
func (s *Server) showPage(w http.ResponseWriter, r *http.Request) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	example, ok := page.LookupExample(values.Get("example"))
	if err != nil || len(values) > 0 && !ok {
		newProblem("parameter", http.StatusBadRequest, "the page has no such example").write(w)
		return
	}
	if !ok {
		sendPage(w, http.StatusOK, page.Form{}, nil)
		return
	}
	s.admitted(w, r, func() *problem {
		return s.explainOnPage(w, r, page.Form{Document: []byte(example.Document)}, url.Values{})
	})
}

// submitPage explains what the form sends: the page without scripts.
func (s *Server) submitPage(w http.ResponseWriter, r *http.Request) {
	s.admitted(w, r, func() *problem {
		values, upload, p := s.readForm(w, r)
		if p != nil {
			return p
		}
		f := page.Form{Profile: values.Get("profile"), Agent: values.Get("agent"), Tool: values.Get("tool")}
		var ok bool
		if f.Document, ok = formDocument(values, upload); !ok {
			f.Document, f.Problem = []byte(values.Get("document")), "These are not pairs of hexadecimal digits."
			sendPage(w, http.StatusBadRequest, f, nil)
			return nil
		}
		if int64(len(f.Document)) > s.options.MaxBody {
			return newProblem("too-large", http.StatusRequestEntityTooLarge, "the document is larger than "+strconv.FormatInt(s.options.MaxBody, 10)+" bytes")
		}
		if (f.Agent == "") != (f.Tool == "") { // a form half filled in asks for nothing
			values.Del("agent")
			values.Del("tool")
		}
		return s.explainOnPage(w, r, f, values)
	})
}

func (s *Server) explainOnPage(w http.ResponseWriter, r *http.Request, f page.Form, values url.Values) *problem {
	q, p := s.newQuery(values, true)
	if p != nil {
		return p
	}
	f.Profile = q.profile.String()
	var e *explain.Explanation
	if late := s.worked(r, s.places(q), func() { e = s.explanation(r, q, f.Document) }); late != nil {
		return late
	}
	sendPage(w, http.StatusOK, f, e)
	return nil
}

func sendPage(w http.ResponseWriter, status int, f page.Form, e *explain.Explanation) {
	var b bytes.Buffer
	if err := page.Write(&b, f, e); err != nil {
		panic(err) // the template fits its data
	}
	sendHTML(w, status, b.Bytes())
}

func sendHTML(w http.ResponseWriter, status int, content []byte) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(status)
	w.Write(content)
}

// results explains a document to the page's script.
func (s *Server) results(w http.ResponseWriter, r *http.Request) {
	s.admitted(w, r, func() *problem {
		q, p := s.readQuery(r.URL, []string{"profile", "peers", "agent", "tool"})
		if p != nil {
			return p
		}
		src, p := s.readDocument(w, r)
		if p != nil {
			return p
		}
		var b bytes.Buffer
		if late := s.worked(r, s.places(q), func() {
			if err := page.WriteResults(&b, s.explanation(r, q, src)); err != nil {
				panic(err) // the template fits its data
			}
		}); late != nil {
			return late
		}
		sendHTML(w, http.StatusOK, b.Bytes())
		return nil
	})
}

// readForm reads the page's form, as a browser sends it. upload is the chosen
// file, nil if there is none.
func (s *Server) readForm(w http.ResponseWriter, r *http.Request) (values url.Values, upload []byte, p *problem) {
	kind, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		kind = ""
	}
	read := map[string]func() error{
		"application/x-www-form-urlencoded": func() (err error) { values, err = readURLEncoded(r.Body); return err },
		"multipart/form-data": func() (err error) {
			values, upload, err = readMultipart(multipart.NewReader(r.Body, parameters["boundary"]))
			return err
		},
	}[kind]
	if read == nil {
		return nil, nil, newProblem("media-type", http.StatusUnsupportedMediaType, "the page sends a form; programs use /v1/explain")
	}
	const around = 64 << 10              // names, boundaries and the other fields
	most := 3*s.options.MaxBody + around // each byte may be escaped, or written as two digits
	return values, upload, s.arriving(w, r, most, read)
}

func readURLEncoded(body io.Reader) (url.Values, error) {
	text, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	return url.ParseQuery(string(text))
}

// maxParts bounds the parts of a form; the page has seven fields.
const maxParts = 16

func readMultipart(form *multipart.Reader) (url.Values, []byte, error) {
	values := url.Values{}
	var upload []byte
	for range maxParts {
		part, err := form.NextRawPart()
		if err == io.EOF {
			return values, upload, nil
		}
		if err != nil {
			return nil, nil, err
		}
		content, err := io.ReadAll(part) // the whole body is bounded
		if err != nil {
			return nil, nil, err
		}
		switch {
		case part.FormName() == "file" && part.FileName() != "":
			upload = content
		case part.FormName() != "file":
			values.Set(part.FormName(), string(content))
		}
	}
	return nil, nil, errors.New("server: too many parts in a form")
}

// formDocument gives the document that a form holds; it is not ok if the
// hexadecimal digits are none. Browsers write the line feeds of a text box as two
// characters, which is undone.
func formDocument(values url.Values, upload []byte) (document []byte, ok bool) {
	text := values.Get("document")
	switch {
	case upload != nil:
		return upload, true
	case values.Get("encoding") == "hex":
		document, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
		return document, err == nil
	}
	return []byte(strings.ReplaceAll(text, "\r\n", "\n")), true
}
