package vec

// TurnAdd adds x, [lane, unit], to y.
func TurnAdd(y []Block, x []float32) {
	turn(Flat(y), x[:Lanes*len(y)], Lanes, len(y), Lanes, len(y), true)
}

// Turn sets to, a Block of 32 units for each lane, then of the next 32 units and so on, from x, a Block of lanes for
// each unit. Of the last Blocks, where len(x) is no multiple of 32, only the units that there are.
func Turn(to, x []Block) {
	for i := 0; i < len(x); i += Lanes {
		turn(Flat(to[i:i+Lanes]), Flat(x[i:]), Lanes, Lanes, min(Lanes, len(x)-i), Lanes, false)
	}
}

// Transpose sets to, [cols, rows], from x, [rows, cols].
func Transpose(to, x []float32, rows, cols int) {
	const tile = 32 // stays in the cache
	for r := 0; r < rows; r += tile {
		for c := 0; c < cols; c += tile {
			turn(to[c*rows+r:], x[r*cols+c:], rows, cols, min(tile, rows-r), min(tile, cols-c), false)
		}
	}
}

// turn sets to[c, r] = from[r, c], or adds to it, with strides the entries from row to row.
func turn(to, from []float32, toStride, fromStride, rows, cols int, add bool) {
	if rows == 0 || cols == 0 {
		return
	}
	from, to = from[:(rows-1)*fromStride+cols], to[:(cols-1)*toStride+rows]
	r, c := rows&^7, cols&^7
	switch {
	case at == plainGo || r == 0 || c == 0:
		r, c = 0, 0
	case add:
		transposeAddAVX2(first(to), first(from), toStride, fromStride, r, c)
	default:
		transposeAVX2(first(to), first(from), toStride, fromStride, r, c)
	}
	for j := c; j < cols; j++ {
		turnColumn(to[j*toStride:][:r], from[j:], fromStride, add)
	}
	for j := range cols {
		if r < rows {
			turnColumn(to[j*toStride+r:][:rows-r], from[r*fromStride+j:], fromStride, add)
		}
	}
}

// turnColumn sets to, or adds to it, the entries of from at a stride.
func turnColumn(to, from []float32, stride int, add bool) {
	for i := range to {
		if add {
			to[i] += from[i*stride]
		} else {
			to[i] = from[i*stride]
		}
	}
}
