package markov

// index maps keys to numbers ≥ 0: a hash table with linear probing, of keys that stay. Its owner hashes.
type index[K comparable] struct {
	slots []int32 // 1 + an entry; 0: free. Their number is a power of two, above twice the entries.
	keys  []K     // in the order in which they were put
	vals  []int32
}

// get returns the number of k, whose hash is h; −1 for none.
func (t *index[K]) get(k K, h uint64) int32 {
	if len(t.slots) == 0 {
		return -1
	}
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		e := t.slots[i]
		if e == 0 {
			return -1
		}
		if t.keys[e-1] == k {
			return t.vals[e-1]
		}
	}
}

// put returns the number of k, which becomes val where it has none.
func (t *index[K]) put(k K, h uint64, val int32, hash func(K) uint64) int32 {
	if 2*len(t.keys) >= len(t.slots) {
		t.grow(hash)
	}
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		e := t.slots[i]
		if e == 0 {
			t.keys, t.vals = append(t.keys, k), append(t.vals, val)
			t.slots[i] = int32(len(t.keys))
			return val
		}
		if t.keys[e-1] == k {
			return t.vals[e-1]
		}
	}
}

// grow makes four times the slots.
func (t *index[K]) grow(hash func(K) uint64) {
	t.slots = make([]int32, max(16, 4*len(t.slots)))
	mask := uint64(len(t.slots) - 1)
	for e, k := range t.keys {
		i := hash(k) & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = int32(e + 1)
	}
}

// mix is a hash of 64 bits (the finaliser of MurmurHash3, of two rounds).
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// hash hashes a context that is not one of last places alone.
func (k key) hash() uint64 {
	h := mix(uint64(uint32(k.x))<<32 | uint64(uint32(k.y)))
	h = mix(h ^ (uint64(uint32(k.run))<<32 | uint64(uint32(k.layerClass))))
	return mix(h ^ k.seen*0x9e3779b97f4a7c15 ^ uint64(k.view)<<56)
}
