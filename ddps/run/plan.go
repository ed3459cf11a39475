package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/train"
	"github.com/ddps-go/ddps/internal/ram"
)

// Plan is what training in a run will do, known before it begins.
type Plan struct {
	Config      Config         // with the pseudo-count that the run's chain has
	Kappa       *KappaInfo     // its choice; nil: none
	Parameters  int            // weights of the network
	Train, Held *datasets.Data // on the pruned graph; Held is nil where there is no validation set
	Memory      train.Memory   // an estimate
	Data        int64          // bytes of the paths
	Machine     int64          // bytes that the process may take; 0: unknown
}

// Draft returns the run that Create would make, without making it: the errors are those of Create, but for directories
// that cannot be written. Its Plan can be seen.
func Draft(dir string, cfg Config, data *datasets.Data) (*Run, error) {
	r := &Run{Dir: dir, Config: cfg, Data: data}
	if exists(filepath.Join(dir, configFile)) {
		return nil, errHolds(dir)
	}
	if err := r.checkSettings(); err != nil {
		return nil, err
	}
	_, err := r.files()
	return r, err
}

// Plan returns the run's plan. It makes all that training will make, but on the chain alone, as fitting a mixture takes
// a while and finds nothing wrong: the error is the one that Train would return, and names the setting out of range, or
// says that the machine lacks the memory.
func (r *Run) Plan() (*Plan, error) {
	cfg := r.Config.Model.Mixture
	stacked := r.Config.Model.Stacked() // a stack leaves out a mixture that is too large
	if err := cfg.Check(r.Data.Graph); err != nil && !(stacked && errors.Is(err, mixture.ErrTooLarge)) {
		return nil, fmt.Errorf("run: %w", err)
	}
	if !stacked {
		if err := r.fitMemory(cfg, ram.Machine()); err != nil {
			return nil, err
		}
	}
	cfg.Order, cfg.Classes = 1, 1
	m, chosen, err := r.newModel(context.Background(), cfg, nil)
	if err != nil {
		return nil, err
	}
	p := &Plan{Config: r.Config, Kappa: chosen.kappa, Parameters: m.Parameters(), Data: r.dataBytes()}
	p.Config.Model.Kappa = m.Config.Kappa
	p.Train, p.Held = r.Split()
	if err := r.checkHeld(p.Held); err != nil {
		return nil, err
	}
	if r.fitMemory(r.Config.Model.Mixture, ram.Machine()) == nil { // else the stack leaves it out
		m.Config.Mixture = r.Config.Model.Mixture
	}
	if p.Memory, p.Machine, err = r.memory(m); err == nil && m.Net != nil {
		_, err = r.trainer(m)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// memory estimates what training m takes, besides the run's paths. It is an error if that is more than the machine has.
func (r *Run) memory(m *model.Model) (need train.Memory, machine int64, err error) {
	if need, err = train.EstimateMemory(m, r.Config.Train); err != nil {
		return need, 0, err
	}
	machine = ram.Machine()
	if total := need.Total() + r.dataBytes(); machine > 0 && total > machine {
		how := "spare some by train.accumulate, train.batch, train.eval_size or a smaller network"
		if m.Net == nil {
			how = "a first-order chain takes less: --model chain"
		}
		err = fmt.Errorf("run: training would take about %.1f GiB of memory (%v), of which there are %.1f: %s",
			float64(total)/(1<<30), need, float64(machine)/(1<<30), how)
	}
	return need, machine, err
}

// dataBytes returns the size of the run's paths, on the graph as given and pruned.
func (r *Run) dataBytes() int64 {
	return int64(len(r.Data.Paths)) * int64(8*r.Data.Graph.NumLayers()+24+8) * 2
}

// FitTime is how long the fit of a run's mixture will take.
type FitTime struct {
	Round        time.Duration // measured
	Rounds, Most int           // as many as searches have taken, about, and at most
}

// FitTime runs a few rounds of the fit of the run's mixture and says how long all of it will take; nil where there is
// nothing to fit. It ends with ctx's error.
func (r *Run) FitTime(ctx context.Context) (*FitTime, error) {
	if r.Config.Model.Mixture.Simple() {
		return nil, nil
	}
	const rounds, typical = 3, 100
	train, held := r.Split()
	if !r.Config.TuneMixture {
		held = nil
	}
	c, err := FitChain(train, r.Config.Model.Kappa)
	if err != nil {
		return nil, err
	}
	s := &mixtureSearch{ctx: ctx, chain: c, train: train, held: held, cfg: r.Config.Model.Mixture, seed: r.Config.InitSeed}
	if err := s.prepare(); err != nil {
		return nil, fmt.Errorf("run: %w", err)
	}
	began := time.Now()
	if _, err := s.fit(mixture.Trial{Ridge: searchRidge, Smooth: searchSmooth, Rounds: rounds}); err != nil {
		return nil, err
	}
	t := &FitTime{Round: time.Since(began) / (rounds + 1), Most: s.total()}
	t.Rounds = min(typical, s.cfg.Rounds)
	if held != nil {
		t.Rounds = s.starts()*min(searchStartRounds, s.cfg.Rounds) + 5*t.Rounds
	}
	return t, nil
}

// fitMemory returns an error if the fit of the mixture takes more than the bytes there are, 0 for not known, that names
// a model that does not.
func (r *Run) fitMemory(cfg mixture.Config, machine int64) error {
	train, _ := r.Split()
	if err := cfg.Check(train.Graph); err != nil {
		return fmt.Errorf("run: %w", err)
	}
	need := func(c mixture.Config) int64 { return c.Memory(train.Graph, len(train.Paths)) + r.dataBytes() }
	if machine <= 0 || cfg.Simple() || need(cfg) <= machine {
		return nil
	}
	what := "a first-order chain takes less: --model chain"
	if other := smaller(cfg, func(c mixture.Config) bool { return need(c) <= machine*9/10 }); !other.Simple() {
		what = fmt.Sprintf("order = %d and classes = %d under [model.mixture] in the settings take %.1f", other.Order,
			other.Classes, float64(need(other))/(1<<30))
	}
	return fmt.Errorf("run: fitting a mixture of %d classes and order %d would take about %.1f GiB of memory, of which "+
		"there are %.1f; %s", cfg.Classes, cfg.Order, float64(need(cfg))/(1<<30), float64(machine)/(1<<30), what)
}

// smaller returns the first that fits of the mixtures with half, a quarter … of the classes of cfg, then of those with
// its classes, half of them … of first order; else the chain.
func smaller(cfg mixture.Config, fits func(mixture.Config) bool) mixture.Config {
	most := cfg.Classes / 2
	for order := cfg.Order; order > 0; order-- {
		for n := most; n > 1; n /= 2 {
			other := cfg
			if other.Order, other.Classes = order, n; fits(other) {
				return other
			}
		}
		most = cfg.Classes
	}
	cfg.Order, cfg.Classes = 1, 1
	return cfg
}
