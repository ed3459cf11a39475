package swingnn

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// Layers are named by where their parameters are in Network.params.
type (
	linear struct{ w, b int } // y = W·x + b, W [to, from]; b is −1 where there is none
	norm   struct{ w, b int } // layer normalisation with gain w and bias b
)

// block is a block of attention and perceptron over a grid of tokens.
type block struct {
	dim, heads, grid    int
	window, shift       int
	film                linear // of the noise level's embedding, [2·dim, Noise]
	norm1, norm2        norm
	qkv, proj, fc1, fc2 linear
	bias                int // by relative position, [2·window−1, 2·window−1, heads]
}

// stage is what happens at one resolution: on the way down blocks, then the merging of tokens two by two unless it is
// the last; on the way up the breaking up of tokens of the stage below first.
type stage struct {
	grid, dim int
	up        *breakup
	blocks    []block
	down      *merge
}

// merge makes one token of 2·dim channels out of 2 by 2 tokens of dim.
type merge struct {
	norm   norm
	reduce linear
}

// breakup makes 2 by 2 tokens of dim channels out of one of 4·dim, x and the skip.
type breakup struct {
	pre  linear
	norm norm
	post linear
	out  norm
}

// plan is the network's shape, with the places of its parameters.
type plan struct {
	patch        linear // [Dim, patch·patch·2], the channels self-conditioning and x
	patchNorm    norm
	patchFilm    linear
	position     int // [tokens, Dim] with Config.Position
	time1, time2 linear
	down, up     []stage
	norm         norm
	spread       int // [Dim, patch·patch, Dim]: to, place in the patch, from
	spreadBias   int
	mix, out     linear
}

// start sets the data of parameter number i as it begins.
type start func(*Model, int, []float32)

// add adds a parameter and returns its place.
func (n *Model) add(name string, init start, shape ...int) int {
	i := len(n.params)
	init(n, i, n.params.Add(name, shape...))
	return i
}

func zeros(*Model, int, []float32) {}

func ones(_ *Model, _ int, x []float32) {
	for i := range x {
		x[i] = 1
	}
}

// normal draws from N(0, sd²).
func normal(sd float64) start {
	return func(n *Model, i int, x []float32) { engine.Normal(ddps.Rand(n.seed, uint64(i)), x, sd) }
}

// firstDeviation is that of weights by place, and of all published ones.
const firstDeviation = 0.02

// first returns how a linear layer of so many inputs starts.
func (c Config) first(inputs int) start {
	if c.Init == 0 {
		return normal(firstDeviation)
	}
	return normal(c.Init / math.Sqrt(float64(inputs)))
}

// uniform draws from ±1/√fan, as convolutions start.
func uniform(fan int) start {
	return func(n *Model, i int, x []float32) {
		rng, r := ddps.Rand(n.seed, uint64(i)), 1/math.Sqrt(float64(fan))
		for k := range x {
			x[k] = float32(r * (2*rng.Float64() - 1))
		}
	}
}

// linear adds a linear layer, with a bias unless plain.
func (n *Model) linear(name string, to, from int, plain bool) linear {
	l := linear{n.add(name+".weight", n.cfg.first(from), to, from), -1}
	if !plain {
		l.b = n.add(name+".bias", zeros, to)
	}
	return l
}

// conv is linear with a convolution's start.
func (n *Model) conv(name string, to, from int) linear {
	return linear{n.add(name+".weight", uniform(from), to, from), n.add(name+".bias", uniform(from), to)}
}

func (n *Model) norm(name string, dim int) norm {
	return norm{n.add(name+".gain", ones, dim), n.add(name+".bias", zeros, dim)}
}

// block adds block number k of a stage.
func (n *Model) block(name string, grid, dim, heads, k int) block {
	w := min(n.cfg.Window, grid)
	b := block{dim: dim, heads: heads, grid: grid, window: w}
	if k%2 == 1 && w < grid {
		b.shift = w / 2
	}
	b.film = n.linear(name+".film", 2*dim, n.cfg.Noise, false)
	b.norm1 = n.norm(name+".norm1", dim)
	b.qkv = n.linear(name+".qkv", 3*dim, dim, false)
	b.bias = n.add(name+".position", normal(firstDeviation), 2*w-1, 2*w-1, heads)
	b.proj = n.linear(name+".proj", dim, dim, false)
	b.norm2 = n.norm(name+".norm2", dim)
	b.fc1 = n.linear(name+".fc1", n.cfg.Ratio*dim, dim, false)
	b.fc2 = n.linear(name+".fc2", dim, n.cfg.Ratio*dim, false)
	return b
}

// stage adds the stage number s of the way down or up.
func (n *Model) stage(way string, s int) stage {
	last := len(n.cfg.Depths) - 1
	name := fmt.Sprintf("%s%d", way, s)
	st := stage{grid: n.N / n.cfg.Patch >> s, dim: n.cfg.Dim << s}
	if way == "up" && s < last {
		st.up = &breakup{pre: n.linear(name+".pre", 4*st.dim, 4*st.dim, true), norm: n.norm(name+".prenorm", 4*st.dim),
			out: n.norm(name+".postnorm", st.dim), post: n.linear(name+".post", st.dim, st.dim, true)}
	}
	for k := range n.cfg.Depths[s] {
		st.blocks = append(st.blocks, n.block(fmt.Sprintf("%s.%d", name, k), st.grid, st.dim, n.cfg.Heads<<s, k))
	}
	if way == "down" && s < last {
		st.down = &merge{norm: n.norm(name+".mergenorm", 4*st.dim), reduce: n.linear(name+".merge", 2*st.dim, 4*st.dim, true)}
	}
	return st
}
