package guide

import "slices"

// spanTree holds disjoint spans in blocks of ascending order, so that one is found and added in O(√n).
type spanTree struct{ blocks [][]span }

// spanBlock is the most spans of a block.
const spanBlock = 512

// block returns the number of the block where sum is, or would be.
func (t *spanTree) block(sum int64) int {
	i, ok := slices.BinarySearchFunc(t.blocks, sum, func(b []span, sum int64) int {
		switch {
		case b[0].lo > sum:
			return 1
		case b[0].lo == sum:
			return 0
		}
		return -1
	})
	if !ok && i > 0 {
		i--
	}
	return i
}

// find returns the span that holds sum.
func (t *spanTree) find(sum int64) (span, bool) {
	if len(t.blocks) == 0 {
		return span{}, false
	}
	b := t.blocks[t.block(sum)]
	i, ok := slices.BinarySearchFunc(b, sum, inSpan)
	if !ok {
		return span{}, false
	}
	return b[i], true
}

func inSpan(x span, sum int64) int {
	switch {
	case x.lo > sum:
		return 1
	case x.hi < sum:
		return -1
	}
	return 0
}

// add adds a span that meets no other.
func (t *spanTree) add(x span) {
	if len(t.blocks) == 0 {
		t.blocks = [][]span{{x}}
		return
	}
	k := t.block(x.lo)
	b := t.blocks[k]
	i, _ := slices.BinarySearchFunc(b, x.lo, inSpan)
	if b = slices.Insert(b, i, x); len(b) <= spanBlock {
		t.blocks[k] = b
		return
	}
	half := len(b) / 2
	t.blocks[k] = slices.Clone(b[:half])
	t.blocks = slices.Insert(t.blocks, k+1, slices.Clone(b[half:]))
}
