package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// command is a ddps command whose whole process is measured: start, drawing and writing.
type command struct {
	name  string // names it in the results
	args  string
	out   string  // file or directory for -o
	count float64 // paths, or paths × steps; 0: seconds are reported
	both  bool    // the earlier revision takes it too: elsewhere it may take many minutes
}

// The commands that are measured.
const (
	commandSample  = "sample -n 200000"
	commandVisit   = "sample -n 200000 --where visit"
	commandOne     = "sample -n 1"
	commandGuided  = "Algorithm 2 on Heights"
	commandStart   = "quickstart"
	guidedPaths    = 4096
	guidedSteps    = 16
	commandOfPaths = 200_000
)

func commandKey(name string) string { return sectionCommand + "/" + name }

func commandList() []command {
	return []command{
		{commandSample, "sample shipped:heights -n 200000", "paths.csv", commandOfPaths, false},
		{commandVisit, "sample shipped:heights -n 200000 --where visit(place_30)", "paths.csv", commandOfPaths, false},
		{commandOne, "sample shipped:heights -n 1", "paths.csv", 0, false},
		{commandGuided, fmt.Sprintf("sample shipped:heights -n %d --steps %d --guide algorithm2 --lambda 100 --reward rare:4",
			guidedPaths, guidedSteps), "paths.csv", guidedPaths * guidedSteps, true},
		{commandStart, "quickstart", "quickstart", 0, false},
	}
}

// line returns the arguments; an underscore stands for a space in one of them.
func (c command) line() []string {
	args := strings.Fields(c.args)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "_", " ")
	}
	return args
}

// commands measure ddps, in turns with that of the earlier revision where both are to take it.
func (b *bench) commands() []stage {
	var list []stage
	for _, c := range commandList() {
		list = append(list, stage{commandKey(c.name), func(ctx context.Context) error { return b.command(ctx, c) }})
	}
	return list
}

func (b *bench) command(ctx context.Context, c command) error {
	programs := map[string]string{engineNative: filepath.Join(b.dir, "ddps"), engineBefore: filepath.Join(b.before,
		"ddps")}
	var list []result
	for _, engine := range b.present([]string{engineNative, engineBefore}) {
		if engine == engineBefore && !c.both {
			continue
		}
		list = append(list, result{Key: commandKey(c.name), Engine: engine})
	}
	for range min(b.rounds, 5) {
		for i := range list {
			if list[i].Error != "" {
				continue
			}
			if err := list[i].process(ctx, programs[list[i].Engine], c); err != nil {
				list[i].Error = err.Error()
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	for _, r := range list {
		mid, _, _ := median(r.Rates)
		b.say("  %-18s %.4g a CPU second  %s", r.Engine, mid, r.Error)
	}
	b.Results = append(b.Results, list...)
	return nil
}

// process runs the command once, with what it writes in a temporary directory.
func (r *result) process(ctx context.Context, program string, c command) error {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	cmd := exec.CommandContext(ctx, program, append(c.line(), "--quiet", "-o", filepath.Join(dir, c.out))...)
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return errors.Join(fmt.Errorf("%s: %s", c.args, strings.TrimSpace(string(out))), err)
	}
	wall := time.Since(start).Seconds()
	cpu := (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	n := max(c.count, 1)
	r.Rates, r.Wall = append(r.Rates, n/cpu), append(r.Wall, n/wall)
	return nil
}

// commandTable adds what the commands took.
func (b *bench) commandTable(p *page) {
	rows := [][]string{{"command", "program", "CPU seconds", "seconds by the clock", "per CPU second"}}
	for _, c := range commandList() {
		first := "`ddps " + strings.Join(c.line(), " ") + "`"
		for _, engine := range []string{engineNative, engineBefore} {
			r := b.of(commandKey(c.name), engine)
			if r == nil {
				continue
			}
			n := max(c.count, 1)
			cpu, _, _ := median(r.Rates)
			wall, _, _ := median(r.Wall)
			rows = append(rows, []string{first, engine, short(over(n, cpu)), short(over(n, wall)), c.per(cpu)})
			first = ""
		}
	}
	if len(rows) > 1 {
		p.par("## Whole commands")
		p.par("From the start of the process to the file written, on all cores: medians. A path and step is one of the " +
			"reverse steps of a path.")
		p.table(rows)
	}
}

// per writes a rate with its unit.
func (c command) per(rate float64) string {
	switch c.count {
	case 0:
		return "–"
	case commandOfPaths:
		return short(rate) + " paths"
	}
	return short(rate) + " path-steps"
}
