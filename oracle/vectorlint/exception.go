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
	engine  string // its name, anyForeign or anyTwo
	vectors string // ids or patterns by path.Match, separated by spaces
	why     string
}

var exceptions = []exception{
	{anyForeign, "bom-array bom-object bom-scalar bom-then-space agent-bom domain-minus-zero-behind-bom",
		"every foreign engine refuses a byte order mark, as RFC 8259 section 8.1 allows, so none confirms the bytes; the same texts without it are confirmed"},
	{anyTwo, "js-async-generator js-async-generator-function js-finalization-registry js-realm-date js-realm-date-disguised js-realm-record-null js-shared-array-buffer js-weakref",
		"goja has no other realms, weak references, shared memory or async generators; the adapter for Node confirms them"},
}

// unservedOps names operations with vectors that no built-in engine serves yet.
// A new operation may stand here for a while, with why.
var unservedOps = map[string]string{}

// uncovered names requirements without an accepting or a rejecting vector.
var uncovered = map[string]string{
	"rfc0016/domain/symbol-keys": "a record that is accepted has no such key: there is nothing to name",
	"rfc0016/domain/cycles":      "a value that is accepted has no such reference: there is nothing to name",
	"rfc0016/domain/types":       "every accepted value is of an accepted type: there is nothing to name",
}
