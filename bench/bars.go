package main

import "fmt"

// goal is a ratio that was wanted.
type goal struct {
	text string
	want float64
	got  func(b *bench) float64 // 0 where it was not measured
}

// between returns the ratio of two engines' rates at a contest.
func between(key, a, c string) func(b *bench) float64 {
	return func(b *bench) float64 { return over(b.rate(key, a), b.rate(key, c)) }
}

func over(a, c float64) float64 {
	if c == 0 {
		return 0
	}
	return a / c
}

func sampleKey(name string, threads int) string {
	return fmt.Sprintf("%s/%s, undivided, %d", sectionSample, name, threads)
}

func trainKey(name string) string { return fmt.Sprintf("%s/%s, 1", sectionTrain, name) }

// goals lists what was wanted before anything was measured.
func goals() []goal {
	toy, heights, ridge := sampleKey(toyPlain, 1), sampleKey(heightsPair, 1), sampleKey(ridgePair, 1)
	return []goal{
		{"Toy, MLP: SIMD against PyTorch, eager", 5, between(toy, engineSIMD, engineEager)},
		{"Toy, MLP: SIMD against PyTorch, compiled", 2.5, between(toy, engineSIMD, engineCompiled)},
		{"Toy, MLP: plain Go against PyTorch, eager", 1.5, between(toy, enginePlain, engineEager)},
		{"Heights, Pair: SIMD against PyTorch, eager", 10, between(heights, engineSIMD, engineEager)},
		{"Heights, Pair: plain Go against PyTorch, eager", 4, between(heights, enginePlain, engineEager)},
		{"Ridge, Pair: SIMD against PyTorch, eager", 10, between(ridge, engineSIMD, engineEager)},
		{"Ridge, Pair: plain Go against PyTorch, eager", 4, between(ridge, enginePlain, engineEager)},
		{"dense layers, SIMD, as a share of AVX2's measured peak", .5, func(b *bench) float64 {
			key := sectionRoofline + "/one core"
			return over(b.rate(key, rooflineDense), b.rate(key, rooflinePeak))
		}},
		{"training the MLP of Toy: XLA against PyTorch, eager", 1, between(trainKey(toyPlain), engineXLA, engineEager)},
		{"training the U-Net of Heights: XLA against PyTorch, eager", 1, between(trainKey(heightsUNet), engineXLA, engineEager)},
		{"training on Heights: Pair, SIMD, against the U-Net on XLA", 15, func(b *bench) float64 {
			return over(b.rate(trainKey(heightsPair), engineSIMD), b.rate(trainKey(heightsUNet), engineXLA))
		}},
		{"Toy to fidelity: against a U-Net in PyTorch", 20, (*bench).fidelityRatio},
	}
}

// bars adds the goals.
func (b *bench) bars(p *page) {
	rows := [][]string{{"one thread", "wanted", "measured"}}
	for _, g := range goals() {
		if got := g.got(b); got > 0 {
			rows = append(rows, []string{g.text, fmt.Sprintf("%g", g.want), fmt.Sprintf("%.2g", got)})
		}
	}
	if len(rows) > 1 {
		p.par("Ratios of speed that were wanted before anything was measured, and what came of them:")
		p.table(rows)
	}
}

// fidelityRatio returns how many times longer PyTorch's U-Net takes for the paths of the fidelity table.
func (b *bench) fidelityRatio() float64 {
	ours := b.of(sectionFidelity+"/toy", fidelityOurs)
	if ours == nil {
		return 0
	}
	return over(b.unetSeconds(), ours.Seconds)
}

// unetSeconds returns the seconds of PyTorch's U-Net for the paths of the fidelity table, from its rate; 0 if there is none.
func (b *bench) unetSeconds() float64 {
	key := sampleKey(toyUNet, 1)
	return over(fidelityPaths*steps, max(b.rate(key, engineEager), b.rate(key, engineCompiled)))
}

func (b *bench) fidelityTable(p *page) {
	key := sectionFidelity + "/toy"
	ours, undivided := b.of(key, fidelityOurs), b.of(key, fidelityUndivided)
	if ours == nil || undivided == nil {
		return
	}
	p.par("## To fidelity")
	p.par("Seconds of one thread for %s unguided paths of Toy, and their L1 to the data's law; exact draws show %.3g. "+
		"The U-Net's time is that of %s path-steps at the rate measured above. Its L1 was not measured: beside it stands that of the "+
		"same reverse step, the paper's, with Toy's exact denoiser, of which every network trained by cross-entropy is an approximation.",
		thousands(fidelityPaths), ours.Floor, thousands(fidelityPaths*steps))
	rows := [][]string{{"", "seconds", "L1", "× the floor"}}
	add := func(name string, seconds float64, r *result) {
		rows = append(rows, []string{name, short(seconds), fmt.Sprintf("%.3g", r.L1), fmt.Sprintf("%.3g", r.L1/r.Floor)})
	}
	add(fmt.Sprintf("%s, after %d steps of training", fidelityOurs, trainSteps), ours.Seconds, ours)
	add("PyTorch: U-Net, undivided, 256 steps (estimated)", b.unetSeconds(), undivided)
	p.table(rows)
}
