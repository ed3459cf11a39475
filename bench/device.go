package main

import (
	"fmt"
	"math"
	"sync"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/net/mlp"
)

// device is an MLP whose Forward runs on GoMLX, as a sampler on a general framework would: the first layer gathers rows
// and adds them up, weights stay on the device. Training is d3pm's own, on the same backend.
type device struct {
	*mlp.Network
	first, rows []int32 // first edges of the rows, their vertices
	edges       int
	exec        *graph.Exec
	weights     []any // tensors
	features    [][]float32
	mu          sync.Mutex
	index       []int32
}

// Native reports that Forward is not the host's: the vector engine is not to go round it.
func (d *device) Native() bool { return false }

// newDevice puts m on the backend that spec names as d3pm does.
func newDevice(m *mlp.Network, g *ddps.LayeredGraph, T int, spec string) (d *device, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("backend %s: %v", spec, r)
		}
	}()
	if spec == "go:large" {
		spec = "go:ops_sequential,dotgeneral_large"
	}
	backend, err := backends.NewWithConfig(spec)
	if err != nil {
		return nil, err
	}
	d = &device{Network: m, rows: ddps.Rows(g), edges: g.NumEdges()}
	for _, v := range d.rows {
		lo, _ := g.Edges(int(v))
		d.first = append(d.first, int32(lo))
	}
	for _, p := range m.Params() {
		d.weights = append(d.weights, tensors.FromFlatDataAndDimensions(p.Data, p.Shape...))
	}
	for t := range T + 1 {
		d.features = append(d.features, features(t, m.Config().Time))
	}
	d.exec, err = graph.NewExecAny(backend, d.nodes)
	return d, err
}

// features are the sinusoidal features of t, and 1 for the bias.
func features(t, n int) []float32 {
	f := make([]float32, n+1)
	for k := range n / 2 {
		sin, cos := math.Sincos(float64(t) * math.Pow(10000, -2*float64(k)/float64(n)))
		f[k], f[n/2+k] = float32(sin), float32(cos)
	}
	f[n] = 1
	return f
}

// nodes builds out [batch, edge] from the parameters, the edges chosen [batch, row, 1] and the features [1, Time+1].
func (d *device) nodes(args []*graph.Node) []*graph.Node {
	p, index, time := args[:len(args)-2], args[len(args)-2], args[len(args)-1]
	h := graph.ReduceSum(graph.Gather(p[0], index), 1)
	h = silu(graph.Add(h, graph.Dot(time, graph.Slice(p[0], graph.AxisRange(d.edges)))))
	for p = p[1:]; len(p) > 2; p = p[2:] {
		h = graph.Add(h, silu(affine(h, p[0], p[1])))
	}
	return []*graph.Node{affine(h, p[0], p[1])}
}

func silu(x *graph.Node) *graph.Node { return graph.Mul(x, graph.Sigmoid(x)) }

func affine(x, w, b *graph.Node) *graph.Node {
	return graph.Add(graph.DotGeneral(x, []int{1}, nil, w, []int{1}, nil), graph.ExpandLeftToRank(b, 2))
}

// Forward implements net.Network; a failure of the backend is a panic, as it has no error to return.
func (d *device) Forward(out []float32, xt []ddps.PALM, t int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.index = d.index[:0]
	for _, x := range xt {
		for r, v := range d.rows {
			d.index = append(d.index, d.first[r]+x[v])
		}
	}
	index := tensors.FromFlatDataAndDimensions(d.index, len(xt), len(d.rows), 1)
	time := tensors.FromFlatDataAndDimensions(d.features[t], 1, len(d.features[t]))
	outs, err := d.exec.Exec(append(d.weights[:len(d.weights):len(d.weights)], index, time)...)
	if err != nil {
		panic(err)
	}
	err = tensors.ConstFlatData(outs[0], func(z []float32) { copy(out, z) })
	for _, x := range append(outs, index, time) {
		x.FinalizeAll()
	}
	if err != nil {
		panic(err)
	}
}
