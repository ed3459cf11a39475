package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/ddps/model"
)

// choiceVar adds a flag whose value is one of choices, with completion.
func choiceVar(cmd *cobra.Command, p *string, name, short, value string, choices []string, usage string) {
	*p = value
	cmd.Flags().VarP(&choiceFlag{p, choices}, name, short, usage+": "+strings.Join(choices, ", "))
	completeWords(cmd, name, choices...)
}

type choiceFlag struct {
	p  *string
	of []string
}

func (c *choiceFlag) String() string {
	if c.p == nil {
		return ""
	}
	return *c.p
}
func (c *choiceFlag) Type() string { return "name" }
func (c *choiceFlag) Set(s string) error {
	if !slices.Contains(c.of, s) {
		return fmt.Errorf("want one of %s", strings.Join(c.of, ", "))
	}
	*c.p = s
	return nil
}

// networkVar adds the flag --network, one of the choices.
func networkVar(cmd *cobra.Command, p *string, value string, choices []string, usage string) {
	*p = value
	cmd.Flags().Var(&networkFlag{choiceFlag{p, choices}}, "network", usage+": "+strings.Join(choices, ", "))
	completeWords(cmd, "network", choices...)
}

// networkFlag is a choice whose error says which network was removed.
type networkFlag struct{ choiceFlag }

func (n *networkFlag) Set(s string) error {
	if err := model.CheckNetwork(s); err != nil && !slices.Contains(n.of, s) {
		return err
	}
	*n.p = s
	return nil
}

// numberVar adds a flag that is a finite number of at least least (−Inf for any).
func numberVar(cmd *cobra.Command, p *float64, name, short string, value, least float64, usage string) {
	*p = value
	cmd.Flags().VarP(&numberFlag{p, least}, name, short, usage)
}

type numberFlag struct {
	p     *float64
	least float64
}

func (x *numberFlag) String() string {
	if x.p == nil {
		return "0"
	}
	return strconv.FormatFloat(*x.p, 'g', -1, 64)
}
func (x *numberFlag) Type() string { return "number" }
func (x *numberFlag) Set(s string) error {
	v, err := parseNumber(s)
	if err != nil {
		return err
	}
	if v < x.least {
		return fmt.Errorf("want %v or more", x.least)
	}
	*x.p = v
	return nil
}

// parseNumber returns a number that is finite.
func parseNumber(s string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is not a finite number", s)
	}
	return v, nil
}

// maxCount is the most that a count may be: a slip of the finger must not take all memory.
const maxCount = 1_000_000_000

// countVar adds a flag that is a whole number of at least least and at most maxCount.
func countVar(cmd *cobra.Command, p *int, name, short string, value, least int, usage string) {
	*p = value
	cmd.Flags().VarP(&countFlag{p, least}, name, short, usage)
}

type countFlag struct {
	p     *int
	least int
}

func (x *countFlag) String() string {
	if x.p == nil {
		return "0"
	}
	return strconv.Itoa(*x.p)
}
func (x *countFlag) Type() string { return "count" }
func (x *countFlag) Set(s string) error {
	v, err := strconv.Atoi(s)
	if err != nil {
		return fmt.Errorf("%q is not a whole number", s)
	}
	if v < x.least {
		return fmt.Errorf("want %d or more", x.least)
	}
	if v > maxCount {
		return fmt.Errorf("want %s or less", whole(maxCount))
	}
	*x.p = v
	return nil
}

// seedVar adds --seed; usage has the word.
func seedVar(cmd *cobra.Command, p *uint64, value uint64, usage string) {
	cmd.Flags().Uint64Var(p, "seed", value, strings.Replace(usage, "seed", "`seed`", 1))
}

// outVar adds -o, --output; files end in one of endings.
func outVar(cmd *cobra.Command, p *string, usage string, endings ...string) {
	cmd.Flags().StringVarP(p, "output", "o", "", usage)
	fileFlag(cmd, "output", endings...)
}

// fileFlag makes a flag complete to files with one of the endings, all if none.
func fileFlag(cmd *cobra.Command, flag string, endings ...string) {
	if err := cmd.MarkFlagFilename(flag, endings...); err != nil {
		panic("ddps: completion of --" + flag + ": " + err.Error())
	}
}

// completeWords makes a flag complete to fixed words.
func completeWords(cmd *cobra.Command, flag string, words ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic("ddps: completion of --" + flag + ": " + err.Error())
	}
}

// requireFlags marks flags as required.
func requireFlags(cmd *cobra.Command, flags ...string) {
	for _, f := range flags {
		if err := cmd.MarkFlagRequired(f); err != nil {
			panic("ddps: flag --" + f + ": " + err.Error())
		}
	}
}

// completeGraph completes the first argument to the names of graphs, or files,
// and all others to files.
func completeGraph(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, n := range graphNames() {
		if len(args) == 0 && strings.HasPrefix(n, toComplete) {
			names = append(names, n)
		}
	}
	return names, cobra.ShellCompDirectiveDefault
}

// samplingBackendVar adds the flag that says where the steps of samplers run.
func samplingBackendVar(cmd *cobra.Command, p *string) {
	cmd.Flags().StringVar(p, "backend", "", "`name` of what runs the reverse steps: xla:cpu, xla:cuda or xla:/path/to/plugin.so; by default plain Go, but for a U-Net trained on XLA")
	completeWords(cmd, "backend", "xla:cpu", "xla:cuda")
}

// checkSamplingBackend refuses what samplingBackendVar's flag may not be.
func checkSamplingBackend(spec string) error {
	if spec != "" && !strings.HasPrefix(spec, "xla:") {
		return usagef("--backend: want xla:cpu, xla:cuda or xla:/path/to/plugin.so, not %q", spec)
	}
	return nil
}
