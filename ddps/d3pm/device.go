package d3pm

import (
	"slices"
	"strings"

	"github.com/gomlx/gomlx/pkg/core/graph"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/internal/reverse"
	"github.com/ddps-go/ddps/ddps/net"
)

// device is what a Sampler's reverse process on a GoMLX backend is made of: a step as one graph, network, kernel and
// guide in it, with x_t, weights, rewards and strengths on the backend. Random numbers are the host's, from the streams that
// the host's own sampler has, a step's at a time.
//
// It is compiled once for a kind, whatever the times, strengths, rewards and seeds; those are inputs.
type device struct {
	*engine.Engine
	spec  string
	kind  deviceKind
	model *Model
	net   net.Graphed // nil: none
	table *reverse.Table
	stay  []any // tensors of all steps: the chain where there is one, the network's parameters
}

// deviceKind is all that a step's graph depends on besides the model.
type deviceKind struct {
	kernel      string
	guided, net bool
	batch       int // samples of a graph, always: a sample's numbers are the same whatever the batch around it
}

// HostReason says why the host draws the samples, whatever Backend says; "" where a backend can.
func (s *Sampler) HostReason() string {
	m, ok := s.Denoiser.(*Model)
	switch {
	case !ok || m.Graph != s.Graph:
		return "the denoiser is no model on the graph"
	case s.Condition != nil:
		return "there is a condition"
	case s.deviceKernel() == "":
		return "the reverse step is the caller's own"
	case s.Signal != nil && s.Lambda != 0 && len(s.Ascent) != s.Graph.NumEdges():
		return "the guide is not the gradient of an expected reward"
	}
	if _, ok := m.Net.(net.Graphed); !ok && m.Net != nil {
		return "the network is no graph"
	}
	if _, ok := m.exact.(*chain.Denoiser); !ok && m.based() {
		return "the model is made on a mixture of chains"
	}
	return ""
}

// newDevice returns the device of samplers that differ in their guidance alone; nil where the host draws. It must be freed.
func newDevice(each []*Sampler) (*device, error) {
	s := each[0]
	for _, s := range each {
		if s.host || s.HostReason() != "" {
			return nil, nil
		}
	}
	m := s.Denoiser.(*Model)
	d := &device{spec: s.Backend, model: m, Engine: &m.engine, table: reverse.NewTable(s.Graph, ddps.Rows(s.Graph))}
	own := false // the network's own backend
	if m.Net != nil {
		net, ok := m.Net.(net.Graphed)
		if !ok {
			return nil, nil
		}
		if d.net, d.Engine = net, net.Engine(); d.spec == "" {
			d.spec = net.SampleBackend()
			own = d.spec != ""
		}
	}
	if d.spec == "" {
		return nil, nil
	}
	d.kind = deviceKind{s.deviceKernel(), slices.ContainsFunc(each, (*Sampler).guided), d.net != nil, d.batch()}
	d.place()
	err := d.Place(d.spec, d.stay...)
	if err == nil {
		return d, nil
	}
	d.free()
	if own {
		err = nil
	}
	return nil, err
}

// guided tells whether there is a signal that a backend can make, whatever its strength.
func (s *Sampler) guided() bool { return s.Signal != nil && len(s.Ascent) == s.Graph.NumEdges() }

// based tells whether the model's π starts from its base's.
func (m *Model) based() bool { return m.Net == nil || m.Config.residual() }

// deviceKernel names the kernel, "" for one that is not of this package.
func (s *Sampler) deviceKernel() string {
	if s.joint() {
		return "joint"
	}
	for name, k := range map[string]Kernel{"undivided": Undivided, "mixture": Mixture, "occupancy": Occupancy, "algorithm2": Algorithm2} {
		if s.is(k) {
			return name
		}
	}
	return ""
}

// deviceBatches is the most batches under way: while one is on the device, the others' random numbers are made.
const deviceBatches = 4

// batch returns how many samples a graph takes: on a GPU many; on a processor so many that a call's own cost, about a
// millisecond, does not matter; fewer where they would take too much memory.
func (d *device) batch() int {
	n := 256
	if strings.Contains(d.spec, "cuda") || strings.Contains(d.spec, "nvidia") {
		n = 4096
	} else if d.net != nil && d.net.SampleBatch() > 0 {
		n = d.net.SampleBatch()
	}
	for n > 16 && n*d.table.D*d.table.V > callSize {
		n /= 2
	}
	return n
}

// place makes the tensors that stay.
func (d *device) place() {
	if d.model.based() {
		d.stay = append(d.stay, engine.Tensor(d.table.Pad(d.model.Chain.P), d.table.D, d.table.V, 1))
	}
	if d.net != nil {
		d.stay = append(d.stay, engine.ParamTensors(d.net.Params())...)
	}
}

func (d *device) free() { engine.Free(d.stay...) }

// build builds the step x_t → x_s. args: those that stay; with a guide each sample's λ, [batch], and rewards,
// [choice, vertex, batch]; x_t [vertex, batch], random numbers [batch, Draws], reverse.Numbers, and what the network reads of t.
// It returns x_s and for each sample how many random numbers were taken before its rows', −1 where the host must redo it.
func (d *device) build(args []*graph.Node) []*graph.Node {
	next := func(n int) []*graph.Node {
		some := args[:n]
		args = args[n:]
		return some
	}
	stay := next(len(d.stay))
	var guide []*graph.Node
	if d.kind.guided {
		guide = next(2)
	}
	in := next(3)
	s := reverse.Begin(d.table, in[0], in[1], in[2])
	pi := s.Ones()
	if d.model.based() {
		pi, stay = s.Posterior(stay[0]), stay[1:]
	}
	if d.net != nil {
		pi = s.Correct(pi, d.net.Nodes(stay, s, args[0]))
	}
	law, logs := d.law(s, pi)
	if guide != nil {
		law = s.Guide(law, logs, s.Ascend(pi, guide[1]), guide[0])
	} else if logs {
		law = s.Guide(law, logs, nil, nil)
	}
	x := s.Draw(law)
	used := graph.Where(graph.GreaterThan(s.Bad, graph.ZerosLike(s.Bad)), graph.AddScalar(graph.ZerosLike(s.Bad), -1), s.Used)
	return []*graph.Node{x, used}
}

// law returns the kernel's law of x_s, its logarithm if logs.
func (d *device) law(s *reverse.Step, pi *graph.Node) (law *graph.Node, logs bool) {
	switch d.kind.kernel {
	case "undivided":
		return s.Undivided(pi), false
	case "mixture":
		return s.Mixture(pi), false
	case "occupancy":
		return s.Occupancy(pi), false
	case "algorithm2":
		return s.Annealed(pi), true
	}
	return s.Joint(pi), false
}

// palm sets x to sample k's choices in all, [vertex, batch].
func (d *device) palm(x ddps.PALM, all []int32, k int) {
	for v := range d.table.V {
		x[v] = all[v*d.kind.batch+k]
	}
}
