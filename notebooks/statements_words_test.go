package notebooks

import "math"

// wordStatements are those that compare without a number.
func wordStatements() []statement {
	floor := func(o outputs) float64 { return o.at("L1 to the data; sampling floor", 0) }
	return []statement{
		{"00", "from the first vertex always ends in the last layer", "valid", says(`^1024 of 1024 samples are paths`)},
		{"01", "On the example that is rare already, and on Toy next to impossible", "subsets-run", func(o outputs) bool {
			return o.at("example", 0) < .05 && o.at("Toy", 0) < 1e-6
		}},
		{"02", "and the closed form beside them", "closed", func(o outputs) bool {
			a, b := o.row("by matrices"), o.row("closed form")
			return len(a) == 3 && len(b) == 3 && a[0] == b[0] && a[1] == b[1] && a[2] == b[2]
		}},
		{"02", "`eq2` and `austin` stay off however many steps they take, `eq2` more so", "offpath", func(o outputs) bool {
			for i := range 3 {
				if o.at("eq2", i) < 1.1*floor(o) || o.at("austin", i) < 1.1*floor(o) || o.at("eq2", i) < o.at("austin", i) {
					return false
				}
			}
			return true
		}},
		{"02", "`occupancy` is right with many steps, but not with few", "offpath", func(o outputs) bool {
			return o.at("occupancy", 0) > 1.2*floor(o) && near10(o.at("occupancy", 2), floor(o))
		}},
		{"02", "`joint` is right with any number", "offpath", func(o outputs) bool {
			return near10(o.at("joint", 0), floor(o)) && near10(o.at("joint", 1), floor(o)) && near10(o.at("joint", 2), floor(o))
		}},
		{"02", "The mixture closes six sevenths of the gap between chain and rule", "nats", func(o outputs) bool {
			r := outputs(lastLine(o)).row("")
			return len(r) == 4 && math.Abs((r[0]-r[2])/(r[0]-r[3])-6./7) < .04
		}},
		{"02", "It makes a typical walk more than a third more likely", "nats", func(o outputs) bool {
			r := outputs(lastLine(o)).row("")
			return len(r) == 4 && math.Exp(r[0]-r[2]) > 4./3
		}},
		{"02", "with a perfect network their costs add up to it, whatever the noise was", "bound", func(o outputs) bool {
			r := o.row("")
			return len(r) == 1 && r[0] < 1e-5
		}},
		{"03", "One of the two readings is equal to it", "enumerate", func(o outputs) bool {
			return o.at("by enumeration", 0) == o.at("as meant", 0)
		}},
		{"03", "promises two and a half times too much", "enumerate", func(o outputs) bool {
			return near10(o.at("as printed", 0), 2.5*o.at("by enumeration", 0))
		}},
		{"03", "Both guides reach the maximum and miss the distribution", "contest-rows", func(o outputs) bool {
			return o.at("eq7 100000", 1) == 100 && o.at("algorithm2 100000", 1) == 100 &&
				o.at("eq7 100000", 3) > 10*o.at("eq7 100000", 4) && o.at("algorithm2 100000", 3) > 10*o.at("algorithm2 100000", 4)
		}},
		{"03", "At moderate λ some samples fall short of the maximum", "contest-rows", func(o outputs) bool {
			return o.at("eq7 20", 1) < 100 && o.at("algorithm2 30", 1) < 100
		}},
		{"03", "Conditioned, every walk takes them", "heights", says(`100% conditioned`)},
		{"04", "No λ comes near it", "table", func(o outputs) bool {
			best := math.Inf(1)
			for _, l := range []string{"10", "30", "100", "300", "1000"} {
				best = min(best, o.at(l, 3))
			}
			return best > 25*o.at("sampling floor", 3) && best < 40*o.at("sampling floor", 3) // "thirty times as large"
		}},
		{"04", "IS-L is exactly zero", "blind", func(o outputs) bool {
			return o.at("IS-L L1", 0) == 0 && o.at("IS-L KL", 0) == 0 && o.at("FLGD", 0) > 0
		}},
		{"04", "KL is infinite, the others hardly notice, and SFD sees nothing since the order is the same", "distances",
			func(o outputs) bool {
				r := o.row("[0.4 0.3 0.3 0]")
				return len(r) > 4 && r[len(r)-1] == 0 && math.IsInf(r[len(r)-5], 1)
			}},
		{"05", "The second-order chain is nearer than the chain in nats", "score", func(o outputs) bool {
			r := outputs(lastLine(o)).row("")
			return len(r) == 4 && r[1] < r[0] && r[3] < r[2]
		}},
		{"09", "So the same λ weighs differently, and the sweet spots lie apart", "eq7", func(o outputs) bool {
			return o.at("algorithm2 1", 0) != o.at("eq7 1", 0) && o.at("algorithm2 4", 0) != o.at("eq7 4", 0)
		}},
		{"09", "exact conditioning lies at the floor with no λ at all", "eq7", func(o outputs) bool {
			for _, row := range []string{"algorithm2 1", "algorithm2 2", "algorithm2 4", "algorithm2 7"} {
				if !(o.at(row, 2) < 1.3*o.at(row, 3)) || !(o.at(row, 1) > o.at(row, 2)) {
					return false
				}
			}
			return true
		}},
		{"07", "The chains of first and second order are far off", "heights-max", func(o outputs) bool {
			return o.at("first-order chain", 4) > 5*o.at("exact draws, 99.9%", 3) &&
				o.at("second-order chain", 4) > 5*o.at("exact draws, 99.9%", 3)
		}},
		{"07", "and so their two rows are equal", "heights-max", func(o outputs) bool {
			a, b := o.row("mixture, directly"), o.row("model: joint")
			for i := range a {
				if len(a) != len(b) || a[i] != b[i] {
					return false
				}
			}
			return len(a) > 4
		}},
		{"07", "The rows alone come from the same denoiser, and yet they are much worse", "heights-max",
			func(o outputs) bool {
				return o.at("model: rows alone", 2) > 2*o.at("model: joint", 2) &&
					o.at("model: rows alone", 4) > 2*o.at("model: joint", 4)
			}},
		{"07", "Particles put that right", "heights-max", func(o outputs) bool {
			return o.at("rows alone, 4 particles", 4) < 1.1*o.at("model: joint", 4)
		}},
		{"07", "lie within what exact draws show", "heights-visit", func(o outputs) bool {
			return o.at("mixture, directly", 0) < o.at("exact draws, 99.9%", 0) &&
				o.at("mixture, directly", 1) < o.at("exact draws, 99.9%", 1)
		}},
		{"07", "which is bad at districts, is not far off in the revisits", "heights-visit", func(o outputs) bool {
			return o.at("second-order chain", 0) > 2*o.at("exact draws, 99.9%", 0) &&
				o.at("second-order chain", 1) < 1.5*o.at("exact draws, 99.9%", 1)
		}},
	}
}
