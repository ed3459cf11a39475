package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// groupKey is the annotation that holds a flag's group.
const groupKey = "ddps_group"

// GroupFlags puts flags of a command under a title of their own in its help. Groups stand in the order of their first
// calls, after the flags of none.
func GroupFlags(cmd *cobra.Command, title string, names ...string) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	titles := strings.Split(cmd.Annotations[groupKey], "\n")
	if cmd.Annotations[groupKey] == "" {
		titles = nil
	}
	if !slices.Contains(titles, title) {
		cmd.Annotations[groupKey] = strings.Join(append(titles, title), "\n")
	}
	cmd.SetUsageFunc(usage)
	for _, name := range names {
		if err := cmd.Flags().SetAnnotation(name, groupKey, []string{title}); err != nil {
			panic("ddps: group of --" + name + ": " + err.Error())
		}
	}
}

// usage writes the usage of a command without subcommands, as cobra does, with its flags in groups.
func usage(cmd *cobra.Command) error {
	titles := cmd.Annotations[groupKey]
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  %s\n", cmd.UseLine())
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	for _, title := range append([]string{""}, strings.Split(titles, "\n")...) {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if strings.Join(f.Annotations[groupKey], "") == title {
				set.AddFlag(f)
			}
		})
		if title == "" {
			title = "Flags"
		}
		if text := strings.TrimRight(set.FlagUsages(), " \n"); text != "" {
			fmt.Fprintf(&b, "\n%s:\n%s\n", title, text)
		}
	}
	if cmd.HasAvailableInheritedFlags() {
		fmt.Fprintf(&b, "\nGlobal Flags:\n%s\n", strings.TrimRight(cmd.InheritedFlags().FlagUsages(), " \n"))
	}
	_, err := fmt.Fprint(cmd.OutOrStderr(), b.String())
	return err
}
