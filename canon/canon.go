package canon

import "bytes"

// Append appends the canonical form of the JSON text src to dst and returns
// the longer slice (RFC 8785 section 3.2).
//
// On an error it returns dst as it was given: bytes up to its length are never
// changed. What lies between its length and its capacity may be overwritten in
// either case, and nothing beyond. src is only read, and nothing of it is kept;
// it must not share memory with that spare capacity of dst.
//
// The limits are those of the zero [Options].
func Append(dst, src []byte) ([]byte, error) { return defaultRules.append(dst, src) }

// Canonicalize returns the canonical form of the JSON text src in a slice of
// its own, nil if there is an error. The limits are those of the zero [Options].
func Canonicalize(src []byte) ([]byte, error) { return defaultRules.canonicalize(src) }

// Valid reports whether src is canonical: whether it is a JSON text that
// [Append] accepts and whose canonical form is src itself, byte for byte. The
// limits are those of the zero [Options].
func Valid(src []byte) bool { return defaultRules.valid(src) }

// Append is [Append] within the limits of o.
func (o Options) Append(dst, src []byte) ([]byte, error) {
	r := o.rules()
	return r.append(dst, src)
}

// Canonicalize is [Canonicalize] within the limits of o.
func (o Options) Canonicalize(src []byte) ([]byte, error) {
	r := o.rules()
	return r.canonicalize(src)
}

// Valid is [Valid] within the limits of o.
func (o Options) Valid(src []byte) bool {
	r := o.rules()
	return r.valid(src)
}

func (r *rules) append(dst, src []byte) ([]byte, error) {
	if len(src) > r.input {
		return dst, limitFault(0, "input", r.input).error(src)
	}
	if r.strict {
		if f := r.check(src); f != nil {
			return dst, f.error(src)
		}
	}
	out, ok := appendFast(r, dst, src)
	if !ok || r.noncharacters && hasNoncharacter(out[len(dst):]) {
		if f := r.check(src); f != nil {
			return dst, f.error(src)
		}
		out = writePlain(dst, src) // the fast path does not go so far
	}
	if len(out)-len(dst) > r.output {
		return dst, limitFault(0, "output", r.output).error(src)
	}
	return out, nil
}

func (r *rules) canonicalize(src []byte) ([]byte, error) {
	out, err := r.append(nil, src)
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (r *rules) valid(src []byte) bool {
	if len(src) > min(r.input, r.output) {
		return false
	}
	valid, ok := validFast(r, src)
	if !ok {
		out, err := r.append(nil, src)
		return err == nil && bytes.Equal(out, src)
	}
	switch {
	case !valid || r.noncharacters && hasNoncharacter(src):
		return false
	case r.strict || r.counted && !withinFast(r, src):
		return r.check(src) == nil
	}
	return true
}
