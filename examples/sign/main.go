// Sign signs a JSON document so that the signature survives reformatting, and
// shows that it does not cover another document.
package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"fmt"
	"log"

	"github.com/touchstone-oracle/touchstone/canon"
)

// sign signs the canonical form of a document. One that has none is not signed.
func sign(key ed25519.PrivateKey, document []byte) ([]byte, error) {
	canonical, err := canon.Canonicalize(document)
	if err != nil {
		return nil, err
	}
	return ed25519.Sign(key, canonical), nil
}

// verify tells whether a signature covers a document, whatever its spelling.
func verify(key ed25519.PublicKey, document, signature []byte) bool {
	canonical, err := canon.Canonicalize(document)
	return err == nil && ed25519.Verify(key, canonical, signature)
}

func main() {
	seed := sha256.Sum256([]byte("a key for this example only"))
	key := ed25519.NewKeyFromSeed(seed[:])
	public := key.Public().(ed25519.PublicKey)

	signature, err := sign(key, []byte(`{"to":"alice","amount":100}`))
	if err != nil {
		log.Fatal(err)
	}
	for _, document := range []string{
		`{"to":"alice","amount":100}`,
		"{\n  \"amount\": 1e2,\n  \"to\": \"\\u0061lice\"\n}",
		`{"to":"alice","amount":1000}`,
		`{"to":"bob","to":"alice","amount":100}`,
	} {
		fmt.Printf("%-5v %q\n", verify(public, []byte(document), signature), document)
	}
}
