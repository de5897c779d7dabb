//go:build ignore

// Writes the generated files of the vectors again; run it by "make vectors".
package main

import (
	"log"
	"os"

	"github.com/touchstone-oracle/touchstone/vectors"
)

func main() {
	log.SetFlags(0)
	generated, err := vectors.Export(os.DirFS("."))
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range generated {
		if err := os.WriteFile(file.Name, file.Text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
