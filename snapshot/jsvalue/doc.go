// Package jsvalue is the strict snapshot domain of RFC-0016 for JavaScript
// values, on the engine goja.
//
// Of reads a value through its own property descriptors and nothing else. No
// getter, setter, proxy trap, toJSON, iterator, species constructor or valueOf
// runs, and nothing inherited is read: the functions that do the reading belong
// to a realm of their own, to which the value's code has no access, so that
// polluted prototypes and replaced built-ins change nothing.
//
// What an object is, is told by its brand, that is by what the engine made it,
// and not by its prototype: a Date whose prototype was swapped is still a Date.
// The brands that are taken are an allow-list of two, ordinary objects and
// arrays, read from the engine's internals; BrandsOf names the version of goja
// for which the list was checked, and a test fails with any other.
//
// Where RFC-0016's text leaves a choice, this package refuses: arrays whose
// prototype is not the realm's Array.prototype, records of another realm,
// proxies whether or not they have traps, JSON.rawJSON objects, nesting beyond
// the limit.
//
// A value and its runtime belong to one goroutine at a time; the package itself
// is safe for concurrent use. Evaluate runs source in a fresh runtime, but in
// this process: some built-ins ignore interrupts and allocate without bound, so
// hostile source belongs in a process that can be killed and that has a limit
// of memory.
package jsvalue
