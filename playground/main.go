// Command playground builds a folder that holds the page of touchstone serve with
// the oracle in it, so that it needs no server:
//
//	go run ./playground -out reports/out/playground
package main

import (
	"bytes"
	"embed"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/touchstone-oracle/touchstone/server/page"
)

//go:embed files/*.js
var embedded embed.FS

// policy is the page's: its own files and nothing else. The worker has none of
// its own, and asks for its own files alone.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"

func main() {
	out := flag.String("out", "reports/out/playground", "the `FOLDER` to write")
	flag.Parse()
	if err := build(*out); err != nil {
		fmt.Fprintln(os.Stderr, "playground:", err)
		os.Exit(1)
	}
}

// build writes the folder. What is in it already stays, unless it is of the
// playground.
func build(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	files, err := pageFiles()
	if err != nil {
		return err
	}
	root, err := goroot()
	if err != nil {
		return err
	}
	if files["wasm_exec.js"], err = os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js")); err != nil {
		return fmt.Errorf("the script of the Go toolchain is not there: %w", err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return err
		}
	}
	return buildOracle(filepath.Join(folder, "touchstone.wasm"))
}

// pageFiles makes the files that Go is not needed for.
func pageFiles() (map[string][]byte, error) {
	files := page.Assets()
	for _, name := range []string{"backend.js", "worker.js"} {
		content, err := fs.ReadFile(embedded, "files/"+name)
		if err != nil {
			return nil, err
		}
		files[name] = content
	}
	var index bytes.Buffer
	first := page.Examples()[0]
	if err := page.Write(&index, page.Form{Document: []byte(first.Document), Static: true, Policy: policy}, nil); err != nil {
		return nil, err
	}
	files["index.html"] = index.Bytes()
	return files, nil
}

func goroot() (string, error) {
	text, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(text)), err
}

// buildOracle compiles the oracle to WebAssembly.
func buildOracle(name string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", name, "github.com/touchstone-oracle/touchstone/playground/oracle")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	cmd.Stderr = os.Stderr
	return cmd.Run()
}
