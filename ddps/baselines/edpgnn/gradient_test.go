package edpgnn

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
)

// plainLoss is the loss of a batch by the plain program, with the running statistics or those given by name instead,
// and what comes to each normalisation.
func plainLoss(m *Model, b *batch, stats map[string][]float64) (sum float64, seen map[string][][]float64) {
	size := m.N * m.N
	seen = map[string][][]float64{}
	for i := range b.N {
		p := newPlain(m, b.there[i*m.N:(i+1)*m.N], slices.Index(b.level[i*b.S:(i+1)*b.S], 1))
		p.seen = seen
		maps.Copy(p.w, stats)
		for k, s := range p.score(b.x[i*size : (i+1)*size]) {
			gap := float64(b.sigma[i])*s + float64(b.e[i*size+k])
			sum += float64(b.weight[i]) * gap * gap / 2
		}
	}
	return sum, seen
}

// trainingLoss is the loss with the batch's own statistics, which it returns: those of one normalisation after the
// other, as each depends on the ones before.
func trainingLoss(m *Model, b *batch) (loss float64, stats map[string][]float64) {
	stats = map[string][]float64{}
	for _, i := range m.stats {
		name, ok := strings.CutSuffix(m.params[i].Name, "mean")
		if !ok {
			continue
		}
		_, seen := plainLoss(m, b, stats)
		mean, variance := make([]float64, len(m.params[i].Data)), make([]float64, len(m.params[i].Data))
		n := float64(len(seen[name]))
		for c := range mean {
			for _, y := range seen[name] {
				mean[c] += y[c] / n
			}
			for _, y := range seen[name] {
				variance[c] += (y[c] - mean[c]) * (y[c] - mean[c]) / n
			}
		}
		stats[name+"mean"], stats[name+"variance"] = mean, variance
	}
	loss, _ = plainLoss(m, b, stats)
	return loss, stats
}

// Loss and gradient of training against the plain program, by central differences; the loss without a gradient is that
// by the running statistics.
func TestGradient(t *testing.T) {
	onBackends(t, func(t *testing.T, spec string) {
		m := newModel(t, 4, tiny(spec), 3)
		b := noisy(m, 6, 5)
		if want, _ := plainLoss(m, b, nil); true {
			if got, err := m.lossGrad(b, nil); err != nil || math.Abs(got-want) > 1e-5*want {
				t.Errorf("loss by running statistics %v, want %v, error %v", got, want, err)
			}
		}
		var grads, before [][]float32
		for _, p := range m.params {
			grads, before = append(grads, make([]float32, len(p.Data))), append(before, slices.Clone(p.Data))
		}
		got, err := m.lossGrad(b, grads)
		if err != nil {
			t.Fatal(err)
		}
		want, stats := trainingLoss(m, b)
		if !(math.Abs(got-want) <= 1e-5*want) {
			t.Fatalf("loss %v, want %v", got, want)
		}
		runningStats(t, m, before, stats, b.N*m.N*m.N)
		for i, p := range m.params {
			for k := 0; k < len(p.Data); k += 1 + len(p.Data)/3 {
				w := p.Data[k]
				p.Data[k] = w + 1e-3
				up, _ := trainingLoss(m, b)
				hi := float64(p.Data[k])
				p.Data[k] = w - 1e-3
				down, _ := trainingLoss(m, b)
				slope := (up - down) / (hi - float64(p.Data[k]))
				p.Data[k] = w
				if g := float64(grads[i][k]); !(math.Abs(g-slope) <= 5e-3*(1+math.Abs(slope))) {
					t.Errorf("%s[%d]: gradient %v, want %v", p.Name, k, g, slope)
				}
			}
		}
	})
}

// runningStats holds the running statistics to a tenth of the batch's and the rest of before; all else is as before.
func runningStats(t *testing.T, m *Model, before [][]float32, batch map[string][]float64, entries int) {
	t.Helper()
	for i, p := range m.params {
		for k, x := range p.Data {
			want := float64(before[i][k])
			if s := batch[p.Name]; s != nil {
				now := s[k]
				if strings.HasSuffix(p.Name, "variance") {
					now *= float64(entries) / float64(entries-1)
				}
				want = 0.9*want + 0.1*now
			}
			if math.Abs(float64(x)-want) > 1e-5*(1+math.Abs(want)) {
				t.Errorf("%s[%d] is %v, want %v", p.Name, k, x, want)
			}
		}
	}
}
