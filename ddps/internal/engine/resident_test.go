package engine

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/pkg/core/graph"
)

// quadratic is the loss Σ c·(w − x)² + Σ (b − 1)² of parameters w [2, 3] and b.bias [2], with c and x as inputs.
func quadratic(vars, in []*graph.Node) (*graph.Node, []*graph.Node) {
	far := graph.Sub(vars[0], in[1])
	loss := graph.ReduceAllSum(graph.Mul(in[0], graph.Square(far)))
	loss = graph.Add(loss, graph.ReduceAllSum(graph.Square(graph.AddScalar(vars[1], -1))))
	return loss, []*graph.Node{loss}
}

// quadraticGrad is quadratic's loss and gradient on the host.
func quadraticGrad(params []Param, c, x []float32) (loss float64, grads [][]float32) {
	grads = [][]float32{make([]float32, 6), make([]float32, 2)}
	for i, w := range params[0].Data {
		loss += float64(c[i] * (w - x[i]) * (w - x[i]))
		grads[0][i] = 2 * c[i] * (w - x[i])
	}
	for i, b := range params[1].Data {
		loss += float64((b - 1) * (b - 1))
		grads[1][i] = 2 * (b - 1)
	}
	return loss, grads
}

func quadraticParams() []Param {
	var params Params
	Normal(rand.New(rand.NewPCG(1, 2)), params.Add("w", 2, 3), 1)
	copy(params.Add("b.bias", 2), []float32{3, -2})
	return params
}

// Steps on a backend are those of the host's optimiser, clipped, decayed and averaged, up to rounding.
func TestResident(t *testing.T) {
	cfg := OptimConfig{LR: 0.05, Warmup: 5, WeightDecay: 0.1, Beta1: 0.9, Beta2: 0.99, Eps: 1e-6, Clip: 2, EMA: 0.9}
	c, x := []float32{1, 2, 3, 1, 2, 3}, []float32{1, 1, 1, -1, -1, -1}
	host, there := quadraticParams(), quadraticParams()
	ho, to := NewOptimizer(cfg, host), NewOptimizer(cfg, there)
	var e Engine
	r, err := e.Reside("go", to, there)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Free()
	step := func(k int, c []float32) ([]float64, float64, bool, error) {
		return r.Step("quadratic", k, cfg.Rate(k, 40), []any{Tensor(c, 2, 3), Tensor(x, 2, 3)}, quadratic)
	}
	for k := range 40 {
		loss, grads := quadraticGrad(host, c, x)
		want, err := ho.Update(host, grads, k, cfg.Rate(k, 40))
		if err != nil {
			t.Fatal(err)
		}
		told, norm, ok, err := step(k, c)
		if err != nil || !ok || math.Abs(told[0]-loss) > 1e-4*(1+loss) || math.Abs(norm-want) > 1e-4*(1+want) {
			t.Fatalf("step %d: loss %v, norm %v, %v %v; want %v, %v", k, told, norm, ok, err, loss, want)
		}
	}
	if e.Graphs() != 2 {
		t.Errorf("%d graphs were compiled, want 2", e.Graphs())
	}
	if err := r.Read(); err != nil {
		t.Fatal(err)
	}
	for i := range host {
		for _, pair := range [][2][]float32{{host[i].Data, there[i].Data}, {ho.M[i], to.M[i]}, {ho.V[i], to.V[i]},
			{ho.Mean[i], to.Mean[i]}} {
			for j, want := range pair[0] {
				if math.Abs(float64(pair[1][j]-want)) > 1e-4 {
					t.Errorf("%s: %v, want %v", host[i].Name, pair[1], pair[0])
					break
				}
			}
		}
	}
	_, norm, ok, err := step(40, []float32{1, float32(math.NaN()), 1, 1, 1, 1})
	if ok || err != nil || !math.IsNaN(norm) {
		t.Errorf("a gradient that is not finite: norm %v, %v %v", norm, ok, err)
	}
	before := append([]float32(nil), there[0].Data...)
	if err := r.Read(); err != nil || before[1] != there[0].Data[1] {
		t.Errorf("it changed weights from %v to %v; %v", before, there[0].Data, err)
	}
}

// A step that makes a parameter overflow is an error with its name.
func TestResidentOverflow(t *testing.T) {
	cfg := OptimConfig{LR: 1e38, WeightDecay: 10, Beta1: 0.9, Beta2: 0.99, Eps: 1e-6}
	params := quadraticParams()
	for i := range params[0].Data {
		params[0].Data[i] = 10
	}
	var e Engine
	r, err := e.Reside("go", NewOptimizer(cfg, params), params)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Free()
	ones := []float32{1, 1, 1, 1, 1, 1}
	_, _, _, err = r.Step("quadratic", 0, cfg.LR, []any{Tensor(ones, 2, 3), Tensor(ones, 2, 3)}, quadratic)
	if err == nil || !strings.Contains(err.Error(), `"w"`) {
		t.Errorf("%v, want an error that names w", err)
	}
}
