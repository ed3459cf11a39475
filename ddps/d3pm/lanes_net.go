package d3pm

import "github.com/ddps-go/ddps/ddps/internal/octet"

// laneChunk is how many groups a network takes at a time.
const laneChunk = max(1, mlpLanes/octet.Width)

// newLaneNet returns the model's network for groups, one that netUnit knows.
func newLaneNet(m *Model) laneNet {
	if n, ok := m.Net.(*MLP); ok {
		return &laneMLP{m: n, s: newMLPScratch(n)}
	}
	return newLanePair(m.Net.(*Pair))
}

// laneMLP runs an MLP, mlpLanes samples at a time.
type laneMLP struct {
	m   *MLP
	s   *mlpScratch
	out []octet.Single // [E] where a group takes more than one run
}

func (n *laneMLP) begin(t int) {
	n.m.features(n.s.time, t)
	n.m.bias(n.s.bias, n.s.time)
}

func (n *laneMLP) load(groups []laneGroup) {
	if mlpLanes >= octet.Width {
		for i := range groups {
			n.m.choices(n.s, i*octet.Width, groups[i].x, 0, groups[i].n)
		}
		n.m.through(n.s, (len(groups)-1)*octet.Width+groups[len(groups)-1].n)
		return
	}
	n.out = grow(n.out, n.m.edges)
	for k := 0; k < groups[0].n; k += mlpLanes {
		to := min(mlpLanes, groups[0].n-k)
		n.m.choices(n.s, 0, groups[0].x, k, to)
		n.m.through(n.s, to)
		for e := range n.out {
			copy(n.out[e][k:], n.s.y[e][:])
		}
	}
}

func (n *laneMLP) outputs(i int, _ []octet.Lane) ([]octet.Single, int) {
	if mlpLanes < octet.Width {
		return n.out, 1
	}
	return mlpSingles(n.s.y[:n.m.edges])[i:], laneChunk
}
