package main

import (
	"fmt"
	"strings"
)

// goal is a speed that was wanted: a ratio of two, or what a command does in a CPU second.
type goal struct {
	text string
	want float64                             // at least; where it is negative, the greatest number of CPU seconds
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
	return fmt.Sprintf("%s/%s, austin, %d", sectionSample, name, threads)
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

// per returns what a command did in a CPU second.
func per(name string) func(b *bench, threads int) float64 {
	return alone(func(b *bench) float64 { return b.rate(commandKey(name), engineNative) })
}

// goals lists what was wanted before anything was measured.
func goals() []goal {
	toy := samplingOf(toyPlain)
	joint := func(threads int) string { return fmt.Sprintf("%s/%s, joint, %d", sectionSample, toyResidual, threads) }
	guided := func(int) string { return commandKey(commandGuided) }
	return []goal{
		{"Toy, MLP, 256 steps: native in AVX-512 against PyTorch, eager", 2.2, ofKind("AVX-512", between(toy, engineNative,
			engineEager))},
		{"Toy, MLP, 256 steps: native in AVX2 against PyTorch, eager, in AVX2", 1.4, narrow(toy)},
		{"Toy, residual MLP, joint: native against PyTorch, eager", 3, between(joint, engineNative, engineEager)},
		{"Toy, U-Net: native against PyTorch, eager", 1.7, between(samplingOf(toyUNet), engineNative, engineEager)},
		{"training the MLP of Toy: native against PyTorch, eager", 1.2, between(trainingOf(toyPlain), engineNative,
			engineEager)},
		{"training the U-Net of Heights: XLA against PyTorch, eager", 1, between(trainingOf(heightsUNet), engineXLA,
			engineEager)},
		{"the mixture on Heights by Algorithm 2: against the earlier revision", 3, alone(func(b *bench) float64 {
			return between(guided, engineNative, engineBefore)(b, 1)
		})},
		{"the row of sampling and training that gained least: against the earlier revision", 1, alone((*bench).least)},
		{"paths per CPU second of `sample shipped:heights -n 200000`", 100_000, per(commandSample)},
		{"the same, conditioned on a visit", 50_000, per(commandVisit)},
		{"CPU seconds of `quickstart`", -15, per(commandStart)},
		{"CPU seconds of `sample shipped:heights -n 1`", -.1, per(commandOne)},
	}
}

// narrow compares in AVX2 alone, which is all of the native engine where there is no more.
func narrow(key func(threads int) string) func(b *bench, threads int) float64 {
	return func(b *bench, threads int) float64 {
		return max(between(key, engineAVX2, engineNarrow)(b, threads),
			ofKind("AVX2", between(key, engineNative, engineEager))(b, threads))
	}
}

// ofKind makes a ratio one of machines whose native engine uses kind.
func ofKind(kind string, got func(b *bench, threads int) float64) func(b *bench, threads int) float64 {
	return func(b *bench, threads int) float64 {
		if b.Machine.Vectors != kind {
			return 0
		}
		return got(b, threads)
	}
}

// least returns the least ratio of the native engine's rate to that of the earlier revision on one thread.
func (b *bench) least() float64 {
	least := 0.0
	for _, section := range []string{sectionSample, sectionTrain} {
		for _, key := range b.section(section) {
			x := over(b.rate(key, engineNative), b.rate(key, engineBefore))
			if strings.HasSuffix(key, ", 1") && x > 0 && (least == 0 || x < least) {
				least = x
			}
		}
	}
	return least
}

// bars adds the goals.
func (b *bench) bars(p *page) {
	rows := [][]string{{"", "wanted", "one thread", "two threads"}}
	for _, g := range goals() {
		one, two := g.got(b, 1), g.got(b, 2)
		if one > 0 || two > 0 {
			rows = append(rows, []string{g.text, g.wanted(), g.shown(one), g.shown(two)})
		}
	}
	if len(rows) > 1 {
		p.par("Speeds, ratios where nothing else is said, that were wanted before anything was measured, and what was " +
			"measured:")
		p.table(rows)
		p.par("%s", strings.TrimSpace(roofline))
	}
}

// roofline says what the goals of networks come up against; it was measured by hand.
const roofline = `
Of the 2.1 µs that the MLP of Toy takes in AVX-512, 1.5 are its dense layers (perf): 84,900 multiply-adds, the rows of
vertices with a choice alone, at 113 GF/s. The clock is 3.6 GHz (a chain of products, by CPU time), so that it is 97%
of one vector of sixteen lanes per cycle, the most that a core of this kind (Zen 4) can do. With nothing but them the
ratio would be 2.1 on a quiet machine. The rest is SiLU 0.17 µs, the first layer's sums 0.13, the rows' softmax 0.08,
random numbers 0.06, and what is smaller; with the joint kernel, the walks of x̃₀ 0.13. The U-Net of Toy takes 4.1 of
its 5.0 million multiply-adds: what enters no row with a choice, or is 0, is left out. At that peak they are 71 µs.
Algorithm 2 on the mixture of Heights spends a third of its time in the forward pass of the classes and a quarter in
the backward one, 2.0 and 1.5 ns per edge, class and group of eight, of which the divisions alone, one per state and
class in each pass, are about 0.8.`

// wanted writes what was wanted: at least a number, or of seconds, which are negative, at most.
func (g goal) wanted() string {
	if g.want < 0 {
		return "≤ " + short(-g.want)
	}
	return "≥ " + short(g.want)
}

// shown writes what was measured; seconds are the inverse of a rate.
func (g goal) shown(got float64) string {
	if g.want < 0 && got > 0 {
		got = 1 / got
	}
	return short(got)
}

// unetSeconds returns the seconds of PyTorch's U-Net for the paths of the fidelity table, from its rate; 0 if there is
// none.
func (b *bench) unetSeconds() float64 {
	key := sampleKey(toyUNet, 1)
	return over(fidelityPaths*steps, max(b.rate(key, engineEager), b.rate(key, engineCompiled)))
}

func (b *bench) fidelityTable(p *page) {
	key := sectionFidelity + "/toy"
	ours, austin := b.of(key, fidelityOurs), b.of(key, fidelityAustin)
	if ours == nil || austin == nil {
		return
	}
	p.par("## To fidelity")
	p.par("Seconds of one thread for %s unguided paths of Toy, and their L1 to the data's distribution; exact draws "+
		"show %.3g. "+
		"The U-Net's time is that of %s path-steps at the rate measured above. Its L1 was not measured: beside it is "+
		"that of the "+
		"same reverse step, the paper's, with Toy's exact denoiser, of which every network trained by cross-entropy is an "+
		"approximation.",
		thousands(fidelityPaths), ours.Floor, thousands(fidelityPaths*steps))
	rows := [][]string{{"", "seconds", "L1", "× the floor"}}
	add := func(name string, seconds float64, r *result) {
		rows = append(rows, []string{name, short(seconds), fmt.Sprintf("%.3g", r.L1), fmt.Sprintf("%.3g", r.L1/r.Floor)})
	}
	add(fmt.Sprintf("%s, after %d steps of training", fidelityOurs, trainSteps), ours.Seconds, ours)
	add("PyTorch: U-Net, austin, 256 steps (estimated)", b.unetSeconds(), austin)
	p.table(rows)
}
