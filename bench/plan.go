package main

import (
	"fmt"
	"slices"
)

// contest is one thing that engines are compared at.
type contest struct {
	Key     string // names it in the results: section/what
	Ask     ask    // but for Batch and N
	Engines []string
	Batches []int // what to try for the best; one is not searched
}

// The sections of the results.
const (
	sectionCheck    = "check"
	sectionSample   = "sample"
	sectionTrain    = "train"
	sectionCurve    = "curve"
	sectionMemory   = "memory"
	sectionCommand  = "command"
	sectionFidelity = "fidelity"
)

var (
	natives = []string{engineNative, engineAVX2, enginePlain, engineBefore}
	torches = []string{engineEager, engineNarrow, engineCompiled}
	allOf   = slices.Concat(natives, []string{engineXLA, engineGoMLX}, torches)
	curved  = []string{engineNative, engineEager}
)

// steps is the reverse steps of a path: all, as the paper's.
const steps = 256

// plan lists the contests of sampling, training and the curves.
func plan(quick bool) []contest {
	return slices.Concat(sampling(), training(quick), curves(quick))
}

func sampling() []contest {
	var list []contest
	add := func(name, kernel string, threads int, engines []string, batches ...int) {
		list = append(list, contest{
			Key:     fmt.Sprintf("%s/%s, %s, %d", sectionSample, name, kernel, threads),
			Ask:     ask{Op: "sample", Case: name, Kernel: kernel, Threads: threads, Steps: steps},
			Engines: engines, Batches: batches})
	}
	both := slices.Concat(natives, torches)
	eager := slices.Concat(natives, []string{engineEager, engineNarrow})
	add(toyPlain, "austin", 1, allOf, 64, 256, 1024)
	add(toyUNet, "austin", 1, eager, 64, 256)
	add(toyResidual, "austin", 1, both, 64, 256, 1024)
	add(toyResidual, "joint", 1, both, 64, 256, 1024)
	add(toyPlain, "austin", 2, allOf, 64, 256, 1024)
	return list
}

func training(quick bool) []contest {
	var list []contest
	add := func(name string, threads, batch int, engines ...string) {
		list = append(list, contest{
			Key:     fmt.Sprintf("%s/%s, %d", sectionTrain, name, threads),
			Ask:     ask{Op: "train", Case: name, Threads: threads},
			Engines: engines, Batches: []int{batch}})
	}
	threads := 1
	if !quick {
		threads = 2
	}
	for t := 1; t <= threads; t++ {
		add(toyPlain, t, 256, allOf...)
		add(toyResidual, t, 256, allOf...)
		add(heightsUNet, t, 32, engineXLA, engineEager)
		add(toyUNet, t, 128, engineXLA, engineEager)
	}
	return list
}

// curves are of the native engine and of eager PyTorch on one thread, each at a point along one axis.
func curves(quick bool) []contest {
	var list []contest
	add := func(axis string, x int, name, kernel string, steps int, batches ...int) {
		list = append(list, contest{
			Key:     fmt.Sprintf("%s/%s %d", sectionCurve, axis, x),
			Ask:     ask{Op: "sample", Case: name, Kernel: kernel, Threads: 1, Steps: steps},
			Engines: curved, Batches: batches})
	}
	batches, widths, lengths, times := []int{1, 4, 16, 64, 256, 1024}, []int{16, 64, 256}, []int{6, 11, 21, 41},
		[]int{4, 16, 64, 256}
	if !quick {
		batches, widths = append(batches, 4096), append(widths, 1024)
	}
	for _, b := range batches {
		add("batch", b, toyPlain, "austin", steps, b)
	}
	for _, w := range widths {
		add("V", w, gridCase(11, w), "austin", steps, 16, 64)
	}
	for _, l := range lengths {
		add("L", l, gridCase(l, 64), "austin", steps, 16, 64)
	}
	for _, s := range times {
		add("S", s, toyResidual, "joint", s, 256)
	}
	return list
}

// cases lists the cases that the contests need.
func cases(list []contest) []string {
	var names []string
	seen := map[string]bool{}
	for _, c := range list {
		if !seen[c.Ask.Case] {
			seen[c.Ask.Case] = true
			names = append(names, c.Ask.Case)
		}
	}
	return names
}
