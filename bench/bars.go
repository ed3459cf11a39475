package main

import "fmt"

// goal is a ratio that was wanted.
type goal struct {
	text string
	want float64
	got  func(b *bench, threads int) float64 // 0 where it was not measured
}

// between returns the ratio of two engines' rates at a contest.
func between(key func(threads int) string, a, c string) func(b *bench, threads int) float64 {
	return func(b *bench, threads int) float64 { return over(b.rate(key(threads), a), b.rate(key(threads), c)) }
}

// alone makes a ratio that is measured on one thread one of a goal.
func alone(got func(b *bench) float64) func(b *bench, threads int) float64 {
	return func(b *bench, threads int) float64 {
		if threads > 1 {
			return 0
		}
		return got(b)
	}
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

func trainKey(name string, threads int) string {
	return fmt.Sprintf("%s/%s, %d", sectionTrain, name, threads)
}

// samplingOf and trainingOf name a case's contest by its threads.
func samplingOf(name string) func(int) string {
	return func(threads int) string { return sampleKey(name, threads) }
}

func trainingOf(name string) func(int) string {
	return func(threads int) string { return trainKey(name, threads) }
}

// goals lists what was wanted before anything was measured.
func goals() []goal {
	toy := samplingOf(toyPlain)
	return []goal{
		{"Toy, MLP: SIMD against PyTorch, eager", 5, between(toy, engineSIMD, engineEager)},
		{"Toy, MLP: SIMD against PyTorch, compiled", 2.5, between(toy, engineSIMD, engineCompiled)},
		{"Toy, MLP: plain Go against PyTorch, eager", 1.5, between(toy, enginePlain, engineEager)},
		{"dense layers, SIMD, as a share of AVX2's measured peak", .5, alone(func(b *bench) float64 {
			return over(b.rate(rooflineKey, rooflineDense), b.rate(rooflineKey, rooflinePeak))
		})},
		{"training the MLP of Toy: SIMD against PyTorch, eager", 1, between(trainingOf(toyPlain), engineSIMD, engineEager)},
		{"training the MLP of Toy: XLA against PyTorch, eager", 1, between(trainingOf(toyPlain), engineXLA, engineEager)},
		{"training the U-Net of Heights: XLA against PyTorch, eager", 1, between(trainingOf(heightsUNet), engineXLA, engineEager)},
		{"Toy to fidelity: against a U-Net in PyTorch", 20, alone((*bench).fidelityRatio)},
	}
}

// bars adds the goals.
func (b *bench) bars(p *page) {
	rows := [][]string{{"", "wanted", "one thread", "two threads"}}
	for _, g := range goals() {
		one, two := g.got(b, 1), g.got(b, 2)
		if one > 0 || two > 0 {
			rows = append(rows, []string{g.text, fmt.Sprintf("%g", g.want), ratio(one, 1), ratio(two, 1)})
		}
	}
	if len(rows) > 1 {
		p.par("Ratios of speed that were wanted before anything was measured, and what came of them:")
		p.table(rows)
		b.limit(p)
	}
}

// limit says what the processor allows where Toy's goals were missed.
func (b *bench) limit(p *page) {
	ours, theirs := b.rate(sampleKey(toyPlain, 1), engineSIMD), b.rate(sampleKey(toyPlain, 1), engineEager)
	narrow, wide := b.rate(rooflineKey, rooflinePeak), b.rate(rooflineKey, rooflineWide)
	flops, err := denseFlops(toyPlain)
	if err != nil || ours == 0 || theirs == 0 || narrow == 0 || wide == 0 || ours >= 5*theirs {
		return
	}
	of := func(rate float64) string { return fmt.Sprintf("%.0f GF/s", rate*flops/1e9) }
	p.par("Why Toy's are out of reach: a path-step has %s floating-point operations in its dense layers alone. PyTorch does %s of them, "+
		"which is %.0f %% of AVX2's measured peak; five times that is %s, where the peak of AVX-512 itself is %.0f GF/s, with nothing left "+
		"for the first layer, softmax, reverse kernel and draws. The native engine does %s, all of that included. Plain Go has no vector "+
		"instructions: one and a half times PyTorch's speed would be %s, and its dense layers do %.1f GF/s by themselves.",
		thousands(int(flops)), of(theirs), 100*theirs*flops/narrow, of(5*theirs), wide/1e9, of(ours), of(1.5*theirs),
		b.rate(rooflineKey, rooflineDensePlain)/1e9)
}

// denseFlops returns the operations of a path and step in the MLP's layers after the first, which is a sum of rows: L of H × H and
// one of H × E.
func denseFlops(name string) (float64, error) {
	data, cfg, err := caseConfig(name)
	if err != nil {
		return 0, err
	}
	h := float64(cfg.MLP.Hidden)
	return 2 * h * (float64(cfg.MLP.Layers)*h + float64(data.Graph.NumEdges())), nil
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
