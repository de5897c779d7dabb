package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/peer"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/wire"
)

func newEngineCommand() *cobra.Command {
	var profile string
	var exec, list bool
	cmd := &cobra.Command{
		Use:   "engine NAME",
		Short: "let a built-in implementation speak the line protocol",
		Long: `Lets any harness judge the implementations that are built in: NAME speaks the
line protocol (docs/protocol.md) on the standard streams until "bye" or the end
of the input. The harness's greeting chooses the profile.

With --exec NAME takes one document on standard input instead and writes its
canonical form: status 0 if it has one, 1 if it is refused, 69 if NAME does not
serve it. --profile then chooses the profile.`,
		Example: `  touchstone engine --list
  touchstone check --wire -- touchstone engine gowebpki
  echo '{"b":1,"a":2}' | touchstone engine jsontext --exec`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if list {
				return listEngines(cmd.OutOrStdout())
			}
			if len(args) == 0 {
				return usageError(errors.New("name an engine: " + strings.Join(peer.Names(), ", ")))
			}
			p, err := peer.Lookup(args[0])
			if err != nil {
				return usageError(err)
			}
			chosen, err := reject.ParseProfile(profile)
			if err != nil {
				return usageError(err)
			}
			if exec {
				return engineExec(cmd, p, chosen)
			}
			if cmd.Flags().Changed("profile") {
				return usageError(errors.New("--profile goes with --exec; in the line protocol the harness's greeting chooses"))
			}
			if err := p.Serve(cmd.InOrStdin(), cmd.OutOrStdout()); err != nil {
				return usageError(err) // the other side broke the protocol
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&exec, "exec", false, "exec mode: one document on standard input")
	cmd.Flags().StringVar(&profile, "profile", reject.RFC8785.String(), "the `PROFILE` in exec mode: rfc8785, ijson or rfc0016")
	cmd.Flags().BoolVar(&list, "list", false, "list the engines with version, lineage and operations")
	return cmd
}

func engineExec(cmd *cobra.Command, p peer.Peer, profile reject.Profile) error {
	src, err := readInput(cmd.InOrStdin(), nil)
	if err != nil {
		return err
	}
	a := p.One(profile, result.Question{Op: result.OpCanon, Input: src})
	switch a.Kind {
	case result.OK:
		_, err := cmd.OutOrStdout().Write(a.Bytes)
		return err
	case result.Skipped:
		return exitWith(exitUnsupported, fmt.Errorf("%s does not serve this", p.Name))
	default:
		return exitWith(exitFindings, errors.New(wire.Printable([]byte(a.Message), 1000)))
	}
}

// listEngines writes one line an engine, for eyes and for cut alike.
func listEngines(out io.Writer) error {
	for _, p := range peer.All() {
		info := p.Info()
		version := info.Version
		if version == "" {
			version = "-"
		}
		var ops []string
		for _, op := range info.Ops {
			ops = append(ops, string(op))
		}
		if _, err := fmt.Fprintf(out, "%-11s %-37s lineage=%s ops=%s\n", p.Name, version, p.Lineage, strings.Join(ops, ",")); err != nil {
			return err
		}
	}
	return nil
}
