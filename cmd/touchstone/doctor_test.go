package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What CI installs is what the doctor looks for, by the same package.
func TestDoctorKnowsWhatIsInstalled(t *testing.T) {
	text, err := os.ReadFile("../../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	body := string(text)
	start, end := strings.Index(body, "install() {"), strings.Index(body, "export -f install")
	if start < 0 || end < start {
		t.Fatal("the function install is not in .ci/run")
	}
	pairs := regexp.MustCompile(`(\S+):([a-z0-9.+-]+)`).FindAllStringSubmatch(body[start:end], -1)
	if len(pairs) < 15 {
		t.Fatalf("only %d pairs were read", len(pairs))
	}
	for _, pair := range pairs {
		name, debian := pair[1], pair[2]
		if !slices.ContainsFunc(tools, func(t tool) bool {
			return t.debian == debian && (t.name == name || t.files == name || slices.Contains(t.also, name))
		}) {
			t.Errorf("the doctor does not look for %s of the package %s", name, debian)
		}
	}
}
