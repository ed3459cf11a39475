package d3pm

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// laneChunk is how many groups a network takes at a time.
const laneChunk = vec.Lanes / vec.Width

// blockNet is a network that takes up to vec.Lanes samples through together.
type blockNet interface {
	setTime(t int)
	// choices is what goes in.
	choices() *laneInput
	// through runs n samples at the time set and returns what the network gives, by edge.
	through(n int) []vec.Block
}

// laneInput is a first layer's input: the embeddings of the rows' choices.
type laneInput struct {
	rows  []int32 // vertices
	first []int32 // by row: the number of its first choice's embedding
	width int     // of an embedding
	at    []int32 // [lane, row] where the embedding of its choice starts
}

func newLaneInput(rows, first []int32, width int) laneInput {
	return laneInput{rows, first, width, make([]int32, vec.Lanes*len(rows))}
}

// set sets the choice of row r in lane k.
func (in *laneInput) set(k, r int, choice int32) {
	in.at[k*len(in.rows)+r] = (in.first[r] + choice) * int32(in.width)
}

// lane returns where the embeddings of lane k start.
func (in *laneInput) lane(k int) []int32 { return in.at[k*len(in.rows) : (k+1)*len(in.rows)] }

// forwardLanes is Forward.
func forwardLanes(net blockNet, out []float32, xt []ddps.PALM, t int) {
	in := net.choices()
	net.setTime(t)
	for len(xt) > 0 {
		n := min(vec.Lanes, len(xt))
		for k, x := range xt[:n] {
			for r, v := range in.rows {
				in.set(k, r, x[v])
			}
		}
		y := net.through(n)
		for k := range n {
			for e := range y {
				out[e] = y[e][k]
			}
			out = out[len(y):]
		}
		xt = xt[n:]
	}
}

// newLaneNet returns the model's network for groups, one that netUnit knows.
func newLaneNet(m *Model) laneNet {
	if u, ok := m.Net.(*UNet); ok {
		return &laneBlock{net: newUNetScratch(u)}
	}
	return &laneBlock{net: newMLPScratch(m.Net.(*MLP))}
}

// laneBlock runs a network, vec.Lanes samples at a time.
type laneBlock struct {
	net blockNet
	y   []vec.Block
}

func (n *laneBlock) begin(t int) { n.net.setTime(t) }

func (n *laneBlock) load(groups []laneGroup) {
	in := n.net.choices()
	for i := range groups {
		g := &groups[i]
		for r, v := range in.rows {
			for k, x := range g.x[v][:g.n] {
				in.set(i*vec.Width+k, r, int32(x))
			}
		}
	}
	n.y = n.net.through((len(groups)-1)*vec.Width + groups[len(groups)-1].n)
}

func (n *laneBlock) outputs(i int) ([]vec.Single, int) {
	return vec.Singles(n.y)[i:], laneChunk
}
