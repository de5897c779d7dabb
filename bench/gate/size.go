package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const modulePath = "github.com/touchstone-oracle/touchstone"

// programs are two that differ in one call alone.
var programs = map[string]string{
	"without": "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(os.Args[0]) }\n",
	"with": "package main\n\nimport (\n\t\"os\"\n\n\t\"" + modulePath + "/canon\"\n)\n\nfunc main() {\n" +
		"\tform, err := canon.Append(nil, []byte(os.Args[0]))\n\tif err != nil {\n\t\tos.Exit(1)\n\t}\n\tos.Stdout.Write(form)\n}\n",
}

// addedBytes gives how much larger a program is, without its symbols, for
// importing canon: the standard library's packages that canon needs among it.
func addedBytes() (int64, error) {
	goMod, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return 0, fmt.Errorf("finding the module: %w", err)
	}
	root := filepath.Dir(strings.TrimSpace(string(goMod)))
	dir, err := os.MkdirTemp("", "size")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return 0, err
	}
	mod := "module size\n\ngo 1.26\n\nrequire " + modulePath + " v0.0.0\n\nreplace " + modulePath + " => " + root + "\n"
	files := map[string]string{"go.mod": mod, "go.sum": string(sums)}
	for name, text := range programs {
		files[name+"/main.go"] = text
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			return 0, err
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return 0, err
		}
	}
	sizes := map[string]int64{}
	for name := range programs {
		out := filepath.Join(dir, name+".bin")
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-buildvcs=false", "-o", out, "./"+name)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		if text, err := cmd.CombinedOutput(); err != nil {
			return 0, fmt.Errorf("building a program %s canon: %w: %s", name, err, tail(text))
		}
		info, err := os.Stat(out)
		if err != nil {
			return 0, err
		}
		sizes[name] = info.Size()
	}
	return sizes["with"] - sizes["without"], nil
}
