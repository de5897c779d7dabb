package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/oracle/check"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/shrink"
)

func newShrinkCommand() *cobra.Command {
	var f checkFlags
	var raw bool
	cmd := &cobra.Command{
		Use:   "shrink FILE [flags] [-- COMMAND [ARG]...]",
		Short: "make a document as small as it can be while an implementation errs alike",
		Long: `Puts the document of FILE (- is standard input) to a built-in implementation, or to
COMMAND, and minimizes it while the implementation departs from the right answer
in the same way: by the same requirement, with the same outcome and effect.

Exit status: 0 it does not depart at all; 1 it does, and the smallest document is
shown.`,
		Example: `  touchstone shrink big.json --peer gowebpki
  touchstone shrink - --raw --peer cyberphone < big.json > small.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			dash := cmd.ArgsLenAtDash()
			if dash < 0 {
				dash = len(args)
			}
			if dash != 1 {
				return usageError(errors.New("name one FILE"))
			}
			src, err := readInput(cmd.InOrStdin(), args[:1])
			if err != nil {
				return err
			}
			if len(args) == dash && len(f.peers) != 1 {
				return usageError(errors.New("name one --peer, or a command behind --"))
			}
			return runShrink(cmd, f, src, args[dash:], raw)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.profile, "profile", "rfc8785", "which rules decide: rfc8785, ijson or rfc0016")
	flags.StringArrayVar(&f.peers, "peer", nil, "the built-in implementation")
	flags.BoolVar(&f.wire, "wire", false, "COMMAND speaks the line protocol")
	flags.DurationVar(&f.timeout, "timeout", 10*time.Second, "the most time for one document")
	flags.StringArrayVar(&f.statuses, "refuse-status", nil, "exit status with which COMMAND refuses, instead of 1 (repeatable)")
	flags.BoolVar(&raw, "raw", false, "write the smallest document alone, as it is")
	return cmd
}

func runShrink(cmd *cobra.Command, f checkFlags, src []byte, command []string, raw bool) error {
	f.noBaseline, f.number, f.cases, f.relations = true, -1, 0, "off"
	f.inputs = []string{hex.EncodeToString(src)}
	if len(src) == 0 {
		f.inputs = []string{"-"}
	}
	cfg, err := f.config(command)
	if err != nil {
		return usageError(err)
	}
	cfg.Minimize = shrink.Minimize
	cfg.Emit = func(result.Record) error { return nil }
	debug.SetGCPercent(400)
	run, err := check.Run(cmd.Context(), cfg)
	if err != nil {
		return err
	}
	for _, s := range run.Footer.Scores {
		if s.NoStart != "" {
			return exitWith(exitNoStart, errors.New(escaped(s.NoStart)))
		}
	}
	out := cmd.OutOrStdout()
	if len(run.Findings) == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "it does not depart from the right answer")
		return nil
	}
	if raw {
		if _, err := out.Write(run.Findings[0].Input); err != nil {
			return err
		}
		return exitWith(exitFindings, nil)
	}
	for i := range run.Findings {
		showHunted(out, i+1, &run.Findings[i], 200)
		fmt.Fprintf(out, "   again    %s\n", escaped(run.Findings[i].Replay))
	}
	return exitWith(exitFindings, nil)
}
