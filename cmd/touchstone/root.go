package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// verbs are the command's subcommands; each stands in a file of its own.
var verbs = []func() *cobra.Command{
	newCheckCommand,
	newReportCommand,
	newExplainCommand,
	newBaselineCommand,
	newDoctorCommand,
	newCanonCommand,
	newEngineCommand,
	newAdapterCommand,
	newVectorsCommand,
	newNumbersCommand,
	newZooCommand,
	newCorpusCommand,
	newHuntCommand,
	newPromoteCommand,
	newShrinkCommand,
	newServeCommand,
	newManCommand,
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "touchstone",
		Short: "tell the right canonical form of a JSON document, and find out who gets it wrong",
		Long: `Touchstone is an oracle for RFC 8785 (JSON Canonicalization Scheme) and for the
strict snapshot domain of RFC-0016. It knows the right answer and checks
implementations in any language against it.

Exit status: 0 conforms; 1 findings; 3 an implementation would not start;
4 the baseline is stale; 5 internal; 64 usage; 130 interrupted.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version(),
		RunE:          needsVerb,
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError(fmt.Errorf("%w; see %q", err, cmd.CommandPath()+" --help"))
	})
	root.Flags().Bool("version", false, "tell the version")
	root.SetVersionTemplate("touchstone {{.Version}}\n")
	for _, verb := range verbs {
		root.AddCommand(verb())
	}
	root.SetHelpCommand(newHelpCommand())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	if completion, err := lookUp(root, []string{"completion"}); err == nil {
		completion.Short = "write the script with which a shell completes command lines"
	}
	teach(root)
	completeAll(root)
	return root
}

// run executes the command line and gives the exit status.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	root := newRootCommand()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitConforms
	}
	var chosen *statusError
	if !errors.As(err, &chosen) && ctx.Err() == nil && isUsage(err) {
		err = usageError(err)
	}
	if ctx.Err() != nil {
		fmt.Fprintln(errOut, "touchstone: interrupted")
		return exitInterrupted
	}
	if text := err.Error(); text != "" {
		fmt.Fprintln(errOut, "touchstone:", text)
	}
	return statusOf(err)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	status := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}
