package peer

import (
	_ "embed"
	"errors"
	"fmt"
	"sync"
	"unicode/utf8"

	"github.com/dop251/goja"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

//go:embed canonicalize.js
var canonicalizeJS string

var program = sync.OnceValue(func() *goja.Program {
	return goja.MustCompile("canonicalize.js", canonicalizeJS, true)
})

// openGoja uses the JavaScript engine goja: JSON.parse, then a canonicalizer
// in JavaScript. Bytes become a string as a TextDecoder with fatal set would
// make it.
func openGoja(reject.Profile) engine {
	vm := goja.New()
	if err := vm.Set("giveWay", giveWay); err != nil {
		panic(fmt.Sprintf("peer: %v", err))
	}
	module, err := vm.RunProgram(program())
	if err != nil {
		panic(fmt.Sprintf("peer: canonicalize.js does not run: %v", err))
	}
	call := func(name string) func(any) ([]byte, error) {
		function, ok := goja.AssertFunction(module.ToObject(vm).Get(name))
		if !ok {
			panic("peer: canonicalize.js has no function " + name)
		}
		return func(argument any) ([]byte, error) {
			out, err := function(goja.Undefined(), vm.ToValue(argument))
			if err != nil {
				return nil, err
			}
			return []byte(out.String()), nil
		}
	}
	canonicalize, write := call("canonicalize"), call("number")
	return engine{
		result.OpCanon: func(input []byte) ([]byte, error) {
			if !utf8.Valid(input) {
				return nil, errNotUTF8
			}
			return canonicalize(string(input))
		},
		result.OpNum: number(func(f float64) ([]byte, error) { return write(f) }),
	}
}

var errNotUTF8 = errors.New("the bytes are not UTF-8")
