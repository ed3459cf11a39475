package net

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// Blocks is a network that takes up to vec.Lanes samples through together.
type Blocks interface {
	SetTime(t int)
	// Choices is what goes in.
	Choices() *Input
	// Through runs n samples at the time set and returns what the network gives, by edge.
	Through(n int) []vec.Block
}

// Input is a first layer's input: the embeddings of the rows' choices.
type Input struct {
	Rows  []int32 // vertices
	first []int32 // by row: the number of its first choice's embedding
	width int     // of an embedding
	At    []int32 // [lane, row] where the embedding of its choice starts
}

// NewInput makes the input of these rows (vertices): first is the number of each row's first embedding, width its
// length.
func NewInput(rows, first []int32, width int) Input {
	return Input{rows, first, width, make([]int32, vec.Lanes*len(rows))}
}

// Set sets the choice of row r in lane k.
func (in *Input) Set(k, r int, choice int32) {
	in.At[k*len(in.Rows)+r] = (in.first[r] + choice) * int32(in.width)
}

// Take sets the choices of lanes k…k+7 to those of x, by vertex.
func (in *Input) Take(k int, x []vec.Choice) {
	rows := len(in.Rows)
	at := in.At[k*rows:][:vec.Width*rows]
	for r, v := range in.Rows {
		first := in.first[r]
		for i, choice := range &x[v] {
			at[i*rows+r] = (first + int32(choice)) * int32(in.width)
		}
	}
}

// Lane returns where the embeddings of lane k start.
func (in *Input) Lane(k int) []int32 { return in.At[k*len(in.Rows) : (k+1)*len(in.Rows)] }

// ForwardBlocks sets out to the logits of xt at time t, [batch, edge], a block of lanes at a time.
func ForwardBlocks(net Blocks, out []float32, xt []ddps.PALM, t int) {
	in := net.Choices()
	net.SetTime(t)
	for len(xt) > 0 {
		n := min(vec.Lanes, len(xt))
		for k, x := range xt[:n] {
			for r, v := range in.Rows {
				in.Set(k, r, x[v])
			}
		}
		y := net.Through(n)
		for k := range n {
			for e := range y {
				out[e] = y[e][k]
			}
			out = out[len(y):]
		}
		xt = xt[n:]
	}
}
