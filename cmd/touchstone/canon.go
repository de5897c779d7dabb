package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/canon"
)

// isUsage recognizes cobra's own complaints, which have no type.
func isUsage(err error) bool {
	for _, prefix := range []string{"unknown command", "unknown flag", "accepts ", "requires ", "invalid argument", "required flag"} {
		if strings.HasPrefix(err.Error(), prefix) {
			return true
		}
	}
	return false
}

func newCanonCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "canon [FILE]",
		Short: "write the canonical form of a JSON document",
		Long: `Reads a JSON document from FILE, or from standard input if FILE is left out or
"-", and writes its canonical form by RFC 8785 to standard output, without a
line end. A document that has none is refused with status 1 and the reason,
offset, line, column, JSON Pointer and clause on standard error.`,
		Example: `  echo '{"b":1e2,"a":"\u20ac"}' | touchstone canon`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			src, err := readInput(cmd.InOrStdin(), args)
			if err != nil {
				return err
			}
			out, err := canon.Canonicalize(src)
			if err != nil {
				return exitWith(exitFindings, err)
			}
			_, err = cmd.OutOrStdout().Write(out)
			return err
		},
	}
}

// maxDocument bounds what a verb reads of one document.
const maxDocument = 256 << 20

// readInput reads the file that args name, or in if they name none or "-".
func readInput(in io.Reader, args []string) ([]byte, error) {
	name := "-"
	if len(args) > 0 {
		name = args[0]
	}
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, usageError(err)
		}
		defer file.Close()
		in = file
	}
	src, err := io.ReadAll(io.LimitReader(in, maxDocument+1))
	if err != nil {
		return nil, usageError(fmt.Errorf("reading %s: %w", name, err))
	}
	if len(src) > maxDocument {
		return nil, usageError(fmt.Errorf("%s is larger than %d bytes", name, maxDocument))
	}
	return src, nil
}
