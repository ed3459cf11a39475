package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/internal/names"
)

// ChoiceVar adds a flag whose value is one of choices, with completion.
func ChoiceVar(cmd *cobra.Command, p *string, name, short, value string, choices []string, usage string) {
	*p = value
	cmd.Flags().VarP(&choiceFlag{p: p, of: choices}, name, short, usage+": "+strings.Join(choices, ", "))
	CompleteWords(cmd, name, choices...)
}

// FormerChoiceVar is ChoiceVar with values that a flag had before, which are taken and not shown.
func FormerChoiceVar(cmd *cobra.Command, p *string, name, value string, choices, former []string, usage string) {
	ChoiceVar(cmd, p, name, "", value, choices, usage)
	cmd.Flags().Lookup(name).Value.(*choiceFlag).former = former
}

type choiceFlag struct {
	p          *string
	of, former []string
}

func (c *choiceFlag) String() string {
	if c.p == nil {
		return ""
	}
	return *c.p
}
func (c *choiceFlag) Type() string { return "name" }
func (c *choiceFlag) Set(s string) error {
	if k, ok := d3pm.KernelNamed(s); ok && slices.Contains(c.of, k.Name) {
		s = k.Name // a reverse step by its earlier name
	}
	if !slices.Contains(c.of, s) && !slices.Contains(c.former, s) {
		return fmt.Errorf("expected one of %s", strings.Join(c.of, ", "))
	}
	*c.p = s
	return nil
}

// NetworkVar adds the flag --network, one of the choices.
func NetworkVar(cmd *cobra.Command, p *string, value string, choices []string, usage string) {
	*p = value
	cmd.Flags().Var(&networkFlag{choiceFlag{p: p, of: choices}}, "network", usage+": "+strings.Join(choices, ", "))
	CompleteWords(cmd, "network", choices...)
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

// NumberVar adds a flag that is a finite number of at least least (−Inf for any).
func NumberVar(cmd *cobra.Command, p *float64, name, short string, value, least float64, usage string) {
	*p = value
	cmd.Flags().VarP(&numberFlag{p, least}, name, short, usage)
}

// MaxScale is the greatest guidance scale λ: beyond, λ times a reward of ordinary size loses all else in float64.
const MaxScale = 1e9

// ScaleVar adds the flag --lambda, a guidance scale in [0, MaxScale].
func ScaleVar(cmd *cobra.Command, p *float64, value float64, usage string) {
	*p = value
	cmd.Flags().Var(&scaleFlag{numberFlag{p, 0}}, "lambda", usage)
}

type scaleFlag struct{ numberFlag }

func (x *scaleFlag) Set(s string) (err error) {
	*x.p, err = ParseScale(s)
	return err
}

// ParseScale returns a guidance scale λ.
func ParseScale(s string) (float64, error) {
	v, err := ParseNumber(s)
	if err == nil && (v < 0 || v > MaxScale) {
		err = fmt.Errorf("λ is %v, must be in 0…%g", v, float64(MaxScale))
	}
	return v, err
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
	v, err := ParseNumber(s)
	if err != nil {
		return err
	}
	if v < x.least {
		return fmt.Errorf("want %v or more", x.least)
	}
	*x.p = v
	return nil
}

// ParseNumber returns a number that is finite.
func ParseNumber(s string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is not a finite number%s", s, names.CommaHint(s))
	}
	return v, nil
}

// maxCount is the most that a count may be: a slip of the finger must not take all memory.
const maxCount = 1_000_000_000

// CountVar adds a flag that is a whole number of at least least and at most maxCount.
func CountVar(cmd *cobra.Command, p *int, name, short string, value, least int, usage string) {
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
		return fmt.Errorf("want %s or less", Whole(maxCount))
	}
	*x.p = v
	return nil
}

// SeedVar adds --seed; usage has the word.
func SeedVar(cmd *cobra.Command, p *uint64, value uint64, usage string) {
	*p = value
	cmd.Flags().Var((*seedFlag)(p), "seed", strings.Replace(usage, "seed", "`seed`", 1))
}

type seedFlag uint64

func (x *seedFlag) String() string {
	if x == nil {
		return "0"
	}
	return strconv.FormatUint(uint64(*x), 10)
}
func (x *seedFlag) Type() string { return "seed" }
func (x *seedFlag) Set(s string) error {
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not a whole number of 0 or more", s)
	}
	*x = seedFlag(v)
	return nil
}

// OutVar adds -o, --output; files end in one of endings.
func OutVar(cmd *cobra.Command, p *string, usage string, endings ...string) {
	cmd.Flags().StringVarP(p, "output", "o", "", usage)
	FileFlag(cmd, "output", endings...)
}

// FileFlag makes a flag complete to files with one of the endings, all if none.
func FileFlag(cmd *cobra.Command, flag string, endings ...string) {
	if err := cmd.MarkFlagFilename(flag, endings...); err != nil {
		panic("ddps: completion of --" + flag + ": " + err.Error())
	}
}

// CompleteWords makes a flag complete to fixed words.
func CompleteWords(cmd *cobra.Command, flag string, words ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic("ddps: completion of --" + flag + ": " + err.Error())
	}
}

// RequireFlags marks flags as required.
func RequireFlags(cmd *cobra.Command, flags ...string) {
	for _, f := range flags {
		if err := cmd.MarkFlagRequired(f); err != nil {
			panic("ddps: flag --" + f + ": " + err.Error())
		}
	}
}

// CompleteGraph completes the first argument to the names of graphs, or files,
// and all others to files.
func CompleteGraph(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, n := range GraphNames() {
		if len(args) == 0 && strings.HasPrefix(n, toComplete) {
			names = append(names, n)
		}
	}
	return names, cobra.ShellCompDirectiveDefault
}

// SamplingBackendVar adds the flag that says where the steps of samplers run.
func SamplingBackendVar(cmd *cobra.Command, p *string) {
	cmd.Flags().StringVar(p, "backend", "", "`name` of what runs the reverse steps: xla:cpu, xla:cuda or "+
		"xla:/path/to/plugin.so; by default plain Go, but for a U-Net trained on XLA")
	CompleteWords(cmd, "backend", "xla:cpu", "xla:cuda")
}

// CheckSamplingBackend refuses what samplingBackendVar's flag may not be.
func CheckSamplingBackend(spec string) error {
	if spec != "" && !strings.HasPrefix(spec, "xla:") {
		return Usagef("--backend: expected xla:cpu, xla:cuda or xla:/path/to/plugin.so, not %q", spec)
	}
	return nil
}
