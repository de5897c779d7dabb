package canon

// For the tests of package canon_test.

// FastAppend is Append by the fast path alone: ok is false where it stops.
func FastAppend(o Options, dst, src []byte) (out []byte, ok bool) {
	r := o.rules()
	return appendFast(&r, dst, src)
}

// PlainAppend is Append by the slow twin, for a text without fault.
func PlainAppend(dst, src []byte) []byte { return writePlain(dst, src) }

// EachKernel calls f for every way in which this processor can read a text; it
// must not run beside other users of the package.
func EachKernel(f func()) { eachKernel(f) }
