package unet

import (
	"cmp"
	"strings"

	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/net"
)

// sampleBatch is how many samples Forward on a backend works on at a time, always: one graph is compiled, and a
// sample's numbers are the same whatever the batch around it (a test holds every place in it to that).
const sampleBatch = 64

// onDevice reports whether Forward runs on a backend: where the settings name XLA, it can be opened, and the vector
// kernels are not at hand, with which a CPU is three times as fast (Toy, two cores: 57 to 70 µs a sample, XLA 184 to
// 202).
func (u *Network) onDevice() bool {
	return strings.HasPrefix(u.cfg.Backend, "xla") && !u.native.Load() && !(u.cfg.Backend == "xla:cpu" && vec.Vectors())
}

// deviceForward is Forward on the configured backend. Concurrent callers take turns.
func (u *Network) deviceForward(out []float32, xt []ddps.PALM, t int) error {
	E := u.g.NumEdges()
	u.train.Lock()
	defer u.train.Unlock()
	for lo := 0; lo < len(xt); lo += sampleBatch {
		n := min(sampleBatch, len(xt)-lo)
		if err := u.deviceBatch(out[lo*E:(lo+n)*E], xt[lo:lo+n], t); err != nil {
			return err
		}
	}
	return nil
}

// deviceBatch is deviceForward for up to sampleBatch samples; the rest of the batch has no choice made.
func (u *Network) deviceBatch(out []float32, xt []ddps.PALM, t int) error {
	d, N, F := &u.train, sampleBatch, u.cfg.Time
	d.x, d.time = net.Grow(d.x, u.V*N*u.D), net.Grow(d.time, N*F)
	clear(d.x)
	for n := range N {
		u.freq.Write(d.time[n*F:(n+1)*F], t)
	}
	for n, x := range xt {
		for _, v := range u.rows {
			d.x[(int(v)*N+n)*u.D+int(x[v])] = 1
		}
	}
	args := append(engine.ParamTensors(u.params), engine.Tensor(d.x, u.V, N, u.D), engine.Tensor(d.time, N, F))
	build := func(args []*graph.Node) []*graph.Node {
		vars := args[:len(u.params)]
		nodes := graphNodes{u: u, p: vars}
		return []*graph.Node{nodes.forward(args[len(vars)], args[len(vars)+1])}
	}
	return d.Run(cmp.Or(u.cfg.Backend, "go:large"), net.Shape{N: N}, build, args, func(outs []*tensors.Tensor) error {
		return tensors.ConstFlatData(outs[0], func(z []float32) { u.byEdge(out, z, len(xt)) })
	})
}

// byEdge sets out, [n, edge], from z, [vertex, sampleBatch, D].
func (u *Network) byEdge(out, z []float32, n int) {
	E := u.g.NumEdges()
	for v := range u.V {
		lo, hi := u.g.Edges(v)
		for i := range n {
			copy(out[i*E+lo:i*E+hi], z[(v*sampleBatch+i)*u.D:])
		}
	}
}
