package xla

import (
	"slices"
	"strings"

	"github.com/gomlx/gomlx/pkg/core/graph"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/internal/reverse"
	"github.com/ddps-go/ddps/ddps/net"
)

// Engine runs whole reverse steps on GoMLX backends, where Sampler.Backend names one or the network's own sampling
// does: network, kernel and guide as one graph, with x_t, weights, rewards and scales on the backend. Random numbers
// are the host's, from the streams of the scalar code, a step's at a time. HostReason says what it does not take.
type Engine struct {
	// draws the samples of which a number leaves the range of the backend's arithmetic; nil: the scalar code
	Host d3pm.Engine
	own  engine.Engine // where no network brings one
}

// Take implements Engine.
func (x *Engine) Take(r *d3pm.Run) (*d3pm.Plan, error) {
	d, err := x.newDevice(r.Each)
	if d == nil || err != nil {
		return nil, err
	}
	return &d3pm.Plan{Size: d.kind.batch, Unit: d.kind.batch, Threads: deviceBatches, Free: d.free,
		New: func() d3pm.Worker { return newDeviceWorker(r, d) }}, nil
}

// Graphs returns how many graphs were compiled where no network brought an engine.
func (x *Engine) Graphs() int { return x.own.Graphs() }

// TakeParticles implements Engine: particles stay on the host.
func (x *Engine) TakeParticles(*d3pm.ParticleRun) *d3pm.Plan { return nil }

// device is a step as a graph. It is compiled once for a kind, whatever the times, scales, rewards and seeds: those are
// inputs.
type device struct {
	*engine.Engine
	host  d3pm.Engine
	spec  string
	kind  deviceKind
	base  []float64   // the chain that the step's π starts from; nil: a plain network
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
func (x *Engine) HostReason(s *d3pm.Sampler) string {
	p, ok := net.PartsOf(s.Denoiser)
	_, isGraph := p.Net.(net.Graphed)
	switch {
	case !ok || !p.Graph.Equal(s.Graph):
		return "the denoiser is no model on the graph"
	case s.Condition != nil:
		return "there is a condition"
	case s.Kernel.BuiltIn() == "":
		return "the reverse step is the caller's own"
	case s.Guide != nil && s.Scale != 0 && !guided(s):
		return "the guide is not the gradient of an expected reward"
	case p.Net != nil && !isGraph:
		return "the network is no graph"
	case p.Mixture != nil:
		return "the model is made on a mixture of chains"
	}
	return ""
}

// newDevice returns the device of samplers that differ in their guidance alone; nil where the host draws. It must be
// freed.
func (x *Engine) newDevice(each []*d3pm.Sampler) (*device, error) {
	s := each[0]
	for _, s := range each {
		if x.HostReason(s) != "" {
			return nil, nil
		}
	}
	p, _ := net.PartsOf(s.Denoiser)
	d := &device{spec: s.Backend, host: x.Host, Engine: &x.own, table: reverse.NewTable(s.Graph, ddps.Rows(s.Graph))}
	own := false // the network's own backend
	if p.Net != nil {
		if d.net = p.Net.(net.Graphed); d.spec == "" {
			d.spec = d.net.SampleBackend()
			own = d.spec != ""
		}
		d.Engine = d.net.Engine()
	}
	if d.spec == "" {
		return nil, nil
	}
	if p.Chain != nil {
		d.base = p.Chain.Chain().P
	}
	d.kind = deviceKind{s.Kernel.BuiltIn(), slices.ContainsFunc(each, guided), d.net != nil, d.batch()}
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

// guided reports whether there is a guide that a backend can compute, whatever its scale.
func guided(s *d3pm.Sampler) bool { return len(reward(s)) == s.Graph.NumEdges() }

// reward returns the reward, by edge, whose gradient the sampler's guide is; nil for another guide or none.
func reward(s *d3pm.Sampler) []float64 {
	if r, ok := s.Guide.(interface{ Reward() []float64 }); ok {
		return r.Reward()
	}
	return nil
}

// maxPlaces bounds samples × places of a graph: a few arrays of float64 of this size.
const maxPlaces = 1 << 22

// deviceBatches is the most batches under way: while one is on the device, the others' random numbers are made.
const deviceBatches = 4

// batch returns how many samples a graph takes: on a GPU many; on a CPU so many that a call's own cost, about a
// millisecond, does not matter; fewer where they would take too much memory.
func (d *device) batch() int {
	n := 256
	if strings.Contains(d.spec, "cuda") || strings.Contains(d.spec, "nvidia") {
		n = 4096
	} else if d.net != nil && d.net.SampleBatch() > 0 {
		n = d.net.SampleBatch()
	}
	for n > 16 && n*d.table.D*d.table.V > maxPlaces {
		n /= 2
	}
	return n
}

// place makes the tensors that stay.
func (d *device) place() {
	if d.base != nil {
		d.stay = append(d.stay, engine.Tensor(d.table.Pad(d.base), d.table.D, d.table.V, 1))
	}
	if d.net != nil {
		d.stay = append(d.stay, engine.ParamTensors(d.net.Params())...)
	}
}

func (d *device) free() { engine.Free(d.stay...) }

// build builds the step x_t → x_s. args: those that stay; with a guide each sample's λ, [batch], and rewards,
// [choice, vertex, batch]; x_t [vertex, batch], random numbers [batch, Draws], reverse.Numbers, and what the network
// reads of t. It returns x_s and for each sample how many random numbers were taken before its rows', −1 where the
// host must redo it.
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
	if d.base != nil {
		pi, stay = s.Posterior(stay[0]), stay[1:]
	}
	if d.net != nil {
		pi = s.Correct(pi, d.net.Nodes(stay, s, args[0]))
	}
	dist, logs := d.dist(s, pi)
	if guide != nil {
		dist = s.Guide(dist, logs, s.Gradient(pi, guide[1]), guide[0])
	} else if logs {
		dist = s.Guide(dist, logs, nil, nil)
	}
	x := s.Draw(dist)
	used := graph.Where(graph.GreaterThan(s.Bad, graph.ZerosLike(s.Bad)), graph.AddScalar(graph.ZerosLike(s.Bad), -1),
		s.Used)
	return []*graph.Node{x, used}
}

// dist returns the kernel's distribution of x_s, its logarithm if logs.
func (d *device) dist(s *reverse.Step, pi *graph.Node) (dist *graph.Node, logs bool) {
	switch d.kind.kernel {
	case "austin":
		return s.Austin(pi), false
	case "eq2":
		return s.Eq2(pi), false
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
