package main

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
)

// roofline measures what one core can do. "peak" counts the floating-point operations of fused multiply-adds of AVX2 in
// registers (in plain Go of scalar multiply-adds), "wide" those of AVX-512 (none where there is none), and "triad" the
// bytes of a[i] = b[i] + s·c[i] over arrays that no cache holds: two reads and a write an entry.
func roofline(op string) (a answer) {
	run, per := peak, float64(peakFlops)
	switch {
	case op == "triad":
		run, per = triadRounds()
	case op == "wide" && hasWide():
		run = peakWide
	case op == "wide":
		return a
	}
	run(1) // touches the memory, wakes the vector units
	for rounds := 1; a.CPU < .2; rounds *= 2 {
		a.Count = float64(rounds) * per
		a.timed(func() error { run(rounds); return nil })
	}
	return a
}

// triadRounds returns what does so many rounds of the triad, and the bytes of one.
func triadRounds() (run func(rounds int), bytes float64) {
	const n = 1 << 25 // 128 MiB each
	x, y, z := make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range n {
		y[i], z[i] = 1, 2
	}
	return func(rounds int) {
		for range rounds {
			triad(x, y, z)
		}
	}, 12 * n
}

// triadPlain is x = y + 3z.
func triadPlain(x, y, z []float32) {
	y, z = y[:len(x)], z[:len(x)]
	for i := range x {
		x[i] = y[i] + 3*z[i]
	}
}

// dense counts the operations of the network's 192 × 192 layers by themselves: a network with many of them less one with
// none, on batches that the first-level caches hold as they do in sampling. Each layer's silu and sum are in the time,
// and not in the count.
func (w *worker) dense(ask) (a answer, err error) {
	data, cfg, err := caseConfig(toyPlain)
	if err != nil {
		return a, err
	}
	const layers, samples = 32, 256
	var nets [2]*d3pm.MLP
	for k := range nets {
		cfg.MLP.Layers = 2 + k*layers
		if nets[k], err = d3pm.NewMLP(data.Graph, cfg.MLP, 1); err != nil {
			return a, err
		}
	}
	x, out := make([]ddps.PALM, samples), make([]float32, samples*data.Graph.NumEdges())
	for i := range x {
		x[i] = make(ddps.PALM, data.Graph.NumVertices())
		data.Graph.Uniform(x[i], ddps.Rand(4, uint64(i)))
	}
	var seconds [2]answer
	passes := 1
	for { // until the deep network takes long enough
		for k, net := range nets {
			seconds[k].timed(func() error {
				for range passes {
					net.Forward(out, x, 100)
				}
				return nil
			})
		}
		if seconds[1].CPU > .1 && passes > 1 {
			break
		}
		passes *= 2
	}
	h := float64(cfg.MLP.Hidden)
	a.Count = float64(passes) * samples * layers * 2 * h * h
	a.Seconds, a.CPU = seconds[1].Seconds-seconds[0].Seconds, seconds[1].CPU-seconds[0].CPU
	return a, nil
}
