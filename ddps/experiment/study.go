package experiment

import (
	"fmt"
	"slices"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
)

// Study is the paper's experiments with rewards (§5.2, §5.3, figures 4 to 6) on one graph, as a list of cells: for each
// greatest reward, each instance of such a reward and each guide, one cell a strength λ, and beside them the references
// that need no strength. Each cell's result is a StudyRow of a ledger: a study that was stopped goes on, and one with more
// instances or strengths computes only what is new.
type Study struct {
	Graph     string    // "toy", "heights" or "ridge"
	Network   string    // of d3pm.NetworkNames; "" for the graph's own: the MLP on Toy, none on maps
	Preset    string    // of the data, and of training
	Maxima    []int     // greatest rewards R_max
	Instances int       // rewards of each
	Lambdas   []float64 // nil: Lambdas
	Samples   int       // of each cell
	Steps     int       // S of the guided samplers
	Guides    []StudyGuide
	Seed      uint64 // of the samples
}

// StudyGuide is one guide of a study, with the reverse step that it has.
type StudyGuide struct {
	Guide, Kernel string
	Instances     int // of the study's, the first; 0: all
}

// The laws beside the guides that a study has, by name, as references.
const (
	StudyExact = "exact draws"       // of the exact target: the noise floor of every distance
	StudyMax   = "max"               // the model given the greatest reward, at the default steps and reverse step
	StudyChain = "fitted chain, max" // draws of the fitted chain given the greatest reward
)

// What an exact target that cannot be listed is drawn with: so many times the samples, of a seed far from theirs.
const (
	studyTargets           = 4
	studyTargetSeed uint64 = 0x7461726765740000
)

// NewStudy returns the study of a graph at a size: the paper's sample sizes, instances and steps, or those that two
// processors do in minutes.
func NewStudy(graph, preset string) (*Study, error) {
	s := &Study{Graph: graph, Preset: preset, Maxima: []int{1, 2, 4, 7}, Instances: 2, Steps: 16}
	paper := preset == PresetPaper
	if paper {
		s.Steps, s.Instances = 256, 20
	}
	s.Guides = []StudyGuide{{Guide: Algorithm2}, {Guide: Eq13, Kernel: "undivided"}, {Guide: Eq13, Kernel: "joint"}}
	switch graph {
	case "toy":
		s.Samples = 2048
		if paper {
			s.Samples = 65_536
			break
		}
		s.Steps = 64
		s.Guides[1].Instances, s.Guides[2].Instances = 1, 1
	case "heights":
		s.Samples, s.Guides = 1024, s.Guides[:1]
		if paper {
			s.Samples = 4096
		}
	case "ridge":
		s.Samples, s.Guides, s.Instances = 512, s.Guides[:1], 1
		if paper {
			s.Samples, s.Instances = 2048, 10
		}
	default:
		return nil, fmt.Errorf("experiment: the paper has no study of %q, but of toy, heights and ridge", graph)
	}
	return s, nil
}

// StudyFile is the name of a study's ledger in its folder.
const StudyFile = "cells.csv"

// StudyGraphs lists the graphs of the paper's figures 4 to 6.
func StudyGraphs() []string { return []string{"toy", "heights", "ridge"} }

// Reward returns instance i of the rewards whose best path earns rmax: every fourth is a rare one, edges of a single
// path, the others are drawn without regard to how rare their maximum is. The paper has rewards from half of all paths
// down to odds of less than one in ten million (§5.2).
func (s *Study) Reward(g *ddps.LayeredGraph, rmax, i int) ([]float64, error) {
	if i%4 == 3 {
		return datasets.RareReward(g, rmax, uint64(i))
	}
	return datasets.RewardInstance(g, rmax, uint64(i))
}

// studyCell is one cell of a study.
type studyCell struct {
	rmax, instance int
	law            string // a guide's name, or a reference's
	kernel         string
	lambda         float64
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
