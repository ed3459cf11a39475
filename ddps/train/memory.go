package train

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/model"
)

// Memory estimates what training takes, in bytes.
type Memory struct {
	Weights int64 // of the network
	// gradients, AdamW's moments, the averaged and the best weights, and a copy while they are evaluated
	Optim         int64
	Batches       int64 // examples of a step, or a part of it, and of an evaluation
	Network       int64 // what the network works in; 0 where that lies on a GPU
	Distributions int64 // chain or mixture, and what the exact denoiser and the bound work in
}

// Total returns the sum.
func (m Memory) Total() int64 { return m.Weights + m.Optim + m.Batches + m.Network + m.Distributions }

// EstimateMemory estimates the memory that training m takes, from the sizes of the arrays; for what a GoMLX backend
// works in from measurements, good to about a factor of two. The error names the setting out of range.
func EstimateMemory(m *model.Model, cfg Config) (Memory, error) {
	if err := cfg.check(); err != nil {
		return Memory{}, err
	}
	var mem Memory
	if m.Net != nil {
		mem = netMemory(m, cfg)
	}
	E, V, threads := int64(m.Graph.NumEdges()), int64(m.Graph.NumVertices()), int64(runtime.GOMAXPROCS(0))
	states, edges := m.Config.Mixture.Size(m.Graph) // a plan's model has the chain alone
	classes := int64(m.Config.Mixture.Classes)
	lanes := (classes + 3) / 4 * 4
	mem.Distributions = 8*E + 8*int64(edges)*(1+classes+lanes) + threads*8*lanes*2*int64(states)
	if cfg.BoundPaths > 0 && m.Net != nil { // without a network the bound is −log p, path by path
		mem.Distributions += threads * 32 * (12*E + 4*V*int64(reverseSteps(m)+1))
	}
	return mem, nil
}

// netMemory is the part of EstimateMemory that the network's training takes.
func netMemory(m *model.Model, cfg Config) Memory {
	step, eval := (cfg.Batch+max(cfg.Accumulate, 1)-1)/max(cfg.Accumulate, 1), cfg.evalPart()
	w := 4 * int64(m.Parameters())
	mem := Memory{Weights: w, Optim: 6 * w, Batches: batchBytes(m, step) + batchBytes(m, eval)}
	if cfg.Accumulate > 1 {
		mem.Optim += w
	}
	if !strings.Contains(m.Config.Backend(), "cuda") {
		mem.Network = workBytes(m, step, true) + workBytes(m, eval, false)
	}
	return mem
}

// batchBytes returns the size of a Batch of n examples.
func batchBytes(m *model.Model, n int) int64 {
	L, D := int64(m.Graph.NumLayers()-1), int64(m.Graph.MaxDegree())
	return int64(n) * (4*int64(len(ddps.Rows(m.Graph))) + 20*L*D + 8*L + 16)
}

// workBytes is Memory of the network's settings.
func workBytes(m *model.Model, n int, grad bool) int64 {
	if c := m.Config.NetConfig(); c != nil {
		return c.Memory(m.Graph, n, grad)
	}
	return 0
}

// String is "1.2 GiB: weights 0.1, optimiser 0.6, batches 0.2, network 0.2, distributions 0.1".
func (m Memory) String() string {
	total := m.Total()
	unit, name := int64(1)<<20, "MiB"
	if total >= 1<<30 {
		unit, name = 1<<30, "GiB"
	}
	in := func(n int64) float64 { return float64(n) / float64(unit) }
	return fmt.Sprintf("%.1f %s: weights %.1f, optimiser %.1f, batches %.1f, network %.1f, distributions %.1f", in(total),
		name,
		in(m.Weights), in(m.Optim), in(m.Batches), in(m.Network), in(m.Distributions))
}
