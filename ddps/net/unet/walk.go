package unet

// operations is what a UNet does to feature maps T, [vertex, channel] of one or more samples, of which there are two
// kinds: nodes of a graph, and plain Go's.
type operations[T any] interface {
	block(x T, b resBlock) T // a residual block
	down(x T) T              // means of pairs of vertices
	up(x T) T                // each vertex twice
	join(x, skip T) T        // channels of x, then of skip
}

// walk takes x from the first layer to the last.
func walk[T any](u *Network, x T, ops operations[T]) T {
	next := u.blocks
	blocks := func() {
		for range u.cfg.Blocks {
			x = ops.block(x, next[0])
			next = next[1:]
		}
	}
	var skips []T
	for range u.cfg.Levels {
		blocks()
		skips = append(skips, x)
		x = ops.down(x)
	}
	blocks()
	for l := u.cfg.Levels - 1; l >= 0; l-- {
		x = ops.join(ops.up(x), skips[l])
		blocks()
	}
	return x
}
