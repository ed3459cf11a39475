package chain

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
)

func TestDistributionAgainstEnumeration(t *testing.T) {
	for _, f := range fixtures() {
		g := f.dist.Base()
		f.wantProbs(t, f.dist, f.p)
		if _, err := NewDistribution(f.dist.Product, f.dist.P); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
		reach, marg, entropy := make([]float64, g.NumVertices()), make([]float64, g.NumEdges()), 0.0
		for i, p := range f.p {
			for _, v := range f.paths[i] {
				reach[v] += p
			}
			for _, e := range f.edges[i] {
				marg[e] += p
			}
			if p > 0 {
				entropy -= p * math.Log(p)
			}
		}
		if !slices.EqualFunc(f.dist.Reach(), reach, close9) || !slices.EqualFunc(f.dist.Marginals(), marg, close9) {
			t.Errorf("%s: marginals differ", f.name)
		}
		if h := f.dist.Entropy(); !close9(h, entropy) {
			t.Errorf("%s: entropy %v, want %v", f.name, h, entropy)
		}
		if _, err := f.dist.LogProb(ddps.Path{0}); err == nil {
			t.Errorf("%s: a sequence that is no path must fail", f.name)
		}
	}
}

func TestDistributionTilt(t *testing.T) {
	for i, f := range fixtures() {
		rng, w := ddps.Rand(21, uint64(i)), make([]float64, f.dist.Base().NumEdges())
		for e := range w {
			w[e] = 3 * rng.Float64()
		}
		for _, scale := range []float64{1, 1e-200, 1e200} { // the last two need logarithms
			want, m := slices.Clone(f.p), 0.0
			for j := range want {
				for _, e := range f.edges[j] {
					want[j] *= w[e]
				}
				m += want[j]
			}
			for j := range want {
				want[j] /= m
			}
			scaled := make([]float64, len(w))
			for e := range w {
				scaled[e] = w[e] * scale
			}
			got, logm, err := f.dist.Tilt(scaled)
			if err != nil {
				t.Fatal(err)
			}
			if L := float64(f.dist.Base().NumLayers() - 1); !close9(logm, math.Log(m)+L*math.Log(scale)) {
				t.Errorf("%s: log m %v, want %v", f.name, logm, math.Log(m)+L*math.Log(scale))
			}
			f.wantProbs(t, got, want)
		}
		if _, logm, err := f.dist.Tilt(make([]float64, len(w))); !errors.Is(err, ErrImpossible) || !math.IsInf(logm, -1) {
			t.Errorf("%s: weights 0: %v, %v", f.name, logm, err)
		}
		for _, bad := range [][]float64{nil, slices.Repeat([]float64{-1}, len(w)), slices.Repeat([]float64{math.NaN()},
			len(w))} {
			if _, _, err := f.dist.Tilt(bad); err == nil || errors.Is(err, ErrImpossible) {
				t.Errorf("%s: weights %v: %v", f.name, bad, err)
			}
		}
	}
}

// Conditions on the sum of edge numbers modulo 4, with weights by state and edge.
func TestDistributionCondition(t *testing.T) {
	for i, f := range fixtures() {
		c, at, err := Unfold(f.dist.Base(), 0, countMod(4), 0)
		if err != nil {
			t.Fatal(err)
		}
		for q := range 4 {
			w, rng := lastState(c, at, q), ddps.Rand(22, uint64(i))
			weight := func(q, e int) float64 { return 0.5 + float64((7*q+3*e)%5) }
			for k := range w {
				w[k] *= weight(at[c.Graph.Tail(k)], c.Edge[k])
			}
			want, m := slices.Clone(f.p), 0.0
			for j, edges := range f.edges {
				s := 0
				for _, e := range edges {
					want[j] *= weight(s, e)
					s = (s + e) % 4
				}
				if s != q {
					want[j] = 0
				}
				m += want[j]
			}
			got, logm, err := f.dist.Condition(c, w)
			if m == 0 {
				if !errors.Is(err, ErrImpossible) {
					t.Errorf("%s: an impossible condition: %v", f.name, err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			for j := range want {
				want[j] /= m
			}
			if !close9(logm, math.Log(m)) {
				t.Errorf("%s: log m %v, want %v", f.name, logm, math.Log(m))
			}
			f.wantProbs(t, got, want)
			if p := got.Sample(rng); f.dist.Base().Check(p) != nil {
				t.Errorf("%s: sampled %v", f.name, p)
			}
		}
		all, logm, err := f.dist.Condition(c, nil)
		if err != nil || !close9(logm, 0) {
			t.Errorf("%s: no weights: log m %v, %v", f.name, logm, err)
		}
		f.wantProbs(t, all, f.p)
		for _, bad := range [][]float64{make([]float64, len(c.Edge)+1), slices.Repeat([]float64{math.Inf(1)}, len(c.Edge))} {
			if _, _, err := f.dist.Condition(c, bad); err == nil {
				t.Errorf("%s: weights %v must fail", f.name, bad)
			}
		}
		other, err := ddps.New([]int{1, 1}, [][]int{{1}, {}})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := f.dist.Condition(Identity(other), nil); err == nil {
			t.Errorf("%s: another graph's condition must fail", f.name)
		}
	}
}

// A condition whose weights leave the range of a float64.
func TestDistributionConditionRange(t *testing.T) {
	f := fixtures()[1]
	c := Identity(f.dist.Base())
	for _, scale := range []float64{1e-250, 1e250} {
		got, logm, err := f.dist.Condition(c, slices.Repeat([]float64{scale}, len(c.Edge)))
		if err != nil || !close9(logm, 3*math.Log(scale)) {
			t.Errorf("scale %v: log m %v, %v", scale, logm, err)
		}
		f.wantProbs(t, got, f.p)
	}
}

func TestKL(t *testing.T) {
	list := fixtures()
	for _, f := range list {
		for _, h := range list {
			if f.dist.Base() != h.dist.Base() {
				if _, err := KL(f.dist, h.dist); err == nil {
					t.Error("KL of distributions of different graphs must fail")
				}
				continue
			}
			want := 0.0
			for i, p := range f.p {
				if p > 0 {
					want += p * math.Log(p/h.p[i])
				}
			}
			if got, err := KL(f.dist, h.dist); err != nil || !close9(got, want) {
				t.Errorf("KL(%s ‖ %s) = %v, %v, want %v", f.name, h.name, got, err, want)
			}
		}
	}
}

func TestDistributionSample(t *testing.T) {
	const n = 50000
	for _, f := range fixtures()[:6] {
		samples := make([]ddps.Path, n)
		for i := range samples {
			samples[i] = f.dist.Sample(ddps.Rand(23, uint64(i)))
		}
		q := oracle.NewDistribution(f.dist.Base()).Shares(samples)
		var p, r []float64 // rare paths taken together
		restP, restQ := 0.0, 0.0
		for i := range f.p {
			if f.p[i]*n < 5 && f.p[i] > 0 {
				restP, restQ = restP+f.p[i], restQ+q[i]
				continue
			}
			p, r = append(p, f.p[i]), append(r, q[i])
		}
		if restP > 0 {
			p, r = append(p, restP), append(r, restQ)
		}
		chi2, df := oracle.ChiSquare(p, r, n)
		if d := float64(df); chi2 > d+5*math.Sqrt(2*d)+10 {
			t.Errorf("%s: χ² = %.1f with %d degrees of freedom", f.name, chi2, df)
		}
	}
}
