package edpgnn

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// defaultBackend is what "" stands for.
const defaultBackend = "go:large"

// Trainer makes a trainer of m on the graphs of train; held may be nil. A step sees cfg.Batch graphs, each at every
// level of noise, and takes the gradient of the publication's loss, summed over the levels and a mean over graphs:
//
//	Σ_σ ½σ²·‖s(A + σe; σ) + e/σ‖²,   e symmetric with standard normal entries and a diagonal of 0.
//
// The error names the setting or the graph that is wrong.
func (m *Model) Trainer(train, held []baselines.Graph, cfg baselines.TrainConfig) (*baselines.Trainer, error) {
	data, err := newGraphs(m.N, train)
	if err != nil {
		return nil, fmt.Errorf("edpgnn: training data: %w", err)
	}
	if err := cfg.Check(); err != nil {
		return nil, fmt.Errorf("edpgnn: train: %w", err)
	}
	b := newBatch(cfg.Batch*len(m.cfg.Sigmas), m.N, len(m.cfg.Sigmas))
	task := m.task(data, b, cfg)
	task.Data = baselines.Fingerprint(train)
	if held != nil {
		rest, err := newGraphs(m.N, held)
		if err != nil {
			return nil, fmt.Errorf("edpgnn: validation data: %w", err)
		}
		task.Held = func() (float64, error) { return m.loss(b, rest, cfg.Batch) }
	}
	return baselines.NewTrainer(task, cfg)
}

// task is what there is to train on data, in batches that are made in b.
func (m *Model) task(data *graphs, b *batch, cfg baselines.TrainConfig) baselines.Task {
	order := baselines.NewOrder(len(data.x), cfg.Seed)
	return baselines.Task{Kind: Kind, Config: m.file(), Params: m.params, Epoch: baselines.StepsPerEpoch(len(data.x),
		cfg.Batch),
		LossGrad: func(k int, grads [][]float32) (float64, error) {
			m.fill(b, k, cfg.Batch, cfg.Seed, func(i int) (a, there []float32, weight float32) {
				j := order.At(k*cfg.Batch + i)
				return data.x[j], data.there[j], 1 / float32(cfg.Batch)
			})
			return m.lossGrad(b, grads)
		}}
}

// Seeds that set the streams of noise apart from that of the order of graphs, and validation graphs' from training's.
const (
	noiseSeed      = 0xbe5466cf34e90c6c
	validationSeed = 0x452821e638d01377
)

// Loss returns the mean of Trainer's loss on graphs, by the running statistics, over so many draws of noise, at least
// 1, which are the same every time. One draw tells little of few graphs. The error names the graph that is wrong.
func (m *Model) Loss(graphs []baselines.Graph, draws int) (float64, error) {
	if draws < 1 {
		return 0, fmt.Errorf("edpgnn: loss: %d draws, expected at least 1", draws)
	}
	data, err := newGraphs(m.N, slices.Repeat(graphs, draws))
	if err != nil {
		return 0, fmt.Errorf("edpgnn: loss: %w", err)
	}
	const size = 16
	return m.loss(newBatch(size*len(m.cfg.Sigmas), m.N, len(m.cfg.Sigmas)), data, size)
}

// loss returns the mean loss of all of data, in batches of size graphs, with the same noise every time.
func (m *Model) loss(b *batch, data *graphs, size int) (sum float64, err error) {
	n := len(data.x)
	for k := range baselines.StepsPerEpoch(n, size) {
		m.fill(b, k, size, validationSeed, func(i int) (a, there []float32, weight float32) {
			if j := k*size + i; j < n {
				return data.x[j], data.there[j], 1 / float32(n)
			}
			return data.x[0], data.there[0], 0
		})
		part, err := m.lossGrad(b, nil)
		if err != nil {
			return 0, err
		}
		sum += part
	}
	return sum, nil
}

// fill makes batch number k of size graphs, each at every level of noise, graph i that of at. Matrix i of level s
// is at s·size + i.
func (m *Model) fill(b *batch, k, size int, seed uint64, at func(i int) (a, there []float32, weight float32)) {
	type item struct {
		a, there []float32
		weight   float32
	}
	items := make([]item, size)
	for i := range items {
		items[i].a, items[i].there, items[i].weight = at(i)
	}
	S := len(m.cfg.Sigmas)
	parallel(size*S, func(j int) {
		s, it := j/size, items[j%size]
		rng := ddps.Rand(seed^noiseSeed, uint64(k)*uint64(size*S)+uint64(j))
		b.set(j, it.a, it.there, s, m.cfg.Sigmas[s], it.weight, rng)
	})
}

// shape is what a compiled graph depends on besides the network.
type shape struct {
	N          int
	loss, grad bool
}

// lossGrad returns the loss of the batch. Unless grads is nil it is that of training, by the batch's own statistics: it
// sets grads to the loss's gradient by Params, which is 0 for running statistics, and moves these towards the batch's.
func (m *Model) lossGrad(b *batch, grads [][]float32) (loss float64, err error) {
	if err := engine.CheckGrads(m.params, grads); err != nil {
		return 0, err
	}
	m.engine.Lock()
	defer m.engine.Unlock()
	key := shape{b.N, true, grads != nil}
	args := append(engine.ParamTensors(m.params), b.inputs()...)
	args = append(args, engine.Tensor(b.e, b.N, b.n, b.n), engine.Tensor(b.sigma, b.N), engine.Tensor(b.weight, b.N))
	build := func(args []*graph.Node) []*graph.Node { return m.lossNodes(args, key.grad) }
	err = m.engine.Run(cmp.Or(m.cfg.Backend, defaultBackend), key, build, args, func(outs []*tensors.Tensor) error {
		loss = float64(tensors.ToScalar[float32](outs[0]))
		if grads == nil {
			return nil
		}
		P := len(m.params)
		if err := engine.ReadGrads(grads, outs[1:1+P]); err != nil {
			return err
		}
		return m.keepStats(outs[1+P:], b.N*b.n*b.n)
	})
	return loss, err
}

// statsRate is by how much of the way a batch's statistics move the running ones.
const statsRate = 0.1

// keepStats moves the running statistics, variances as those of a sample of so many entries.
func (m *Model) keepStats(batch []*tensors.Tensor, entries int) error {
	for k, i := range m.stats {
		fix := float32(1)
		if k%2 == 1 {
			fix = float32(entries) / float32(entries-1)
		}
		err := tensors.ConstFlatData(batch[k], func(now []float32) {
			for j, x := range now {
				m.params[i].Data[j] += statsRate * (fix*x - m.params[i].Data[j])
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// lossNodes builds Σ weight·½‖σ·s + e‖² and, if asked for, its gradient by the parameters and the batch's statistics.
func (m *Model) lossNodes(args []*graph.Node, grad bool) []*graph.Node {
	params, in := args[:len(m.params)], args[len(m.params):]
	e, sigma, weight := in[4], in[5], in[6]
	score, stats := m.network(params, in, grad)
	gap := graph.Add(graph.Mul(score, column(sigma, 3)), e)
	each := graph.MulScalar(graph.ReduceSum(graph.Square(gap), 1, 2), 0.5)
	loss := graph.ReduceAllSum(graph.Mul(each, weight))
	if !grad {
		return []*graph.Node{loss}
	}
	return append(append([]*graph.Node{loss}, graph.Gradient(loss, params...)...), stats...)
}
