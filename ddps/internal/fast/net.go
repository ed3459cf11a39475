package fast

import (
	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/net"
)

// laneChunk is how many groups a network takes at a time.
const laneChunk = vec.Lanes / vec.Width

// laneBlock runs a network, vec.Lanes samples at a time.
type laneBlock struct {
	net net.Blocks
	y   []vec.Block
}

func (n *laneBlock) begin(t int) { n.net.SetTime(t) }

func (n *laneBlock) load(groups []laneGroup) {
	in := n.net.Choices()
	for i := range groups {
		in.Take(i*vec.Width, groups[i].x)
	}
	n.y = n.net.Through((len(groups)-1)*vec.Width + groups[len(groups)-1].n)
}

func (n *laneBlock) outputs(i int) ([]vec.Single, int) {
	return vec.Singles(n.y)[i:], laneChunk
}
