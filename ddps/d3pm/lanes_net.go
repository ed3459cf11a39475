package d3pm

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/octet"
)

// laneChunk is how many groups a network takes at a time.
const laneChunk = max(1, mlpLanes/octet.Width)

// blockNet is a network that takes up to mlpLanes samples through together.
type blockNet interface {
	setTime(t int)
	// choices is what goes in.
	choices() *laneInput
	// through runs n samples at the time set and returns what the network gives, by edge.
	through(n int) []mlpLane
}

// laneInput is a first layer's input: the embeddings of the rows' choices.
type laneInput struct {
	rows  []int32 // vertices
	first []int32 // by row: the number of its first choice's embedding
	width int     // of an embedding
	at    []int32 // [lane, row] where the embedding of its choice starts
}

func newLaneInput(rows, first []int32, width int) laneInput {
	return laneInput{rows, first, width, make([]int32, mlpLanes*len(rows))}
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
		n := min(mlpLanes, len(xt))
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

// laneBlock runs a network, mlpLanes samples at a time.
type laneBlock struct {
	net blockNet
	y   []mlpLane
	out []octet.Single // [E] where a group takes more than one run
}

func (n *laneBlock) begin(t int) { n.net.setTime(t) }

func (n *laneBlock) load(groups []laneGroup) {
	if mlpLanes >= octet.Width {
		for i := range groups {
			n.choices(i*octet.Width, &groups[i], 0, groups[i].n)
		}
		n.y = n.net.through((len(groups)-1)*octet.Width + groups[len(groups)-1].n)
		return
	}
	for k := 0; k < groups[0].n; k += mlpLanes {
		to := min(mlpLanes, groups[0].n-k)
		n.choices(0, &groups[0], k, to)
		y := n.net.through(to)
		n.out = grow(n.out, len(y))
		for e := range y {
			copy(n.out[e][k:], y[e][:])
		}
	}
}

// choices sets what goes into lanes to, …, to+n−1: the choices of lanes from, … of g.
func (n *laneBlock) choices(to int, g *laneGroup, from, count int) {
	in := n.net.choices()
	for r, v := range in.rows {
		x := &g.x[v]
		for k := range count {
			in.set(to+k, r, int32(x[from+k]))
		}
	}
}

func (n *laneBlock) outputs(i int) ([]octet.Single, int) {
	if mlpLanes < octet.Width {
		return n.out, 1
	}
	return mlpSingles(n.y)[i:], laneChunk
}
