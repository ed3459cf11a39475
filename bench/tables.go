package main

import (
	"fmt"
	"slices"
	"strings"
)

// title returns a contest's name in words: "Toy, MLP, austin kernel, 1 thread".
func title(key string) string {
	_, name, _ := strings.Cut(key, "/")
	parts := strings.Split(name, ", ")
	names := map[string]string{toyPlain: "Toy, MLP", toyResidual: "Toy, residual MLP", toyUNet: "Toy, U-Net",
		heightsUNet: "Heights, U-Net"}
	for i, p := range parts {
		switch p {
		case "1":
			parts[i] = "1 thread"
		case "2":
			parts[i] = "2 threads"
		case "austin", "joint":
			parts[i] += " kernel"
		default:
			if names[p] != "" {
				parts[i] = names[p]
			}
		}
	}
	return strings.Join(parts, ", ")
}

func (b *bench) samplingTables(p *page) {
	p.par("## Sampling")
	rows := [][]string{{"", "engine", "batch", "µs a path and step", "paths per second, 256 steps", "native is × as fast"}}
	for _, key := range b.section(sectionSample) {
		rows = append(rows, b.rateRows(key, steps, true)...)
	}
	p.table(rows)
	p.par("GoMLX's rows are the MLP alone on GoMLX, its first layer as gathers; kernel, softmax and draws are the " +
		"native engine's.")
}

// rateRows are the rows of a contest, rates divided by unit; with microseconds where micro is set.
func (b *bench) rateRows(key string, unit float64, micro bool) [][]string {
	var rows [][]string
	first := title(key)
	for _, engine := range allOf {
		i := slices.IndexFunc(b.Results, func(r result) bool { return r.Key == key && r.Engine == engine })
		if i < 0 {
			continue
		}
		r := b.Results[i]
		mid, _, _ := median(r.Rates)
		row := []string{first, engine, fmt.Sprint(r.Batch)}
		if r.Error != "" {
			row[2] = "–"
		}
		if micro {
			us := "–"
			if mid > 0 {
				us = fmt.Sprintf("%.3g", 1e6/mid)
			}
			row = append(row, us)
		}
		text := spread(r.Rates, unit)
		if r.Error != "" {
			text = "did not run: " + r.Error
		}
		row = append(row, text)
		if micro {
			row = append(row, ratio(b.rate(key, engineNative), mid))
		}
		rows = append(rows, row)
		first = ""
	}
	return rows
}

func (b *bench) trainingTable(p *page) {
	keys := b.section(sectionTrain)
	if len(keys) == 0 {
		return
	}
	p.par("## Training")
	p.par("A step is a batch made (paths, noise, the chain's posterior where there is one), the cross-entropy of the " +
		"rows on the path, its gradient, " +
		"clipping, AdamW, and the average of the weights; on XLA all but the batch is on the device. PyTorch has glibc's " +
		"settings that programs " +
		"with XLA have, under which freed memory is kept: it is a few percent faster so. The U-Net is trained on the " +
		"cross-entropy alone here, as the others are. Of its time on XLA a third is in matrix products, " +
		"a third in the loops that XLA makes of all else, and an eighth in taking, moving and giving back memory (perf on " +
		"Toy's); of the MLP's another " +
		"eighth is spent by XLA's threads looking for work, on the one CPU that is theirs here. XLA's flags for longer " +
		"vectors, " +
		"oneDNN, one thread of Eigen and the older runtime change a U-Net's speed by less than 3%%, its fast math by 5.")
	rows := [][]string{{"", "engine", "batch", "examples per second"}}
	for _, key := range keys {
		rows = append(rows, b.rateRows(key, 1, false)...)
	}
	p.table(rows)
}

func (b *bench) memoryTable(p *page) {
	keys := b.section(sectionMemory)
	if len(keys) == 0 {
		return
	}
	p.par("## Memory")
	p.par("Greatest resident size of a fresh process that does this alone, in MB: libraries, weights, compilation and " +
		"a batch.")
	shown := b.measured(keys)
	rows := [][]string{append([]string{"", "batch"}, shown...)}
	for _, key := range keys {
		row, batch := []string{title(key)}, ""
		for _, engine := range shown {
			cell := "–"
			if r := b.of(key, engine); r != nil {
				cell, batch = thousands(int(r.RSS/1e6)), fmt.Sprint(r.Batch)
			}
			row = append(row, cell)
		}
		rows = append(rows, slices.Insert(row, 1, batch))
	}
	p.table(rows)
}

// measured lists the engines that have results of the contests.
func (b *bench) measured(keys []string) []string {
	return slices.DeleteFunc(slices.Clone(allOf), func(engine string) bool {
		return !slices.ContainsFunc(keys, func(key string) bool { return b.of(key, engine) != nil })
	})
}

func (b *bench) checkTable(p *page) {
	keys := b.section(sectionCheck)
	if len(keys) == 0 {
		return
	}
	p.par("## The same numbers")
	p.par("Before anything is timed, the engines' outputs are compared with the native one's on the same x_t, at t = "+
		"3, 128 and 256: greatest "+
		"difference of the network's outputs, and of π, the row distributions, on the edges out of vertices that a path "+
		"visits with a "+
		"probability above 10⁻⁶. More than %g ends the run. (GoMLX runs the U-Net in sampling on XLA alone: elsewhere it "+
		"is the native engine.)", tolerance)
	shown := b.measured(keys)[1:]
	rows := [][]string{append([]string{""}, shown...)}
	for _, key := range keys {
		row := []string{strings.TrimPrefix(key, sectionCheck+"/")}
		for _, engine := range shown {
			cell := "–"
			if r := b.of(key, engine); r != nil {
				cell = fmt.Sprintf("%.1g, %.1g", r.OutDiff, r.PiDiff)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	p.table(rows)
}

func (b *bench) machineText(p *page) {
	m := b.Machine
	p.par("## Where and with what")
	p.par("%s, %d CPUs, %s, vectors: %s; load averages over 1, 5 and 15 minutes %s before and %s after. %s, GoMLX %s.",
		m.CPU, m.Cores, m.System, m.Vectors, m.Before, m.After, m.Go, m.GoMLX)
	for _, engine := range allOf {
		if why := m.Lacking[engine]; why != "" {
			p.par("Without %s: %s", engine, why)
		} else if m.Engines[engine] != "" {
			fmt.Fprintf(p, "- %s: %s\n", engine, m.Engines[engine])
		}
	}
}
