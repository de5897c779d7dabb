package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/fuzz"
	"github.com/touchstone-oracle/touchstone/oracle/ladder"
	"github.com/touchstone-oracle/touchstone/oracle/peer"
	"github.com/touchstone-oracle/touchstone/oracle/zoo"
	"github.com/touchstone-oracle/touchstone/reports"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// completable are the flags and the arguments whose values a shell can complete:
// a flag by its name, in whatever command it stands, an argument by its command.
// All other arguments are files.
var completable = struct{ flags, arguments map[string]func() []string }{
	flags: map[string]func() []string{
		"profile":   profileNames,
		"peer":      peer.Names,
		"engine":    numberEngineNames,
		"against":   numberEngineNames,
		"vector":    vectorIDs,
		"out":       func() []string { return each(reports.FormatNames(), func(n string) string { return n + "=" }) },
		"relations": func() []string { return []string{"auto", "on", "off"} },
		"ladders":   func() []string { return append([]string{"on", "off"}, ladder.Names()...) },
	},
	arguments: map[string]func() []string{
		"touchstone engine":        peer.Names,
		"touchstone baseline show": peer.Names,
		"touchstone vectors show":  vectorIDs,
		"touchstone corpus seeds":  targetNames,
		"touchstone corpus merge":  targetNames,
		"touchstone zoo":           creatureNames,
	},
}

// completeAll lets the shell complete the flags and arguments of a command and
// of all below it.
func completeAll(cmd *cobra.Command) {
	for name, values := range completable.flags {
		if cmd.Flags().Lookup(name) == nil {
			continue
		}
		if err := cmd.RegisterFlagCompletionFunc(name, completion(values)); err != nil {
			panic(err) // registered twice
		}
	}
	if values, ok := completable.arguments[cmd.CommandPath()]; ok {
		cmd.ValidArgsFunction = completion(values)
	}
	if name := cmd.CommandPath(); name == "touchstone man" || name == "touchstone help" {
		cmd.ValidArgsFunction = completeVerbs
	}
	for _, below := range cmd.Commands() {
		completeAll(below)
	}
}

func completion(values func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		how := cobra.ShellCompDirectiveNoFileComp
		var fit []string
		for _, value := range values() {
			if strings.HasPrefix(value, begun) {
				fit = append(fit, value)
				if strings.HasSuffix(value, "=") {
					how |= cobra.ShellCompDirectiveNoSpace
				}
			}
		}
		return fit, how
	}
}

func completeVerbs(cmd *cobra.Command, verbs []string, begun string) ([]string, cobra.ShellCompDirective) {
	about, err := lookUp(cmd.Root(), verbs)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completion(func() []string {
		return each(about.Commands(), (*cobra.Command).Name)
	})(cmd, verbs, begun)
}

func each[T any](all []T, name func(T) string) []string {
	var names []string
	for _, one := range all {
		names = append(names, name(one))
	}
	return names
}

func profileNames() []string { return each(reject.Profiles(), reject.Profile.String) }

func numberEngineNames() []string {
	var names []string
	for _, e := range numberEngines {
		names = append(names, e.name)
	}
	return names
}

func vectorIDs() []string { return each(vectors.All(), func(v vectors.Vector) string { return v.ID }) }

func targetNames() []string {
	return each(fuzz.Targets(), func(t fuzz.Target) string { return t.Name })
}

func creatureNames() []string {
	return each(zoo.All(), func(c zoo.Creature) string { return c.Name })
}
