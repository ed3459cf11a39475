package experiment

import (
	"fmt"
	"slices"

	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
)

// Study is the paper's experiments with rewards (§5.2, §5.3, figures 4 to 6) on one graph, as a list of cells: for each
// greatest reward, each instance of such a reward and each guide, one cell a strength λ, and beside them the references
// that need no strength. Each cell's result is a StudyRow of a ledger: a study that was stopped goes on, and one with more
// instances or strengths computes only what is new.
type Study struct {
	Graph     string    // "toy", "heights" or "ridge"
	Network   string    // of d3pm.NetworkNames
	Preset    string    // of the data, and of training
	Maxima    []int     // greatest rewards R_max
	Instances int       // rewards of each
	Lambdas   []float64 // nil: Lambdas
	Samples   int       // of each cell
	Steps     int       // S of the guided samplers
	Guides    []StudyGuide
	Seed      uint64 // of the samples
	Train     int    // training steps of a network that does not ship; 0: the preset's
	Built     string // of what program, for the rows
	Backend   string // as d3pm.Sampler's
}

// StudyGuide is one guide of a study, with the reverse step that it has.
type StudyGuide struct {
	Guide, Kernel string
	Instances     int // of the study's, the first; 0: all
}

// The laws beside the guides that a study has, by name, as references.
const (
	StudyExact = "exact draws"       // of the exact target: the sampling floor of every distance
	StudyMax   = "max"               // the model given the greatest reward, at the default steps and reverse step
	StudyChain = "fitted chain, max" // draws of the fitted chain given the greatest reward
)

// What an exact target that cannot be listed is drawn with: so many times the samples, of a seed far from theirs.
const (
	studyTargets           = 4
	studyTargetSeed uint64 = 0x7461726765740000
)

// NewStudy returns the study of a graph at a size with the network that it has first (StudyNetworks): the paper's sample
// sizes, instances and steps, or those that two processors do in minutes.
func NewStudy(graph, preset string) (*Study, error) {
	if !slices.Contains(StudyGraphs(), graph) {
		return nil, fmt.Errorf("experiment: the paper has no study of %q, but of toy, heights and ridge", graph)
	}
	s := &Study{Graph: graph, Network: StudyNetworks(graph)[0], Preset: preset, Maxima: []int{1, 2, 4, 7}, Instances: 2, Steps: 16}
	s.Guides = []StudyGuide{{Guide: Algorithm2}}
	if preset == PresetPaper {
		s.Steps, s.Instances = d3pm.DefaultT, 20
	}
	switch graph {
	case "toy":
		s.Guides = append(s.Guides, StudyGuide{Guide: Eq13, Kernel: "undivided"}, StudyGuide{Guide: Eq13, Kernel: "joint"})
		if s.Samples = 65_536; preset != PresetPaper {
			s.Samples, s.Steps = 2048, 64
			s.Guides[1].Instances, s.Guides[2].Instances = 1, 1
		}
	case "heights":
		if s.Samples = 4096; preset != PresetPaper {
			s.Samples = 1024
		}
	case "ridge":
		if s.Samples, s.Instances = 2048, 10; preset != PresetPaper {
			s.Samples, s.Instances = 512, 1
		}
	}
	return s, nil
}

// StudyNetworks lists the networks that a graph is studied with, the graph's own first: the residual MLP on Toy and the
// paper's kind, a plain U-Net; on maps none, the diffusion of a mixture of chains.
func StudyNetworks(graph string) []string {
	if graph == "toy" {
		return []string{model.NetworkMLP, model.NetworkUNet}
	}
	return []string{model.NetworkNone}
}

// With returns the study with another network. Where that is not the graph's own it is smaller: under the paper's guide
// alone, and for a U-Net, which costs a hundred times the MLP, with one reward a maximum, few samples and at quick few λ.
func (s *Study) With(network string) *Study {
	c := *s
	if c.Network = network; network == StudyNetworks(s.Graph)[0] {
		return &c
	}
	c.Guides = s.Guides[:1]
	if network == model.NetworkUNet {
		c.Instances = 1
		if c.Samples = 4096; s.Preset != PresetPaper {
			c.Samples, c.Lambdas = 256, []float64{0, 10, 30, 100, 300, 1000, 1e5}
		}
	} else if s.Preset != PresetPaper {
		c.Instances = 1
	}
	return &c
}

// StudyFile is the name of a study's ledger in its folder.
const StudyFile = "cells.csv"

// StudyGraphs lists the graphs of the paper's figures 4 to 6.
func StudyGraphs() []string { return []string{"toy", "heights", "ridge"} }

// studyCell is one cell of a study.
type studyCell struct {
	rmax, instance int
	law            string // a guide's name, or a reference's
	kernel         string
	lambda         float64
}

// String names the cell.
func (c studyCell) String() string {
	s := fmt.Sprintf("R_max %d, instance %d, %s", c.rmax, c.instance, c.law)
	if c.kernel != "" {
		s += " " + c.kernel
	}
	if c.law == Algorithm2 || c.law == Eq13 {
		s += fmt.Sprintf(", λ = %g", c.lambda)
	}
	return s
}

// cells lists the cells in the order in which they are worked on: whole curves first, so that figures of a study that is
// not done show complete ones.
func (s *Study) cells() (list []studyCell) {
	for i := range s.Instances {
		for _, rmax := range s.Maxima {
			for _, law := range []string{StudyExact, StudyMax, StudyChain} {
				list = append(list, studyCell{rmax: rmax, instance: i, law: law})
			}
			for _, g := range s.Guides {
				if g.Instances > 0 && i >= g.Instances {
					continue
				}
				for _, lambda := range s.lambdas() {
					list = append(list, studyCell{rmax, i, g.Guide, g.Kernel, lambda})
				}
			}
		}
	}
	return list
}

func (s *Study) lambdas() []float64 {
	if s.Lambdas != nil {
		return s.Lambdas
	}
	return Lambdas()
}

// Check returns what is wrong with the study's settings, or nil.
func (s *Study) Check() error {
	switch {
	case !slices.Contains(StudyGraphs(), s.Graph):
		return fmt.Errorf("experiment: study: there is no graph %q", s.Graph)
	case s.Samples < 1 || s.Instances < 1 || s.Steps < 1 || len(s.Maxima) == 0:
		return fmt.Errorf("experiment: study: %d samples, %d instances, %d steps, %d maxima: want at least 1 of each",
			s.Samples, s.Instances, s.Steps, len(s.Maxima))
	}
	return nil
}
