package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ddps-go/ddps/internal/atomicfile"
)

// write writes speed.md, speed.csv and speed.png into docs.
func (b *bench) write(docs string) error {
	if err := os.MkdirAll(docs, 0o777); err != nil {
		return err
	}
	drawn, err := b.figure(filepath.Join(docs, "speed.png"))
	if err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(docs, "speed.csv"), 0o644, b.writeCSV); err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(docs, "speed.md"), []byte(b.page(drawn)), 0o644)
}

// page is a page of Markdown in the making.
type page struct{ strings.Builder }

// par adds a paragraph.
func (p *page) par(format string, args ...any) { fmt.Fprintf(p, format+"\n\n", args...) }

// table adds a table, the first row its head.
func (p *page) table(rows [][]string) {
	for i, row := range rows {
		fmt.Fprintln(p, "| "+strings.Join(row, " | ")+" |")
		if i == 0 {
			fmt.Fprintln(p, strings.Repeat("|---", len(row))+"|")
		}
	}
	fmt.Fprintln(p)
}

func (b *bench) page(drawn bool) string {
	p := new(page)
	p.par("# Speed")
	p.par("<!-- written by go run -C bench .; change it there -->")
	how := "go run -C bench ."
	if b.Quick {
		how += " -quick"
	}
	p.par("This project beside PyTorch, on the same networks, weights and reverse steps: what `%s` measured, at "+
		"revision %s. %s",
		how, b.Machine.Revision, introduction)
	if b.Machine.busy() {
		p.par("%s", busyText)
	}
	if b.Machine.Engines[engineBefore] != "" {
		p.par("The rows %q are of an earlier revision's programs, for what changed since: %s.", engineBefore,
			b.Machine.Engines[engineBefore])
	}
	b.bars(p)
	b.samplingTables(p)
	b.commandTable(p)
	b.trainingTable(p)
	b.fidelityTable(p)
	if drawn {
		p.par("## What it costs")
		p.par("![Path-steps per second against batch, vertices and layers, seconds of a path against steps](speed.png)")
		p.par("%s", curvesText)
	}
	b.memoryTable(p)
	b.checkTable(p)
	b.machineText(p)
	return strings.TrimRight(p.String(), "\n") + "\n"
}

const introduction = `All rows are in [speed.csv](speed.csv).

What is timed is the whole reverse loop of unguided samples at 256 steps from 256: the network, its softmax, on a residual
network the chain's exact denoiser too, the reverse kernel, and the draw of every row. Where 256 steps of a batch take
long, fewer of them are timed; every step is the same work. PyTorch's programs (bench/torch) were written for this page
and made as fast as we know how: inference mode, the one-hot first layer as a sum of rows (embedding_bag), no row without a
choice, batch-last tables so that gathers copy blocks, one random number per row, and all of a step in one torch.compile.
Each engine has the batch that it is fastest with, of three. Engines take turns, round by round; numbers are medians,
in brackets least and greatest. On one thread the seconds are those of the CPU, which other work on the machine hardly
lengthens; on two they are those of the clock. On one thread all processes are kept to one CPU. The native engine and
PyTorch's libraries use AVX-512 where there is any. The rows "AVX2" and "plain Go" are of the same programs with those
instructions turned off (GODEBUG=cpu.avx512f=off, GODEBUG=cpu.avx2=off; ATEN_CPU_CAPABILITY and its like).`

const busyText = `**The machine was busy with other work** (load averages below). Numbers on one thread are of CPU time and
still shift by ten percent or more, as caches and execution units are shared; those on two threads say little.`

const curvesText = `The native engine and PyTorch, eager, on one thread. Batch: the MLP of Toy. Vertices and layers: the
residual MLP on grids of 4 edges a vertex, of 11 layers, and of up to 64 vertices per layer. Steps: the residual MLP of Toy
with the joint kernel, for which 16 steps are enough.`

// short writes a rate or a number of seconds in three digits.
func short(x float64) string {
	switch {
	case x == 0:
		return "–"
	case x >= 1e4:
		return thousands(int(x/100+.5) * 100)
	case x >= 100:
		return thousands(int(x + .5))
	}
	return fmt.Sprintf("%.3g", x)
}

// thousands writes n with commas.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// ratio writes a/b, "–" where either is missing.
func ratio(a, b float64) string {
	if a == 0 || b == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2g", a/b)
}

// spread writes a median with its range, each divided by unit.
func spread(rates []float64, unit float64) string {
	mid, lo, hi := median(rates)
	if lo == hi {
		return short(mid / unit)
	}
	return fmt.Sprintf("%s (%s–%s)", short(mid/unit), short(lo/unit), short(hi/unit))
}
