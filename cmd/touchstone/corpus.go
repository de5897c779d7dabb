package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/fuzz"
)

func newCorpusCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "corpus",
		Short: "keep the inputs that fuzzing starts from",
		RunE:  needsVerb,
	}
	cmd.AddCommand(newCorpusSeedsCommand(), newCorpusMergeCommand())
	return cmd
}

func newCorpusSeedsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "seeds TARGET DIR",
		Short: "write a target's seeds as raw files, for any fuzzer",
		Long: `Writes the texts that a fuzz target starts from, those of the vectors and of the
corpus, each into a file of DIR that is named after its digest. If DIR ends in
".zip" it becomes an archive of such files.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := fuzz.Lookup(args[0]); err != nil {
				return usageError(err)
			}
			seeds, err := fuzz.Seeds(args[0])
			if err != nil {
				return err
			}
			write := writeRawAll
			if strings.HasSuffix(args[1], ".zip") {
				write = writeZip
			}
			if err := write(args[1], seeds); err != nil {
				return usageError(err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d seeds\n", len(seeds))
			return nil
		},
	}
}

// writeRawAll writes each text into a file of a folder.
func writeRawAll(dir string, texts [][]byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, rawName(text)), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// writeZip writes each text into a file of an archive.
func writeZip(name string, texts [][]byte) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	archive := zip.NewWriter(file)
	seen := make(map[string]bool)
	for _, text := range texts {
		name := rawName(text)
		if seen[name] {
			continue
		}
		seen[name] = true
		one, err := archive.Create(name)
		if err != nil {
			return err
		}
		if _, err := one.Write(text); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return file.Close()
}

// rawName names a text after its digest.
func rawName(text []byte) string {
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:8])
}

func newCorpusMergeCommand() *cobra.Command {
	var cache, module string
	cmd := &cobra.Command{
		Use:   "merge [TARGET...]",
		Short: "take over from Go's fuzz cache what covers something new",
		Long: `Reads the inputs that "go test -fuzz" has gathered in Go's cache, and writes those
to corpus/TARGET that cover statements of canon, its reference or snapshot which
neither the vectors nor the corpus nor an input before covered. Runs in a
checkout of the module, with the go command.`,
		Example: `  touchstone corpus merge
  touchstone corpus merge FuzzReference`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := os.Stat(filepath.Join(module, "fuzz", "merge_test.go")); err != nil {
				return usageError(fmt.Errorf("%s is not a checkout of the module: %w", module, err))
			}
			targets := args
			if len(targets) == 0 {
				for _, t := range fuzz.Targets() {
					targets = append(targets, t.Name)
				}
			}
			for _, name := range targets {
				if _, err := fuzz.Lookup(name); err != nil {
					return usageError(err)
				}
				if err := mergeCorpus(cmd, module, cache, name); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&cache, "cache", "", "folder of the fuzz cache of package fuzz (default: Go's)")
	cmd.Flags().StringVar(&module, "module", ".", "folder of the checkout")
	return cmd
}

// mergeCorpus writes the raw inputs of one target into a folder and lets a test
// with coverage choose among them.
func mergeCorpus(cmd *cobra.Command, module, cache, target string) error {
	if cache == "" {
		out, err := exec.CommandContext(cmd.Context(), "go", "env", "GOCACHE").Output()
		if err != nil {
			return usageError(fmt.Errorf("asking go for its cache: %w", err))
		}
		cache = filepath.Join(strings.TrimSpace(string(out)), "fuzz", "github.com", "touchstone-oracle", "touchstone", "fuzz")
	}
	entries, err := os.ReadDir(filepath.Join(cache, target))
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(cmd.OutOrStdout(), "%s: nothing in the cache\n", target)
		return nil
	}
	if err != nil {
		return usageError(err)
	}
	raw, err := os.MkdirTemp("", "touchstone-corpus-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(raw)
	var texts [][]byte
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(cache, target, e.Name()))
		if err != nil {
			return usageError(err)
		}
		text, err := decodeGoFuzz(data)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name(), err)
		}
		texts = append(texts, text)
	}
	if err := writeRawAll(raw, texts); err != nil {
		return usageError(err)
	}
	into, err := filepath.Abs(filepath.Join(module, "corpus", target))
	if err != nil {
		return err
	}
	test := exec.CommandContext(cmd.Context(), "go", "test", "-count=1", "-run", "^TestMerge$", "-cover",
		"-coverpkg=./canon,./canon/reference,./snapshot", "./fuzz", "-v")
	test.Dir = module
	test.Env = append(os.Environ(), "TOUCHSTONE_MERGE_TARGET="+target, "TOUCHSTONE_MERGE_FROM="+raw, "TOUCHSTONE_MERGE_INTO="+into)
	out, err := test.CombinedOutput()
	if err != nil {
		return fmt.Errorf("choosing by coverage: %w\n%.2000s", err, out)
	}
	for line := range strings.SplitSeq(string(out), "\n") {
		if _, found, ok := strings.Cut(line, "merged: "); ok {
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", target, found)
		}
	}
	return nil
}

// decodeGoFuzz reads a file of Go's fuzz cache with one []byte in it.
func decodeGoFuzz(data []byte) ([]byte, error) {
	head, rest, _ := strings.Cut(string(data), "\n")
	rest = strings.TrimSpace(rest)
	if head != "go test fuzz v1" || !strings.HasPrefix(rest, "[]byte(") || !strings.HasSuffix(rest, ")") {
		return nil, errors.New("not a fuzz input with one text")
	}
	text, err := strconv.Unquote(rest[len("[]byte(") : len(rest)-1])
	return []byte(text), err
}
