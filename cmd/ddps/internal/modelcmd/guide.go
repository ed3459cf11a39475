package modelcmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/query"
)

// maxParticles is the most particles of a group.
const maxParticles = 100_000

// oldGuides are former names of --guide, and what to write instead.
var oldGuides = map[string]string{
	query.Algorithm2:        "--guide eq7 --reverse algorithm2",
	query.Algorithm2Printed: "--guide eq7-printed --reverse algorithm2",
	query.MaxReward:         "--where 'max(reward)'", query.Boltzmann: "--where 'boltzmann(β)'",
	"eq13": "--guide eq7", "eq13-printed": "--guide eq7-printed",
}

// guideFlag is one of query.GuideNames, or of oldGuides.
type guideFlag struct{ name *string }

func (f guideFlag) String() string {
	if f.name == nil {
		return ""
	}
	return *f.name
}

func (f guideFlag) Type() string { return "name" }

func (f guideFlag) Set(s string) error {
	if _, old := oldGuides[s]; !old && !slices.Contains(query.GuideNames(), s) {
		return fmt.Errorf("want one of %s", strings.Join(query.GuideNames(), ", "))
	}
	*f.name = s
	return nil
}

// guideVar adds the flag --guide.
func guideVar(cmd *cobra.Command, p *string) {
	*p = query.NoGuide
	cmd.Flags().Var(guideFlag{p}, "guide", "guide: "+strings.Join(query.GuideNames(), ", "))
	cli.CompleteWords(cmd, "guide", query.GuideNames()...)
}

// checkGuideFlags refuses flags that the guide does not use.
func checkGuideFlags(cmd *cobra.Command, o *sampleOptions) error {
	additive := slices.Contains([]string{query.Eq7, query.Eq7Printed, query.Algorithm2, query.Algorithm2Printed},
		query.GuideNamed(o.guide.Name))
	switch {
	case cmd.Flags().Changed("where") && strings.TrimSpace(o.guide.Where) == "":
		return cli.Usagef("--where is empty: without it paths are drawn without a condition")
	case o.particles > 0 && o.guide.Where == "" && o.guide.Name != query.MaxReward && o.guide.Name != query.Boltzmann:
		return cli.Usagef("--particles correct a condition: give --where")
	case o.particles > maxParticles:
		return cli.Usagef("--particles: want %s or less", cli.Whole(maxParticles))
	case o.cost != "" && o.guide.Where == "":
		return cli.Usagef("--cost is for --where")
	case o.aliases != "" && o.guide.Where == "":
		return cli.Usagef("--aliases are for --where")
	case o.guide.NeedsReward() && o.reward == "":
		return cli.Usagef("--guide %s needs a --reward", o.guide.Name)
	case cmd.Flags().Changed("lambda") && !additive:
		return cli.Usagef("--lambda is for the guides eq7 and eq7-printed, not %s", o.guide.Name)
	case cmd.Flags().Changed("beta") && o.guide.Name != query.Boltzmann:
		return cli.Usagef("--beta is for the guide boltzmann, not %s", o.guide.Name)
	case o.reverse != "" && (o.guide.Name == query.Algorithm2 || o.guide.Name == query.Algorithm2Printed):
		return cli.Usagef("Algorithm 2 is a reverse step of its own: leave out --reverse")
	}
	return nil
}
