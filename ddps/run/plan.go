package run

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/ddps-go/ddps/internal/ram"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/train"
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
	mixture := r.Config.Model.Mixture
	if err := mixture.Check(r.Data.Graph); err != nil {
		return nil, fmt.Errorf("run: %w", err)
	}
	if !r.Config.Model.Stacked() { // a stack leaves out a mixture that is too large
		if err := r.fitMemory(mixture, ram.Machine()); err != nil {
			return nil, err
		}
	}
	mixture.Order, mixture.Classes = 1, 1
	m, chosen, err := r.newModel(context.Background(), mixture, nil)
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
