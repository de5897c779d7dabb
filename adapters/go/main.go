// Command go lets Touchstone ask Go packages by the line protocol that are not
// built in, or not in this version. Its argument names the package.
package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/gowebpki/jcs"
	"github.com/secure-systems-lab/go-securesystemslib/cjson"
)

// An implementation is used as its users use it.
type implementation struct {
	version      string
	canonicalize func(text []byte) ([]byte, error)
}

var implementations = map[string]implementation{
	"gowebpki":         {"v1.0.1", jcs.Transform},
	"encoding-json":    {"go", roundTrip},
	"securesystemslib": {"v0.11.1", securesystemslib},
}

// roundTrip is the standard library's: maps are written with their keys sorted.
func roundTrip(text []byte) ([]byte, error) {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// securesystemslib is the canonical JSON of TUF and in-toto.
func securesystemslib(text []byte) ([]byte, error) {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	return cjson.EncodeCanonical(value)
}

func main() {
	name := strings.Join(os.Args[1:], " ")
	used, ok := implementations[name]
	if !ok {
		fmt.Fprintf(os.Stderr, "no implementation %q\n", name)
		os.Exit(64)
	}
	for in := bufio.NewReaderSize(os.Stdin, 1<<16); ; {
		line, err := in.ReadString('\n')
		words := strings.Fields(line)
		if err != nil || len(words) < 3 || words[0] == "hello" && words[2] != "profile=rfc8785" {
			return
		}
		if words[0] == "hello" {
			fmt.Printf("hello 1 name=%s version=%s window=64\n", name, used.version)
			continue
		}
		fmt.Println(words[0], answer(used, words[1], words[2]))
	}
}

func answer(used implementation, op, payload string) string {
	text, err := hex.DecodeString(strings.TrimPrefix(payload, "-"))
	if err != nil || op != "canon" {
		return "skip"
	}
	out, err := used.canonicalize(text)
	switch {
	case err != nil:
		return fmt.Sprintf("reject - %x", err.Error())
	case len(out) == 0:
		return "ok -"
	}
	return "ok " + hex.EncodeToString(out)
}
