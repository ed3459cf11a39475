package modelcmd

import (
	"io"
	"math"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/shard"
	"github.com/ddps-go/ddps/plots"
)

// sampleOptions are the flags of sample.
type sampleOptions struct {
	n, steps, threads int
	particles         int
	reverse, reward   string
	cost, backend     string
	aliases           string
	guide             query.Guide
	seed              uint64
	out, format, by   string
	distinct, exact   bool
	figure            string
	shard             shard.Part
}

// stepsUsage is the help of --steps where paths are drawn.
const stepsUsage = "reverse steps S; 0: none where the model's distribution is known and no guide needs them, else " +
	"16; the paper takes 256"

// NewSample returns the command ddps sample.
func NewSample(a *cli.App) *cobra.Command {
	var o sampleOptions
	cmd := &cobra.Command{
		Use:   "sample RUN",
		Short: "Draw paths from a trained model, guided or not",
		Long: "Draw paths from a trained model: RUN is a run directory, a file of weights, or shipped:toy,\n" +
			"shipped:heights or shipped:names, which come with the program. Every sample is a path. Without --guide they\n" +
			"follow the model's distribution. --guide eq7 is the paper's guidance to a reward, with the scale\n" +
			"--lambda; with --reverse algorithm2 it is the paper's Algorithm 2. A --where conditions exactly:\n" +
			"max(reward) and boltzmann(β) need no scale. Of a stack with a GRU, whose condition is estimated\n" +
			"from weighted draws, --exact draws by rejection. A --reward is a CSV file of\n" +
			"layer,from,to,reward, or random:R[:SEED] or rare:R[:SEED], a random one whose best\n" +
			"path earns R. The same seed gives the same paths. They are written as they are drawn, however\n" +
			"many; only --distinct and --particles hold them in memory.\n\n" +
			whereHelp,
		Example: `  ddps sample shipped:heights -n 5
  ddps sample runs/toy -n 1000 -o paths.csv --figure paths.svg
  ddps sample runs/toy -n 1000 --guide eq7 --reverse algorithm2 --lambda 100 --steps 256 --reward random:4
  ddps sample runs/heights -n 1000 --where 'max(reward)' --reward wishes.csv --format jsonl
  ddps sample runs/toy -n 1000 --where 'reward >= 2 and avoid(vertex 7)' --reward random:4 --particles 8
  ddps sample runs/flights -n 1000 --where 'visit("ATL") and length 2..5 and returns' --exact
  ddps sample runs/dna -n 1000 --where 'motif("TATAAT", 28) and gc <= 14' -o promoters.fasta`,
		Args: cli.WantArgs("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error { return sample(a, cmd, args[0], &o) },
	}
	f := cmd.Flags()
	cli.CountVar(cmd, &o.n, "number", "n", 1000, 1, "number of paths")
	cli.CountVar(cmd, &o.steps, "steps", "S", 0, 0, stepsUsage)
	cli.CountVar(cmd, &o.threads, "threads", "", 0, 0, "threads, 0 for all CPUs; never changes the result")
	cli.SamplingBackendVar(cmd, &o.backend)
	cli.ChoiceVar(cmd, &o.reverse, "reverse", "", "", query.KernelNames(), "reverse step, by default joint")
	guideVar(cmd, &o.guide.Name)
	cli.ScaleVar(cmd, &o.guide.Lambda, 30, "guidance scale λ, 0 or more")
	cli.NumberVar(cmd, &o.guide.Beta, "beta", "", 1, math.Inf(-1), "β of the old --guide boltzmann")
	f.MarkHidden("beta")
	f.StringVar(&o.reward, "reward", "", "`reward`: a CSV file, random:R[:SEED] or rare:R[:SEED]")
	f.StringVar(&o.guide.Where, "where", "", "`condition` that every path meets, with any guide or none; by "+
		"default that of the run's config.toml, which none leaves out")
	f.StringVar(&o.cost, "cost", "", "`cost` that --where may name: as --reward")
	aliasVar(cmd, &o.aliases)
	f.BoolVar(&o.exact, "exact", false, "draw from a stack given --where by rejection, without the error of weighted "+
		"draws: about 1/P draws for each path")
	cli.CountVar(cmd, &o.particles, "particles", "", 0, 0,
		"particles per path that correct the conditioned distribution, 0 for none; holds all paths in memory")
	cli.SeedVar(cmd, &o.seed, 0, "seed")
	cli.OutVar(cmd, &o.out, "`file` to write: .csv, .jsonl, .parquet, .fasta, .geojson (default standard output)",
		cli.PathEndings()...)
	cli.ChoiceVar(cmd, &o.format, "format", "", "", pathfile.Formats(), "format, by default what the file's ending says")
	cli.ByOutVar(cmd, &o.by, "vertices", "how to call vertices")
	f.StringVar(&o.figure, "figure", "", "picture `file` to write too: how often the paths take each edge, on the map "+
		"if there is one (.png, .svg, .pdf)")
	cli.FileFlag(cmd, "figure", cli.PictureEndings()...)
	cli.Outputs(cmd, "figure")
	cli.Inputs(cmd, "reward", "cost")
	cli.ShardVar(cmd, &o.shard)
	settingsVar(a, cmd)
	f.BoolVar(&o.distinct, "distinct", false, "write each distinct path once, with how often it came; holds the "+
		"distinct ones in memory")
	return cmd
}

func sample(a *cli.App, cmd *cobra.Command, path string, o *sampleOptions) error {
	if err := cli.ShardExcludes(cmd, o.shard, "distinct", "figure", "particles", "format"); err != nil {
		return err
	}
	format, err := cli.PathFormat(o.out, o.format)
	if err != nil && o.shard.Of == 0 {
		return err
	}
	if err := checkGuideFlags(cmd, o); err != nil {
		return err
	}
	if instead, old := oldGuides[o.guide.Name]; old {
		a.Notef("--guide %s is now %s; the old form works for one more release", o.guide.Name, instead)
	}
	o.guide.Name = query.GuideNamed(o.guide.Name)
	if err := cli.CheckSamplingBackend(o.backend); err != nil {
		return err
	}
	if o.figure != "" {
		if err := cli.CheckPicture(o.figure); err != nil {
			return err
		}
	}
	if err := a.CheckOut(o.out, o.figure); err != nil && o.shard.Of == 0 {
		return err
	}
	m, r, err := a.OpenModel(path)
	if err != nil {
		return err
	}
	u, cost, err := a.LoadTotals(o.reward, o.cost, m.Graph)
	if err != nil {
		return err
	}
	o.guide.Cost, o.guide.Where = cost, conditionOf(a, cmd, o.guide.Where, r)
	if o.guide.Alias, err = loadAliases(a, o.aliases, m.Graph); err != nil {
		return err
	}
	set := func(s *d3pm.Sampler) error {
		if s.Kernel, err = query.Kernel(o.reverse); err != nil {
			return err
		}
		if err := badWhere(a, cmd, o.guide.Apply(s, u)); err != nil || s.Condition == nil {
			return err
		}
		return tellCondition(cmd.Context(), a, m, s.Condition, o.guide.Weighs(), o.exact)
	}
	as := &sampleWriter{g: m.Graph, u: u, format: format, by: cli.Vertices(o.by), distinct: o.distinct}
	if r != nil { // numbers are those of the graph as given
		as.to, as.number = r.Data.Graph, datasets.Unpruner(r.Data.Graph)
	}
	if o.shard.Of > 0 {
		return sampleShard(a, cmd, m, o, as, set)
	}
	var also []cli.OutFile
	if o.figure != "" {
		as.uses = make([]float64, m.Graph.NumEdges())
		also = append(also, cli.OutFile{Path: o.figure, Write: func(w io.Writer) error {
			f, err := samplePicture(o, path, as)
			if err != nil {
				return err
			}
			return f.Write(w)
		}})
	}
	err = as.write(a, o.out, func() error { return drawTo(a, cmd, m, o, set, as.add) }, also...)
	if err == nil && u != nil {
		a.Notef("mean reward %s of at most %s; %s of the paths earn it", cli.Real3(as.reward), cli.Real3(m.Graph.Best(u)),
			cli.Percent(as.atMax))
	}
	return err
}

// samplePicture draws how often the samples take each edge, for the file that the flags name.
func samplePicture(o *sampleOptions, path string, s *sampleWriter) (cli.OutFile, error) {
	e := plots.Edges{Title: o.guide.Title(filepath.Base(path)), Graph: s.g, Uses: make([]float64, len(s.uses)),
		Reward: s.u}
	for k, n := range s.uses {
		e.Uses[k] = n / float64(s.n)
	}
	p, err := e.Plot()
	if err != nil {
		return cli.OutFile{}, err
	}
	return cli.PictureFile(o.figure, p)
}
