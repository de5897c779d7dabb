package canon_test

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/canon/reject"
)

func Example() {
	out, err := canon.Canonicalize([]byte(`{ "to": "Zo\u00eb", "amount": 1.50e3 }`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n%x\n", out, sha256.Sum256(out))
	// Output:
	// {"amount":1500,"to":"Zoë"}
	// d7f5c1a9947774b01b1af0ea8c7d0aa32b7d3a54598e5fcceb16dd1f59e091d7
}

func ExampleAppend() {
	buffer := make([]byte, 0, 64) // room for the text: nothing is allocated
	for _, src := range []string{`[ 1.0 ]`, `{"b":2,"a":1}`} {
		out, err := canon.Append(buffer[:0], []byte(src))
		fmt.Println(string(out), err)
	}
	// Output:
	// [1] <nil>
	// {"a":1,"b":2} <nil>
}

func ExampleValid() {
	fmt.Println(canon.Valid([]byte(`{"a":1,"b":2}`)), canon.Valid([]byte(`{"b":2,"a":1}`)))
	// Output: true false
}

func ExampleAppendNumber() {
	out, err := canon.AppendNumber(nil, 1e21)
	fmt.Println(string(out), err)
	// Output: 1e+21 <nil>
}

func ExampleAppendString() {
	out, err := canon.AppendString(nil, "tab\t, quote\", €")
	fmt.Println(string(out), err)
	// Output: "tab\t, quote\", €" <nil>
}

func ExampleOptions() {
	strict := canon.Options{RefuseNegativeZero: true, MaxDepth: 8, MaxInput: 4096}
	_, err := strict.Canonicalize([]byte(`{"balance":[-0]}`))
	var e *reject.Error
	if errors.As(err, &e) {
		fmt.Println(e.Reason, e.Offset, e.Line, e.Column, e.Pointer, e.Requirement)
	}
	fmt.Println(errors.Is(err, reject.NegativeZero))
	// Output:
	// negative_zero 12 1 13 /*/0 rfc8785/B/negative-zero
	// true
}
