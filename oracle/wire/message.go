package wire

import (
	"encoding/hex"
	"strconv"
)

// Bye is the harness's last line.
const Bye = "bye"

// A Request is one question. ID aliases the line that it was parsed from.
type Request struct {
	ID      []byte
	Op      string
	Payload []byte
}

// AppendRequest appends a request with its line end, under a decimal id.
func AppendRequest(dst []byte, id uint64, op string, payload []byte) []byte {
	dst = strconv.AppendUint(dst, id, 10)
	dst = append(dst, ' ')
	dst = append(dst, op...)
	dst = append(dst, ' ')
	return append(appendPayload(dst, payload), '\n')
}

// RequestSize gives the length of a request's line without its end, or a
// little more: ids are counted with their greatest length.
func RequestSize(op string, payload []byte) int {
	return len("18446744073709551615 ") + len(op) + 1 + max(1, 2*len(payload))
}

// ParseRequest reads a request. Any token may stand for the operation: one
// that is not served is answered with skip.
func ParseRequest(line []byte) (Request, error) {
	s := scanner{kind: "request", line: line}
	var r Request
	r.ID = s.token("id", maxID)
	s.space()
	r.Op = operation(s.token("operation", maxWord))
	s.space()
	r.Payload = s.payload("payload")
	s.end()
	return r, s.err
}

// operation gives a token as a string, a known one without a copy.
func operation(token []byte) string {
	for _, known := range ops {
		if string(token) == known {
			return known
		}
	}
	return string(token)
}

// A Status is the second token of a reply.
type Status uint8

// The statuses.
const (
	OK     Status = iota // the payload is the answer
	Reject               // the input is refused
	Skip                 // the operation, or this input, is not served
	Error                // the question could not be asked
)

var statuses = [...]string{OK: "ok", Reject: "reject", Skip: "skip", Error: "error"}

// String gives the status as it stands in a reply.
func (s Status) String() string {
	if int(s) < len(statuses) {
		return statuses[s]
	}
	return "status(" + strconv.Itoa(int(s)) + ")"
}

// A Reply is one answer. ID, from ParseReply, aliases the line.
type Reply struct {
	ID      []byte
	Status  Status
	Payload []byte // with OK
	Reason  string // with Reject; "" and "-" mean that none is given
	Message []byte // with Reject and Error, may be empty
}

// Append appends the reply with its line end.
func (r Reply) Append(dst []byte) []byte {
	dst = append(dst, r.ID...)
	dst = append(dst, ' ')
	dst = append(dst, r.Status.String()...)
	switch r.Status {
	case OK:
		dst = appendPayload(append(dst, ' '), r.Payload)
	case Reject:
		reason := r.Reason
		if reason == "" {
			reason = "-"
		}
		dst = append(append(dst, ' '), reason...)
		fallthrough
	case Error:
		if len(r.Message) > 0 {
			dst = appendPayload(append(dst, ' '), r.Message)
		}
	}
	return append(dst, '\n')
}

func appendPayload(dst, payload []byte) []byte {
	if len(payload) == 0 {
		return append(dst, '-')
	}
	return hex.AppendEncode(dst, payload)
}

// ParseReply reads a reply. Payload and Message are fresh memory.
func ParseReply(line []byte) (Reply, error) {
	s := scanner{kind: "reply", line: line}
	var r Reply
	r.ID = s.token("id", maxID)
	s.space()
	at := s.at
	switch status := s.token("status", len(line)); {
	case s.err != nil:
	case string(status) == "ok":
		s.space()
		r.Payload = s.payload("payload")
	case string(status) == "reject":
		r.Status = Reject
		s.space()
		r.Reason = s.reason()
		r.Message = s.message()
	case string(status) == "skip":
		r.Status = Skip
	case string(status) == "error":
		r.Status = Error
		r.Message = s.message()
	default:
		s.fail(at, "the status must be ok, reject, skip or error")
	}
	s.end()
	return r, s.err
}

// reason takes "-" or a word of lower-case letters, digits and "_".
func (s *scanner) reason() string {
	at := s.at
	reason := s.token("reason", maxReason)
	if string(reason) == "-" {
		return "-"
	}
	for i, c := range reason {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			s.fail(at+i, "a reason is - or lower-case letters, digits and _")
			return ""
		}
	}
	return string(reason)
}

func (s *scanner) message() []byte {
	if !s.more() {
		return nil
	}
	s.space()
	return s.payload("message")
}
