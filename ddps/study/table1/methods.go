package table1

import (
	"fmt"
	"strings"

	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/study"
)

// The methods of table 1.
const (
	MethodEDPGNN    = "EDP-GNN"
	MethodSwinGNN   = "SwinGNN"
	MethodDDPS      = "DDPS"
	MethodDDPSChain = "DDPS, no network" // the diffusion of the fitted chain
)

// Methods lists the methods in the table's order.
func Methods() []string {
	return []string{MethodEDPGNN, MethodSwinGNN, MethodDDPS, MethodDDPSChain}
}

// sampleSeed sets the streams of samples apart from those of training.
const sampleSeed = 0x3f84d5b5b5470917

// list returns the study's methods with the settings of its size; curve is SwinGNN's. The error names the graph, preset
// or method that there is not.
func (t *Study) list(curve *study.Table[SwinRow]) (list []method, err error) {
	n, err := sizeOf(t.Graph, t.Preset)
	if err != nil {
		return nil, err
	}
	names := t.Methods
	if names == nil {
		names = Methods()
	}
	for _, name := range names {
		switch name {
		case MethodEDPGNN:
			list = append(list, newEDPGNN(t, n))
		case MethodSwinGNN:
			list = append(list, newSwinGNN(t, n, curve))
		case MethodDDPS:
			list = append(list, newDDPS(t, n, name, model.NetworkMLP))
		case MethodDDPSChain:
			list = append(list, newDDPS(t, n, name, model.NetworkNone))
		default:
			return nil, fmt.Errorf("table1: table 1 has no method %q, but %s", name, strings.Join(Methods(), "; "))
		}
	}
	return list, nil
}

// edgesOf returns the graphs' edges.
func edgesOf(graphs []baselines.Graph) [][]baselines.Edge {
	edges := make([][]baselines.Edge, len(graphs))
	for i, g := range graphs {
		edges[i] = g.Edges
	}
	return edges
}
