package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) == 4 && os.Args[1] == "worker" { // started by the bench itself: worker BACKEND THREADS
		threads, err := strconv.Atoi(os.Args[3])
		if err == nil {
			err = serve(os.Stdin, os.Stdout, os.Args[2], threads)
		}
		exit(err)
	}
	if len(os.Args) == 5 && os.Args[1] == "gpu" { // by gpu.sh: gpu BACKEND DIR SECONDS
		seconds, err := strconv.Atoi(os.Args[4])
		if err == nil {
			err = runGPU(context.Background(), os.Args[2], os.Args[3], time.Duration(seconds)*time.Second)
		}
		exit(err)
	}
	o := options{}
	flag.BoolVar(&o.quick, "quick", false, "fewer rounds, sizes and compilations")
	flag.BoolVar(&o.report, "report", false, "write the page and the figure from the results there are")
	flag.BoolVar(&o.fresh, "fresh", false, "begin anew where a run was interrupted")
	flag.StringVar(&o.dir, "dir", filepath.Join("out", "bench"), "directory of what is built, and of the results")
	flag.StringVar(&o.docs, "docs", "docs", "directory to write speed.md, speed.csv and speed.png to")
	flag.StringVar(&o.before, "before", "", "directory of the programs bench and ddps of an earlier revision, to "+
		"measure too")
	flag.StringVar(&o.only, "only", "", "only contests whose names contain this, such as sample/toy or command")
	flag.Parse()
	if flag.NArg() > 0 {
		exit(fmt.Errorf("argument %q is one too many", flag.Arg(0)))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	exit(o.run(ctx))
}

func exit(err error) {
	switch {
	case err == nil:
		os.Exit(0)
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "bench: interrupted; the same command resumes from here")
		os.Exit(130)
	}
	fmt.Fprintln(os.Stderr, "bench:", err)
	os.Exit(1)
}

// toRoot changes to the root of the main module, from there or from its directory bench, where go run -C bench starts.
func toRoot() error {
	for _, dir := range []string{".", ".."} {
		if _, err := os.Stat(filepath.Join(dir, "bench", "torch", "setup.sh")); err == nil {
			return os.Chdir(dir)
		}
	}
	return errors.New("run it by go run -C bench . in the root of the main module")
}

// options are the flags.
type options struct {
	quick, report, fresh bool
	dir, docs            string
	before, only         string
}

// run makes or resumes a run and writes the page.
func (o options) run(ctx context.Context) error {
	if err := toRoot(); err != nil {
		return err
	}
	dir, err := filepath.Abs(o.dir)
	if err != nil {
		return err
	}
	before := ""
	if o.before != "" {
		if before, err = filepath.Abs(o.before); err != nil {
			return err
		}
	}
	b := &bench{rounds: 7, budget: 1, peers: map[string]*peer{}, say: say(time.Now())}
	if o.quick {
		b.rounds, b.budget = 3, .2
	}
	path := filepath.Join(dir, "results.json")
	err = readJSON(path, &b.results)
	if o.report {
		if err != nil {
			return fmt.Errorf("there are no results yet: %w", err)
		}
		return b.write(o.docs)
	}
	now := newMachine()
	if err != nil || o.fresh || b.Done || b.Quick != o.quick || b.Machine.Revision != now.Revision {
		b.results = results{Quick: o.quick, Machine: now}
	}
	if b.workshop, err = newWorkshop(ctx, dir, before, b.say); err != nil {
		return err
	}
	b.Machine.Lacking = b.lacking
	defer b.retire()
	if err := b.all(ctx, o.only); err != nil {
		return err
	}
	return b.write(o.docs)
}

// say returns what reports progress on standard error, with the time since the start.
func say(start time.Time) func(format string, args ...any) {
	return func(format string, args ...any) {
		fmt.Fprintf(os.Stderr, "%6s  %s\n", time.Since(start).Round(time.Second), fmt.Sprintf(format, args...))
	}
}

// stage is a part of a run that is kept when done.
type stage struct {
	key string
	do  func(ctx context.Context) error
}

// all does what has not been done yet, in stages, keeping the results after each.
func (b *bench) all(ctx context.Context, only string) error {
	contests := plan(b.Quick)
	for _, name := range cases(contests) {
		if err := makeCase(filepath.Join(b.dir, "cases"), name); err != nil {
			return err
		}
	}
	stages := b.checks(cases(contests))
	stages = append(stages, b.commands()...)
	for _, c := range contests {
		stages = append(stages, stage{c.Key, func(ctx context.Context) error { return b.hold(ctx, c) }})
	}
	stages = append(stages, b.memories()...)
	stages = append(stages, stage{sectionFidelity + "/toy", b.fidelity})
	missing := slices.DeleteFunc(slices.Clone(stages), func(s stage) bool {
		return b.has(s.key) ||
			!strings.Contains(s.key, only)
	})
	start := time.Now()
	for i, s := range missing {
		left := "?"
		if i > 0 {
			left = (time.Since(start) / time.Duration(i) * time.Duration(len(missing)-i)).Round(time.Second).String()
		}
		b.say("%d of %d, %s left: %s", i+1, len(missing), left, s.key)
		if err := s.do(ctx); err != nil {
			return err
		}
		b.Machine.After = loadAverage()
		b.Done = !slices.ContainsFunc(stages, func(s stage) bool { return !b.has(s.key) })
		if err := b.save(b.dir); err != nil {
			return err
		}
	}
	return nil
}
