package train

import (
	"errors"
	"sync"

	"github.com/ddps-go/ddps/ddps/net"
	"github.com/gomlx/gomlx/pkg/core/graph"
)

// settle moves the training to the network's backend where that is XLA and steps are taken whole, unless it is there.
func (t *Trainer) settle() error {
	graphed, ok := t.model.Net.(net.Graphed)
	if t.device != nil || !ok || graphed.Backend() == "" || t.cfg.Accumulate > 1 {
		return nil
	}
	if xla, err := graphed.Engine().XLA(graphed.Backend()); err != nil || !xla {
		return err
	}
	var err error
	t.device, err = graphed.Engine().Reside(graphed.Backend(), t.opt, graphed.Params())
	return err
}

// leave brings what was trained on a backend home.
func (t *Trainer) leave() error {
	if t.device == nil {
		return nil
	}
	t.ahead.busy.Wait()
	err := t.device.Read()
	t.device.Free()
	t.device = nil
	return err
}

// home brings the host's copy up to date.
func (t *Trainer) home() error {
	if t.device == nil {
		return nil
	}
	return t.device.Read()
}

// residentStep takes a step on the backend; one that would leave numbers that are not finite is left to the host,
// which can tell where.
func (t *Trainer) residentStep() (info StepInfo, err error) {
	graphed, b := t.model.Net.(net.Graphed), t.ahead.take(t)
	info.BaseCE, info.LR = b.MeanBaseCE(), t.opt.Rate(t.step, t.cfg.Steps)
	e := graphed.Engine()
	e.Lock()
	defer e.Unlock()
	in, err := graphed.LossInputs(b)
	if err != nil {
		return info, err
	}
	if t.step+1 < t.cfg.Steps {
		t.ahead.begin(t, t.step+1)
	}
	shape := net.Shape{N: b.N, L: b.L, D: b.D, TMax: b.TMax}
	told, norm, ok, err := t.device.Step(shape, t.step, info.LR, in, func(vars, in []*graph.Node) (*graph.Node,
		[]*graph.Node) {
		ce, vb := graphed.LossNode(vars, in, shape)
		return shape.Total(ce, vb, graphed.Gamma()), []*graph.Node{ce, vb}
	})
	if err == nil && !ok {
		err = errDiverged
	}
	if err != nil {
		return info, err
	}
	info.Loss, info.GradNorm = graphed.LossOf(told[0], told[1], b), norm
	return info, nil
}

// errDiverged says that residentStep took no step.
var errDiverged = errors.New("numbers that are not finite")

// ahead makes the next step's batch while the backend works on this one's.
type ahead struct {
	made [2]net.Batch
	next int // which of made is, or will be, the next one
	step int // of the next one; −1: there is none
	busy sync.WaitGroup
}

// take returns the batch of the trainer's step, which stays as it is until the next take.
func (a *ahead) take(t *Trainer) *net.Batch {
	b := &a.made[a.next]
	if a.busy.Wait(); b.N == 0 || a.step != t.step {
		t.train.Fill(b, t.cfg.Batch, t.cfg.Seed, t.step)
	}
	a.next, a.step = 1-a.next, -1
	return b
}

// begin begins to make the batch of a step.
func (a *ahead) begin(t *Trainer, step int) {
	b := &a.made[a.next]
	a.step = step
	a.busy.Go(func() { t.train.Fill(b, t.cfg.Batch, t.cfg.Seed, step) })
}
