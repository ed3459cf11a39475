package unet

import (
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/net"
)

// Config describes a UNet. The zero value is not valid: start from DefaultConfig.
type Config struct {
	Channels int  `toml:"channels"` // C, of the whole vertex axis, in 1…1024
	Growth   int  `toml:"growth"`   // channels times so much for each halving, in 1…4
	Levels   int  `toml:"levels"`   // halvings of the vertex axis, in 0…10
	Blocks   int  `toml:"blocks"`   // residual blocks at each level, down and up, in 1…64
	Kernel   int  `toml:"kernel"`   // vertices that a convolution sees, odd, in 1…63
	Time     int  `toml:"time"`     // sinusoidal features of t, even, in 2…1024
	Norm     bool `toml:"norm"`     // root-mean-square norm over the channels before each convolution
	// the output corrects the log of the chain's exact denoiser (the caller's Batch.Base)
	Residual bool    `toml:"residual"`
	Gamma    float64 `toml:"gamma"` // γ of Total = CE + γ·VB, at least 0; with 0 VB is neither computed nor reported
	// what LossGrad runs on, as MLPConfig.Backend; Forward too where it is "xla:…" and not slower
	Backend string `toml:"backend"`
}

// DefaultConfig returns the settings for Toy: a plain network, as the paper's, trained on the best backend that there
// is (a step takes 0.15 s on XLA, two CPU and 128 paths, and 1.7 s on the Go backend).
func DefaultConfig() Config {
	return Config{Channels: 64, Growth: 1, Levels: 3, Blocks: 1, Kernel: 3, Time: 32, Norm: true, Gamma: net.PlainGamma,
		Backend: "auto"}
}

// Network is a U-Net (Ronneberger et al. 2015) over the vertex axis, the kind of network that the paper uses (§5):
// residual blocks of convolutions along the vertices' numbers on the way down, where the axis is halved Levels
// times, and up again, with a skip from each level down to its level up. t enters every block.
//
//	h ← In_v[x_t^v]  (0 where D_v < 2), V padded with zeros to a multiple of 2^Levels
//	down, for l = 0…Levels−1:  h ← blocks(h), kept as s_l;  h ← means of pairs of vertices
//	h ← blocks(h)
//	up, for l = Levels−1…0:    h ← blocks([each vertex twice, s_l])
//	out(v, d) = ⟨Out_{v,d}, silu(norm(h_v))⟩ + b_{v,d}
//
//	block(h): y = conv(silu(norm(h)));  (s, b) = W_t·τ + b_t;  h·W + conv(silu(norm(y)·(1 + s) + b))
//	τ = silu(W_2·silu(W_1·features(t) + b_1) + b_2)
//
// norm(y) = y / √(mean of y² over the channels + 10⁻⁵). W is absent (the identity) where a block keeps the number of
// channels. The paper states no more than "UNet-like"; all of this is ours. First and last layer have weights of
// their own for each vertex, as what a choice means differs from vertex to vertex; they make positions known.
//
// The last layer and each block's second convolution start at zero: a fresh residual network is the chain, a fresh
// plain one uniform. The features of t are those of MLP.
//
// Convolutions run along the vertices' numbers, so that a graph whose vertices are numbered otherwise within their
// layers is another network: unlike an MLP, a UNet does not commute with such a renumbering.
//
// Training (LossGrad) runs on GoMLX, inference (Forward) in plain Go on the same arrays, or on XLA; a test holds them
// equal. Writing to the arrays while either runs is a race.
type Network struct {
	cfg     Config
	g       *ddps.LayeredGraph
	V, D, P int     // vertices, greatest degree, vertices with padding
	rows    []int32 // ddps.Rows(g)
	freq    net.Sinusoids
	params  engine.Params
	blocks  []resBlock // in the order of walk
	pool    sync.Pool  // *unetScratch
	train   trainer
	native  atomic.Bool // Forward's backend has failed
}

// resBlock is one residual block: channels in and out, and where its parameters start.
type resBlock struct {
	name     string
	index    int // among the blocks
	from, to int
	region   region
	at       int // conv1 weight, bias, time weight, bias, conv2 weight, bias, skip weight where from ≠ to
}

// New makes the network for g with weights drawn from seed. The error names the setting out of range.
func New(g *ddps.LayeredGraph, cfg Config, seed uint64) (*Network, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	u := &Network{cfg: cfg, g: g, V: g.NumVertices(), D: g.MaxDegree(), rows: ddps.Rows(g),
		freq: net.NewSinusoids(cfg.Time), blocks: cfg.blocks()}
	u.P = (u.V + 1<<cfg.Levels - 1) >> cfg.Levels << cfg.Levels
	u.setRegions()
	u.init(rand.New(rand.NewPCG(seed, 0x756e6574)))
	u.pool.New = func() any { return newScratch(u) }
	return u, nil
}

// init draws the weights, so that what enters a convolution and what leaves it have about equal variance.
func (u *Network) init(rng *rand.Rand) {
	C, wide, K := u.cfg.Channels, 2*u.cfg.Channels, u.cfg.Kernel
	draw := func(from int, name string, shape ...int) {
		engine.Normal(rng, u.params.Add(name, shape...), 1/math.Sqrt(float64(from)))
	}
	draw(1, "in.weight", u.V, u.D, C)
	draw(u.cfg.Time/2, "time1.weight", wide, u.cfg.Time)
	u.params.Add("time1.bias", wide)
	draw(wide/2, "time2.weight", wide, wide)
	u.params.Add("time2.bias", wide)
	for i := range u.blocks {
		b := &u.blocks[i]
		b.at = len(u.params)
		draw(K*b.from, b.name+".conv1.weight", b.to, K*b.from)
		u.params.Add(b.name+".conv1.bias", b.to)
		draw(4*wide, b.name+".time.weight", 2*b.to, wide)
		u.params.Add(b.name+".time.bias", 2*b.to)
		u.params.Add(b.name+".conv2.weight", b.to, K*b.to)
		u.params.Add(b.name+".conv2.bias", b.to)
		if b.from != b.to {
			draw(b.from, b.name+".skip.weight", b.to, b.from)
		}
	}
	u.params.Add("out.weight", u.V, u.D, C)
	u.params.Add("out.bias", u.V, u.D)
}

// Params returns the live arrays, in an order that never changes: "in.weight" [V, D, C], "time1" and "time2" (weight
// [2C, Time] and [2C, 2C], bias), for each block "conv1" and "conv2" (weight [to, Kernel·from], bias), "time" (weight
// [2·to, 2C], bias: s, then b) and "skip.weight" [to, from] where from ≠ to, then "out.weight" [V, D, C] and
// "out.bias" [V, D].
func (u *Network) Params() []net.Param { return u.params }

// Config returns the settings that the network was made with.
func (u *Network) Config() Config { return u.cfg }
