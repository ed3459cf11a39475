package study

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/internal/ram"
)

// Guidance is the paper's experiments with rewards (§5.2, §5.3, figures 4 to 6) on one graph, as a list of grid points:
// for each greatest reward, each instance of such a reward and each guide, one grid point a guidance scale λ, and
// beside them the references that need no scale. The result of each grid point is a GuidanceRow of a results table: a
// study that was stopped resumes, and one with more instances or guidance scales computes only what is new.
type Guidance struct {
	Graph     string    // "toy", "heights" or "ridge"
	Network   string    // of model.NetworkNames
	Preset    string    // of the data, and of training
	Maxima    []int     // greatest rewards R_max
	Instances int       // rewards of each
	Lambdas   []float64 // nil: Lambdas
	Samples   int       // of each grid point
	Steps     int       // S of the guided samplers
	Guides    []Guide
	Seed      uint64 // of the samples and, of a model that is neither seed 0's nor a run's, of its data and training
	Train     int    // training steps of a network that does not ship; 0: the preset's
	From      string // run directory of the model, of paths of the graph's own data; "": shipped, or trained here
	Built     string // of what program, for the rows
	Backend   string // as d3pm.Sampler's

	draft bool // the model is of the size that it will have, and hardly trained
}

// Guide is one guide of a study, with the reverse step that it has.
type Guide struct {
	Guide, Kernel string
	Instances     int // of the study's, the first; 0: all
}

// The distributions beside the guides that a study has, by name, as references.
const (
	ReferenceExact = "exact draws"       // of the exact target: the sampling floor of every distance
	ReferenceMax   = "max"               // the model given the greatest reward, at the default steps and reverse step
	ReferenceChain = "fitted chain, max" // draws of the fitted chain given the greatest reward
)

// What an exact target that cannot be listed is drawn with: so many times the samples, of a seed far from theirs.
const (
	guidanceTargets           = 4
	guidanceTargetSeed uint64 = 0x7461726765740000
)

// NewGuidance returns the study of a graph at a size with the network that it has first (Networks): the paper's sample
// sizes, instances and steps, or those that two CPUs do in minutes.
func NewGuidance(graph, preset string) (*Guidance, error) {
	if !slices.Contains(Graphs(), graph) {
		return nil, fmt.Errorf("study: the paper has no study of %q, but of toy, heights and ridge", graph)
	}
	s := &Guidance{Graph: graph, Network: Networks(graph)[0], Preset: preset, Maxima: []int{1, 2, 4, 7}, Instances: 2,
		Steps: 16}
	s.Guides = []Guide{{Guide: query.Algorithm2}}
	if preset == run.PresetPaper {
		s.Steps, s.Instances = d3pm.DefaultT, 20
	}
	switch graph {
	case "toy":
		s.Guides = append(s.Guides, Guide{Guide: query.Eq7, Kernel: "austin"}, Guide{Guide: query.Eq7, Kernel: "joint"})
		s.Guides[1].Instances, s.Guides[2].Instances = 1, 1 // the paper has Algorithm 2 alone
		if s.Samples = 65_536; preset != run.PresetPaper {
			s.Samples, s.Steps = 2048, 64
		}
	case "heights":
		if s.Samples = 4096; preset != run.PresetPaper {
			s.Samples = 1024
		}
	case "ridge":
		if s.Samples, s.Instances = 2048, 10; preset != run.PresetPaper {
			s.Samples, s.Instances = 512, 1
		}
	}
	return s, nil
}

// Networks lists the networks that a graph is studied with, the graph's own first: the residual MLP on Toy and the
// paper's kind, a plain U-Net; on maps none, the diffusion of a mixture of chains.
func Networks(graph string) []string {
	if graph == "toy" {
		return []string{model.NetworkMLP, model.NetworkUNet}
	}
	return []string{model.NetworkNone}
}

// With returns the study with another network. Where that is not the graph's own it is smaller: under the paper's guide
// alone, and for a U-Net, which costs a hundred times the MLP, with one reward a maximum, few samples and at quick few
// λ.
func (s *Guidance) With(network string) *Guidance {
	c := *s
	if c.Network = network; network == Networks(s.Graph)[0] {
		return &c
	}
	c.Guides = s.Guides[:1]
	if network == model.NetworkUNet {
		c.Instances = 1
		if c.Samples = 4096; s.Preset != run.PresetPaper {
			c.Samples, c.Lambdas = 256, []float64{0, 10, 30, 100, 300, 1000, 1e5}
		}
	} else if s.Preset != run.PresetPaper {
		c.Instances = 1
	}
	return &c
}

// Only leaves out the guides that are none of these names; none leave all. The error names the guide that the study
// does not have.
func (s *Guidance) Only(names []string) error {
	if len(names) == 0 {
		return nil
	}
	var list []Guide
	for _, name := range names {
		of := slices.DeleteFunc(slices.Clone(s.Guides), func(g Guide) bool { return g.Guide != name })
		if len(of) == 0 {
			return fmt.Errorf("study: the study of %s, %s, has no guide %q", s.Graph, s.Network, name)
		}
		list = append(list, of...)
	}
	s.Guides = list
	return nil
}

// GuidanceFile is the name of a study's results table in its directory.
const GuidanceFile = "cells.csv"

// Graphs lists the graphs of the paper's figures 4 to 6.
func Graphs() []string { return []string{"toy", "heights", "ridge"} }

// name names a grid point.
func (r *GuidanceRow) name() string {
	s := fmt.Sprintf("R_max %d, instance %d, %s", r.RMax, r.Instance, r.Distribution)
	if r.Kernel != "" {
		s += " " + r.Kernel
	}
	if r.Distribution == query.Algorithm2 || r.Distribution == query.Eq7 {
		s += fmt.Sprintf(", λ = %g", r.Lambda)
	}
	return s
}

// points lists the grid points in the order in which they are measured: whole curves first, so that figures of a study
// that is not done show complete ones.
func (s *Guidance) points() (list []GuidanceRow) {
	for i := range s.Instances {
		for _, rmax := range s.Maxima {
			for _, dist := range []string{ReferenceExact, ReferenceMax, ReferenceChain} {
				list = append(list, GuidanceRow{RMax: rmax, Instance: i, Distribution: dist})
			}
			for _, g := range s.Guides {
				if g.Instances > 0 && i >= g.Instances {
					continue
				}
				for _, lambda := range s.lambdas() {
					list = append(list, GuidanceRow{RMax: rmax, Instance: i, Distribution: g.Guide, Kernel: g.Kernel, Lambda: lambda})
				}
			}
		}
	}
	return list
}

// CheckMemory returns an error if the list of grid points, or the samples of one, take more than so many bytes, 0 for
// no limit; it says how many instances or samples fit.
func (s *Guidance) CheckMemory(limit int64) error {
	rows := len(s.Maxima) * (3 + len(s.Guides)*len(s.lambdas())) // of an instance
	each := float64(rows) * 3 * float64(unsafe.Sizeof(GuidanceRow{}))
	const layers = 16 // at least those of Toy, Heights and Ridge
	return errors.Join(ram.Check(limit, "instances of each maximum", "--instances", float64(s.Instances), each),
		ram.Check(limit, "samples of each grid point", "--samples", float64(s.Samples), 3*ram.PathBytes(layers)))
}

func (s *Guidance) lambdas() []float64 {
	if s.Lambdas != nil {
		return s.Lambdas
	}
	return Lambdas()
}

// Check returns what is wrong with the study's settings, or nil.
func (s *Guidance) Check() error {
	switch {
	case !slices.Contains(Graphs(), s.Graph):
		return fmt.Errorf("study: study: there is no graph %q", s.Graph)
	case s.Samples < 1 || s.Instances < 1 || s.Steps < 1 || len(s.Maxima) == 0:
		return fmt.Errorf("study: study: %d samples, %d instances, %d steps, %d maxima: expected at least 1 of each",
			s.Samples, s.Instances, s.Steps, len(s.Maxima))
	}
	return nil
}
