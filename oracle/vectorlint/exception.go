package vectorlint

// witnesses are the foreign engines that must give the right bytes for every
// text that is to be accepted.
var witnesses = []string{"jsontext", "goja"}

// What an exception can stand for beside an engine.
const (
	anyForeign = "foreign" // no foreign lineage confirms the vector
	anyTwo     = "two"     // fewer than two engines confirm the vector
)

// An exception names vectors on which an engine of others departs, or which
// too few engines confirm. Each must occur.
type exception struct {
	engines string // names, anyForeign or anyTwo, separated by spaces
	vectors string // ids or patterns by path.Match, separated by spaces
	why     string
}

var exceptions = []exception{
	{"foreign jsontext goja", "digits-100000-zeros-raised", longExponents},
	{"foreign jsontext goja", "digits-1-and-80[0-2]-zeros-lowered digits-1-and-1000-zeros-lowered no-underflow-1-and-800-zeros-lowered", longIntegers},
	{"foreign", "overflow-1-and-800-zeros-lowered overflow-801-nines-lowered", longIntegers},
	{"foreign", "bom-array bom-object bom-scalar bom-then-space agent-bom domain-minus-zero-behind-bom",
		"every foreign engine refuses a byte order mark, as RFC 8259 section 8.1 allows, so none confirms the bytes; the same texts without it are confirmed"},
	{"two", "js-async-generator js-async-generator-function js-finalization-registry js-realm-date js-realm-date-disguised js-realm-record-null js-shared-array-buffer js-weakref",
		"goja has no other realms, weak references, shared memory or async generators; the adapter for Node confirms them"},
}

// What every foreign engine, being written in Go, shares; seen with Go 1.26.
const (
	longIntegers  = "every foreign engine reads numbers by Go's strconv.ParseFloat, which in its slow path does not count integer digits beyond 800 towards the exponent; V8 and Python agree with the vectors"
	longExponents = "every foreign engine reads numbers by Go's strconv.ParseFloat, which stops to read an exponent at five digits; V8 and Python agree with the vector"
)

// unservedOps names operations with vectors that no built-in engine serves yet.
// A new operation may stand here for a while, with why.
var unservedOps = map[string]string{}

// uncovered names requirements without an accepting or a rejecting vector.
var uncovered = map[string]string{
	"rfc0016/domain/symbol-keys": "a record that is accepted has no such key: there is nothing to name",
	"rfc0016/domain/cycles":      "a value that is accepted has no such reference: there is nothing to name",
	"rfc0016/domain/types":       "every accepted value is of an accepted type: there is nothing to name",
}
