package d3pm

import (
	"errors"
	"sync"

	"github.com/gomlx/gomlx/pkg/core/graph"

	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// resident is a network whose whole loss is a graph, so that a backend can train it without its weights leaving there.
type resident interface {
	Network
	engine() *engine.Engine // to be locked
	backend() string        // what the network trains on
	// lossInputs checks the batch and makes what lossNode takes in besides the parameters. The engine is locked.
	lossInputs(b *Batch) ([]any, error)
	// lossNode builds the sums CE and VB, the latter 0 where the loss has none.
	lossNode(vars, in []*graph.Node, shape engineShape) (ce, vb *graph.Node)
	// lossOf returns the loss that these sums make.
	lossOf(ce, vb float64, b *Batch) Loss
	weight() float64 // γ
}

func (m *MLP) backend() string  { return m.cfg.Backend }
func (u *UNet) backend() string { return u.cfg.Backend }

func (m *MLP) weight() float64  { return m.cfg.Gamma }
func (u *UNet) weight() float64 { return u.cfg.Gamma }

func (m *MLP) lossOf(ce, vb float64, b *Batch) Loss {
	return m.train.host.lossOf(ce, vb, b, m.cfg.Gamma)
}
func (u *UNet) lossOf(ce, vb float64, b *Batch) Loss { return u.train.lossOf(ce, vb, b, u.cfg.Gamma) }

// settle moves the training to the network's backend where that is XLA and steps are taken whole, unless it is there.
func (t *Trainer) settle() error {
	net, ok := t.model.Net.(resident)
	if t.device != nil || !ok || net.backend() == "" || t.cfg.Accumulate > 1 {
		return nil
	}
	if xla, err := net.engine().XLA(net.backend()); err != nil || !xla {
		return err
	}
	var err error
	t.device, err = net.engine().Reside(net.backend(), t.opt, net.Params())
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

// residentStep takes a step on the backend; one that would leave numbers that are not finite is left to the host, which can
// tell where.
func (t *Trainer) residentStep() (info StepInfo, err error) {
	net, b := t.model.Net.(resident), t.ahead.take(t)
	info.BaseCE, info.LR = b.baseCE(), t.opt.Rate(t.step, t.cfg.Steps)
	e := net.engine()
	e.Lock()
	defer e.Unlock()
	in, err := net.lossInputs(b)
	if err != nil {
		return info, err
	}
	if t.step+1 < t.cfg.Steps {
		t.ahead.begin(t, t.step+1)
	}
	shape := engineShape{n: b.N, l: b.L, d: b.D, tMax: b.TMax}
	told, norm, ok, err := t.device.Step(shape, t.step, info.LR, in, func(vars, in []*graph.Node) (*graph.Node, []*graph.Node) {
		ce, vb := net.lossNode(vars, in, shape)
		return shape.total(ce, vb, net.weight()), []*graph.Node{ce, vb}
	})
	if err == nil && !ok {
		err = errDiverged
	}
	if err != nil {
		return info, err
	}
	info.Loss, info.GradNorm = net.lossOf(told[0], told[1], b), norm
	return info, nil
}

// errDiverged says that residentStep took no step.
var errDiverged = errors.New("numbers that are not finite")

// ahead makes the next step's batch while the backend works on this one's.
type ahead struct {
	made [2]Batch
	next int // which of made is, or will be, the next one
	step int // of the next one; −1: there is none
	busy sync.WaitGroup
}

// take returns the batch of the trainer's step, which stays as it is until the next take.
func (a *ahead) take(t *Trainer) *Batch {
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
