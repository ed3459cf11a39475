package net

import (
	"github.com/gomlx/gomlx/pkg/core/graph"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/internal/reverse"
)

// Network is a denoising network: something with parameters, a loss to train them by, and logits. What it
// gives is a correction to the logarithm of the chain's exact denoiser if it is residual, else the logits.
type Network interface {
	// Params returns the live arrays, in an order that never changes.
	Params() []Param
	// LossGrad computes the mean loss of a batch and writes its gradient with respect to each of Params into
	// grads, or only the loss if grads is nil. The same inputs give the same bits.
	LossGrad(b *Batch, grads [][]float32) (Loss, error)
	// Forward sets out, [batch, edge], from each x_t at time t in 1…T. Safe for concurrent use; a sample's
	// numbers do not depend on the rest of the batch.
	Forward(out []float32, xt []ddps.PALM, t int)
}

// Config is the settings of a kind of network.
type Config interface {
	// Check returns an error that names the setting out of range.
	Check() error
	// New makes the network for g with weights drawn from seed.
	New(g *ddps.LayeredGraph, seed uint64) (Network, error)
	// Corrects reports whether the output corrects the logarithm of the base's exact denoiser (a residual network).
	Corrects() bool
	// Device returns where the settings say what the network trains on; "" is the host.
	Device() *string
	// Width returns the number of hidden units, and Weights about how many weights the network has on g.
	Width() int
	Weights(g *ddps.LayeredGraph) float64
	// Memory estimates how many bytes LossGrad works in for a batch of n examples, with or without gradients.
	Memory(g *ddps.LayeredGraph, n int, grad bool) int64
}

// Vectored is a network with a vector form, which takes vec.Lanes samples together.
type Vectored interface {
	Network
	// Native reports whether the vector form is to be used: that Forward does not run on a backend.
	Native() bool
	// Blocks returns scratch for one goroutine.
	Blocks() Blocks
}

// Graphed is a network that is a GoMLX graph: for training and for reverse steps on a backend.
type Graphed interface {
	Network
	Engine() *engine.Engine // to be locked
	Backend() string        // what the network trains on
	// SampleBackend returns the backend on which Forward runs of its own accord, "" for the host.
	SampleBackend() string
	// SampleBatch returns the most samples of a graph on a CPU; 0: no limit of its own.
	SampleBatch() int
	// LossInputs checks the batch and makes what LossNode takes in besides the parameters. The engine is locked.
	LossInputs(b *Batch) ([]any, error)
	// LossNode builds the sums CE and VB, the latter 0 where the loss has none.
	LossNode(vars, in []*graph.Node, shape Shape) (ce, vb *graph.Node)
	// LossOf returns the loss that these sums make.
	LossOf(ce, vb float64, b *Batch) Loss
	Gamma() float64 // γ of Total = CE + γ·VB
	// TimeFeatures returns what the network reads of time t.
	TimeFeatures(t int) []float32
	// Nodes builds the output, [choice, vertex, batch], with anything where there is no edge, from the parameters, the
	// step and what the network reads of the time, [1, len].
	Nodes(p []*graph.Node, s *reverse.Step, time *graph.Node) *graph.Node
}
