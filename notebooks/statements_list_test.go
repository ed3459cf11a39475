package notebooks

import (
	"math"
	"strings"
)

// statements are those of notebooks 00 to 04.
func statements() []statement {
	return []statement{
		{"00", "11 layers, all of its 1,063 paths equally likely",
			"setup", says(`^1063 distinct paths, 1063 with.*11 layers`)},
		{"00", "**every single one is a path of the graph**", "valid", says(`^1024 of 1024 samples are paths`)},
		{"00", "A good model is close to its floor", "distribution", func(o outputs) bool {
			return o.at("L1", 0) < o.at("L1", 2) &&
				o.at("KL, unseen paths at 0.5/N", 0) < o.at("KL, unseen paths at 0.5/N", 2)
		}},
		{"00", "KL is infinite as soon as one path is missing",
			"distribution", func(o outputs) bool { return math.IsInf(o.at("KL", 0), 1) }},
		{"00", `\log 1063\approx6.969`, "score", says(`model 6\.97\d nats per path, at best 6\.969`)},
		{"00", "Under the model 1.9% of the paths attain the 4", "guide", func(o outputs) bool {
			return math.Abs(o.at("none", 1)-1.9) < .9 // three deviations of 1,024 samples
		}},
		{"00", "how many of these 20 the guide `max` found", "guide", func(o outputs) bool {
			return o.at("max", 0) == 4 && o.at("max", 1) == 100 && o.at("max", 2) <= 20
		}},
		{"00", "walks of ten moves about a corner of Helsinki", "command", says(`depth +10\n(?s:.*)place +Helsinki`)},
		{"01", "`Paths` lists the paths one by one",
			"paths", says(`^10 ways from A:\n(?:[A-J] [A-J] [A-J] [A-J] \n){10}`)},
		{"01", "Here is each condition broken once",
			"broken", says(`(?s)condition 1.*condition 2.*condition 3.*condition 4`)},
		{"01", `The counts add up to $3\cdot2\cdot2\cdot2\cdot2\cdot1\cdot2=96$`, "table", func(o outputs) bool {
			return o.at("all", 0) == 96
		}},
		{"01", "by counting all of them, and by the formula", "table", func(o outputs) bool {
			return o.at("A → B → F → I", 0) == 16 && o.at("A → B → F → I", 1) == 16 && o.at("A → C → G → J", 0) == 8
		}},
		{"01", "of which paths visit 35", "sizes", func(o outputs) bool { return o.at("Toy", 0) == 35 }},
		{"02", "all 1,063 paths are equally likely, which is a Markov distribution", "setup", says(`1063 paths`)},
		{"02", "are nearly right after 200 steps, and the bound still is more than a nat above",
			"compare",
			func(o outputs) bool {
				return o.at("own, plain network", 0) > o.at("best possible", 0)+1 &&
					o.at("own, plain network", 1) < 1.15*o.at("best possible", 1)
			}},
		{"03", "11 layers, 66 edges on its paths, and 1,063 paths",
			"setup", says(`11 layers, 35 vertices .* 66 edges.* 1063 paths`)},
		{"03", "20 of the 1,063 paths have it, 1.9%", "tilt", func(o outputs) bool {
			return math.Abs(o.at("P(R = 4) =", 0)-20./1063) < 1e-4 || says(`0\.0188`)(o)
		}},
		{"03", "As printed, the gradient even pushes *away* from it", "stall", func(o outputs) bool {
			return o.at("23 → 26", 3) < 0 && o.at("23 → 26", 2) > 0
		}},
		{"03", "At vertex 33 one of three edges is preferred, and the path ends there",
			"stall", func(o outputs) bool {
				return o.at("33 → 38", 1) == 1 && o.at("33 → 39", 1) == 0 && o.at("33 → 40", 1) == 0
			}},
		{"03", "the vertex collects its 1 whichever edge is taken", "stall", func(o outputs) bool {
			return o.at("33 → 38", 3) == 0 && o.at("33 → 39", 3) == 0
		}},
		{"03", "Exact conditioning finds all 20 and stands at the sampling floor",
			"contest-rows", func(o outputs) bool {
				return o.at("max", 3) == 20 && o.at("max", 4) < 1.5*o.at("max", 5)
			}},
		{"03", "at large λ all reach it, but most of the 20 paths are lost", "contest-rows", func(o outputs) bool {
			return o.at("eq7 100000", 1) == 100 && o.at("eq7 100000", 2) < 10 &&
				o.at("algorithm2 100000", 1) == 100 && o.at("algorithm2 100000", 2) < 10
		}},
		{"03", "423 vertices in 12 layers", "heights", says(`1 in 16292`)},
		{"04", "what they attain agrees", "agree", func(o outputs) bool {
			return near10(o.at("mlp", 0), o.at("none", 0)) && near10(o.at("mlp", 2), o.at("none", 2))
		}},
		{"04", "For this reward 72 of 1,063 paths are best", "target", says(`^72 of 1063 paths are best`)},
		{"04", "That works as long as many do", "sampled-target", func(o outputs) bool {
			return o.at("1024", 1) > o.at("8192", 1) && o.at("8192", 1) > o.at("65536", 1)
		}},
		{"04", "The first $q$ lost a path: KL is infinite, the others hardly notice, and SFD sees nothing",
			"distances",
			func(o outputs) bool {
				r := o.row("[0.4 0.3 0.3 0]")
				return len(r) == 5 && math.IsInf(r[0], 1) && r[4] == 0
			}},
		{"04", "SFD is zero for the uniform $q$ too",
			"distances", func(o outputs) bool { return o.at("[0.25 0.25 0.25 0.25]", 4) == 0 }},
		{"04", "SFD is large, KL small", "distances", func(o outputs) bool {
			return o.at("[0.3 0.4 0.1 0.2]", 4) == .5 && o.at("[0.3 0.4 0.1 0.2]", 0) < .1
		}},
		{"04", "IS-L is exactly zero: each vertex is visited as often as it should be. FLGD is not",
			"blind", func(o outputs) bool {
				return o.at("IS-L L1", 0) == 0 && o.at("IS-L KL", 0) == 0 && o.at("FLGD", 0) > 0
			}},
		{"04", "All that is said of whole paths is as large as it can be", "blind", func(o outputs) bool {
			return o.at("L1", 0) == 2 && o.at("total variation, ½ L1", 0) == 1 && o.at("SFD", 0) == 1
		}},
		{"04", "Nothing is at its floor", "evaluate", func(o outputs) bool {
			for _, metric := range []string{"L1", "total variation, ½ L1", "SFD", "IS-L L1", "IS-L KL", "FLGD"} {
				if r := o.row(metric); len(r) < 3 || r[0] <= r[2] {
					return false
				}
			}
			return true
		}},
		{"04", "Nearly every sample attains the maximum by now",
			"collapse", func(o outputs) bool { return o.at("100", 0) > 95 }},
		{"04", "All of the best paths attain the same, but the gradient prefers some, and the others are lost",
			"collapse",
			func(o outputs) bool { return o.at("10", 1) > 60 && o.at("100000", 1) < 20 }},
		{"04", "$L^1$ and KL have their sweet spot at λ = 100", "figure-5", says(`figure`)},
	}
}

// moreStatements are those of notebooks 05 to 10.
func moreStatements() []statement {
	return []statement{
		{"05", "Held stiffly, the mixture is hardly better than the chain. Let loose it is, and τ matters more than ρ",
			"rein",
			func(o outputs) bool {
				stiff, loose, chain := o.at("30 100", 0), o.at("1 1", 0), o.at("chain", 0)
				return stiff < chain && chain-stiff < .2*(chain-loose) &&
					stiff-o.at("30 1", 0) > stiff-o.at("1 100", 0)
			}},
		{"05", "All four classes are in use", "train", func(o outputs) bool {
			list := o.row("")
			return len(list) == 4 && min(list[0], list[1], list[2], list[3]) > .1
		}},
		{"05", "The mixture closes seven tenths of the gap", "score", func(o outputs) bool {
			r := outputs(lastLine(o)).row("")
			return len(r) == 4 && math.Abs((r[0]-r[2])/(r[0]-r[3])-.7) < .05 && r[1] < r[0]
		}},
		{"05", "Reading is strict", "read", says(`no vertex "Main Street"(?s:.*)2 fields(?s:.*)no edge from`)},
		{"05", "`max` gives walks that attain as much as any can",
			"rewards", says(`attains 6(?s:.*)100\.0% at the maximum 6`)},
		{"05", "one that is drawn uniformly from all walks on the map",
			"odd", says(`nats +the stranger\? +walk\n *\d+\.\d+ +true`)},
		{"05", "More walks than there are walkers in any file", "setup", says(`^1940193 walks`)},
		{"06", "`Blind` and the exact chain give equally bad *samples*", "ends", func(o outputs) bool {
			return near10(o.at("blind", 1), o.at("exact for the chain", 1)) &&
				o.at("blind", 0) > 3*o.at("exact for the chain", 0)
		}},
		{"06", "There are two nats between the chain and the data", "ends", func(o outputs) bool {
			return near10(o.at("exact for the chain", 0)-o.at("exact for the data", 0), 2)
		}},
		{"06", "The entropy of the data is the least that the bound can be", "ends", func(o outputs) bool {
			return o.at("exact for the data", 0) >= o.at("entropy of the data", 0)
		}},
		{"06", "Against central differences", "check", func(o outputs) bool {
			n := 0
			for _, w := range []string{"777", "3277", "5777", "10777"} {
				if r := o.row("weight " + w + ": by hand"); len(r) == 2 && math.Abs(r[0]-r[1]) < 1e-5 {
					n++
				}
			}
			return n == 4
		}},
		{"06", "Both networks have learned part of the memory, and neither is near the end of it",
			"compare", func(o outputs) bool {
				chain, best := o.at("exact for the chain", 0), o.at("exact for the data", 0)
				return o.at("votes", 0) < chain && o.at("MLP", 0) < chain && o.at("votes", 0) > best+.5 &&
					o.at("MLP", 0) > best+.5
			}},
		{"06", "the paths of greatest reward, with the condition imposed", "condition", func(o outputs) bool {
			return o.at("conditioned, 8 particles", 0) == 1
		}},
		{"07", "A condition that no path can meet is an error before anything is sampled",
			"impossible", says(`no path meets it`)},
		{"07", "Every sample attains 4, and nobody could tell the samples from exact ones by their KL",
			"exact", func(o outputs) bool {
				return o.at("model, MaxReward", 0) == 4 && o.at("model, MaxReward", 1) == 100 &&
					o.at("model, MaxReward", 2) < o.at("exact draws, 99.9%", 0)
			}},
		{"07", "their distribution is wrong by far more than the noise", "memory", func(o outputs) bool {
			return o.at("tilt at every step", 1) == 100 &&
				o.at("tilt at every step", 2) > 3*o.at("exact draws, 99.9%", 0)
		}},
		{"07", "Two particles do most of it, eight bring it down to what exact draws show",
			"particles", func(o outputs) bool {
				tilt, two, floor := o.at("tilt at every step", 2), o.at("2 particles", 2), o.at("exact draws, mean", 0)
				return tilt-two > .5*(tilt-floor) && o.at("8 particles", 2) < o.at("exact draws, 99.9%", 0)
			}},
		{"07", "The conditioned chain is the target", "baseline-toy", func(o outputs) bool {
			return o.at("chain, MaxReward", 2) < o.at("exact draws, 99.9%", 0)
		}},
		{"07", "On the data with memory it loses, and badly", "baseline-memory", func(o outputs) bool {
			return o.at("first-order chain, exactly", 3) > 1 && o.at("second-order chain, exactly", 3) > 1
		}},
		{"07", "It does better, and is still far off", "baseline-memory", func(o outputs) bool {
			x := o.at("mixture of 32 chains, exactly", 2)
			return x < o.at("first-order chain, exactly", 2) && x > 5*o.at("exact draws, mean", 0)
		}},
		{"07", "Each probability stands beside its Monte Carlo estimate", "lang-two", func(o outputs) bool {
			r := o.row(`visit("Dock 4", 8:30..9:15)`)
			return len(r) == 4 && math.Abs(r[1]-r[2]) < 3*r[3]
		}},
		{"08", "None is a path after 1,000 steps, 28% after 3,000, 70% after 6,000, 89% after 10,000 and 94% after 24,000",
			"../docs/reproduced/swingnn.csv", says(`(?s)\n1000,[^,]*,[^,]*,64,0,.*\n3000,[^,]*,[^,]*,64,0\.28.*\n6000,[^,]*,[^,]*,64,0\.70.*` +
				`\n10000,[^,]*,[^,]*,64,0\.89.*\n24000,[^,]*,[^,]*,64,0\.93`)},
		{"08", "More than thirty thousand weights a path, and still a third or so of its samples are none",
			"small-rate",
			says(`^valid 6\d% \(\d+ to \d+\)`)},
		{"08", "All are paths. Matrices are not to blame", "exact", says(`Outcomes:\[64 0 0 0 0\]`)},
		{"08", "Noise makes another path of it, never no path",
			"palm", says(`^1000 of 1,000 PALMs of pure noise are paths`)},
		{"08", "It keeps its paths at every λ, and all of them come to hold the edge",
			"exact-guided", func(o outputs) bool {
				return o.at("0", 0) == 32 && o.at("1", 0) == 32 && o.at("10", 1) == 32 && o.at("1000", 1) == 32
			}},
		{"08", "DDPS draws paths at every λ, as it must. SwinGNN starts at 95%", "rows", func(o outputs) bool {
			return o.at("DDPS 0", 0) == 1 && o.at("DDPS 100000", 0) == 1 &&
				math.Round(100*o.at("SwinGNN, R(x) 0", 0)) == 95
		}},
		{"08", "The paper's way keeps them up to λ = 30, and falls to 15%", "../docs/reproduced/validity.csv",
			says(`R\(x\)",30,128,0\.94(?s:.*)R\(x\)",100000,128,0\.14`)},
		{"08", "The way through the network holds up to 100, and then falls to 0, where *all* samples have the edge",
			"../docs/reproduced/validity.csv",
			says(`R\(D\(x\)\)",100,128,1,(?s:.*)R\(D\(x\)\)",100000,128,0,.*,1,0,0,`)},
		{"09", "only under Algorithm 2 with the paper's many steps does the valley come to λ = 100 and beyond",
			"eq7", func(o outputs) bool {
				return o.at("algorithm2 2", 0) >= 100 && o.at("eq7 4", 0) < 100
			}},
		{"09", "Unguided, against the distribution of all paths, it is plain", "free", func(o outputs) bool {
			return o.at("austin", 0) > o.at("exact draws, 99.9%", 0) &&
				o.at("joint", 0) < o.at("exact draws, 99.9%", 0)
		}},
		{"10", "a fifth of them is for testing", "names", says(`^5126 names to learn from, 1281 to test with`)},
		{"07", "72 of the 1,063 paths have it",
			"conditions", func(o outputs) bool { return o.at("max(reward)", 0) == 72 }},
		{"07", "with a sum over all 1,063 paths", "conditions", func(o outputs) bool {
			for _, c := range []string{"max(reward)", "reward >= 3", "reward = 2", `visit("7") and avoid("34")`, "boltzmann(0.5)"} {
				if r := o.row(c); len(r) != 3 || math.Abs(r[1]-r[2]) > 1e-8 {
					return false
				}
			}
			return true
		}},
		{"07", "here it should be 0.0793", "particles", func(o outputs) bool {
			return math.Abs(o.at("2 particles: P(condition) =", 0)-.0793) < 3*.0032 &&
				math.Abs(o.at("8 particles: P(condition) =", 0)-.0793) < 3*.0011
		}},
		{"07", "A mixture of 32 chains is conditioned class by class, exactly as well",
			"baseline-memory", func(o outputs) bool {
				return o.at("mixture of 32 chains, exactly", 1) == 100
			}},
		{"07", "the effective sample size stays 4",
			"equal", says(`^least effective size 4\.0+ of 4; the condition: 1 in (\S+), by the closed form 1 in`)},
		{"08", "it has about 1,350 paths", "setup", says(`1350 paths, 666 pairs`)},
		{"08", "666 numbers", "setup", says(`666 pairs of vertices`)},
		{"08", "The one that survives two wrong entries had the same entry flipped twice",
			"flips", func(o outputs) bool {
				return o.at("0", 0) == 1000 && o.at("1", 0) == 0 && o.at("2", 0) == 1 && o.at("4", 0) == 0
			}},
		{"10", "Nine of ten end where they begin", "features", func(o outputs) bool {
			return math.Abs(o.at("return to the start", 0)-.9) < .01
		}},
		{"10", "how likely is it, given intensive care", "hospital", says(`a return given intensive care 0\.\d+`)},
	}
}

// lastLine is the last line of an output.
func lastLine(o outputs) string {
	list := strings.Split(strings.TrimSpace(string(o)), "\n")
	return list[len(list)-1]
}
