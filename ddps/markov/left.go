package markov

// left is what one walk has added to contexts, to be left out of them. A nil left is empty.
type left struct {
	slots   []int32 // 1 + the first entry of a context; 0: free
	entries []entry
}

// entry is a place that followed a context of the walk.
type entry struct {
	context, place int32
	next           int32   // entry of the same context; −1 for the last
	weight, total  float64 // of the place; of all places of the context, in its first entry
}

// reset empties l, for about n entries.
func (l *left) reset(n int) {
	size := 64
	for size < 2*n {
		size *= 2
	}
	if l.entries = l.entries[:0]; len(l.slots) < size {
		l.slots = make([]int32, size)
		return
	}
	clear(l.slots)
}

// add adds w to the weight of a place after a context.
func (l *left) add(context, place int32, w float64) {
	mask := uint64(len(l.slots) - 1)
	i := mix(uint64(context)) & mask
	for l.slots[i] != 0 && l.entries[l.slots[i]-1].context != context {
		i = (i + 1) & mask
	}
	first, last := l.slots[i]-1, int32(-1)
	for e := first; e >= 0; e = l.entries[e].next {
		if l.entries[e].place == place {
			l.entries[e].weight += w
			l.entries[first].total += w
			return
		}
		last = e
	}
	n := int32(len(l.entries))
	l.entries = append(l.entries, entry{context: context, place: place, next: -1, weight: w, total: w})
	if last < 0 {
		l.slots[i] = n + 1
		return
	}
	l.entries[last].next = n
	l.entries[first].total += w
}

// first returns the first entry of a context; −1 for none.
func (l *left) first(context int32) int32 {
	if l == nil || context < 0 {
		return -1
	}
	mask := uint64(len(l.slots) - 1)
	for i := mix(uint64(context)) & mask; l.slots[i] != 0; i = (i + 1) & mask {
		if e := l.slots[i] - 1; l.entries[e].context == context {
			return e
		}
	}
	return -1
}

// rest returns what is left of the weight w of a place, first being the first entry of its context.
func (l *left) rest(w float64, first, place int32) float64 {
	for e := first; e >= 0; e = l.entries[e].next {
		if l.entries[e].place == place {
			return positive(w - l.entries[e].weight)
		}
	}
	return w
}

// sum returns what is left of the weight of all places.
func (l *left) sum(w float64, first int32) float64 {
	if first < 0 {
		return w
	}
	return positive(w - l.entries[first].total)
}

// positive returns w, or 0 where it is no more than the error of a difference.
func positive(w float64) float64 {
	if w < 1e-9 {
		return 0
	}
	return w
}
