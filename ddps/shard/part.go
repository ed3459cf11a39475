package shard

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// MaxShards is the largest number of shards.
const MaxShards = 1_000_000

// Part is the shards From…To, counted from 1, of Of in all. The zero Part is no part: the whole.
type Part struct {
	From int `json:"from"`
	To   int `json:"to"`
	Of   int `json:"of"`
}

// One returns shard i of n, i from 1.
func One(i, n int) Part { return Part{i, i, n} }

// Parse reads i/n, like 3/64.
func Parse(text string) (Part, error) {
	a, b, _ := strings.Cut(text, "/")
	i, errA := strconv.Atoi(a)
	n, errB := strconv.Atoi(b)
	if errA != nil || errB != nil || n < 1 || n > MaxShards || i < 1 || i > n {
		return Part{}, fmt.Errorf("shard: %q is not i/n with 1 ≤ i ≤ n ≤ %d", text, MaxShards)
	}
	return One(i, n), nil
}

// Whole reports whether p is all shards.
func (p Part) Whole() bool { return p.From == 1 && p.To == p.Of }

// Span returns the range lo…hi-1 of total ≥ 0 numbered items that is p's. Ranges of parts side by side lie side by
// side, and those of two shards differ in length by at most 1. Of the zero Part it is all.
func (p Part) Span(total int) (lo, hi int) {
	if p == (Part{}) {
		return 0, total
	}
	at := func(i int) int {
		h, l := bits.Mul64(uint64(total), uint64(i))
		q, _ := bits.Div64(h, l, uint64(p.Of))
		return int(q)
	}
	return at(p.From - 1), at(p.To)
}

// valid reports whether p is 1 ≤ From ≤ To ≤ Of.
func (p Part) valid() bool { return 1 <= p.From && p.From <= p.To && p.To <= p.Of && p.Of <= MaxShards }

// String is 3/64, or 3-5/64.
func (p Part) String() string {
	if p.From == p.To {
		return fmt.Sprintf("%d/%d", p.From, p.Of)
	}
	return fmt.Sprintf("%d-%d/%d", p.From, p.To, p.Of)
}
