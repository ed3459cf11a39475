//go:build goexperiment.simd && amd64

package octet

// undividedWide is Undivided.
func undividedWide(g *Graph, s *Step, pi, law []Lane, x []Choice) {
	for k := 0; k < Width; k += stepWide {
		as := loadWide(&s.As, k)
		next := broadcastIntsWide(1)
		for _, v := range g.Rows {
			a, b := g.First[v], g.First[v+1]
			row, from, choice := law[a:b], pi[a:b], loadIntsWide(&x[v], k)
			from = from[:len(row)]
			move, keep := loadWide(&s.Like.Move[b-a], k), loadWide(&s.Like.Keep[b-a], k)
			add := loadWide(&s.To.Move[b-a], k)
			var at intsWide
			var sum vecWide
			for i := range row {
				q := keep.Merge(move, choice.Equal(at)).Mul(as.Mul(loadWide(&from[i], k)).Add(add))
				storeWide(&row[i], k, q)
				sum = sum.Add(q)
				at = at.Add(next)
			}
			for i := range row {
				storeWide(&row[i], k, loadWide(&row[i], k).Div(sum))
			}
		}
	}
}

// mixtureWide is Mixture.
func mixtureWide(g *Graph, s *Step, pi, law []Lane, x []Choice) {
	for k := 0; k < Width; k += stepWide {
		as := loadWide(&s.As, k)
		next := broadcastIntsWide(1)
		for _, v := range g.Rows {
			a, b := g.First[v], g.First[v+1]
			row, from, choice := law[a:b], pi[a:b], loadIntsWide(&x[v], k)
			from = from[:len(row)]
			move, keep := loadWide(&s.From.Move[b-a], k), loadWide(&s.From.Keep[b-a], k)
			var at intsWide
			var sum vecWide
			for i := range row {
				q := loadWide(&from[i], k).Div(keep.Merge(move, choice.Equal(at)))
				storeWide(&row[i], k, q)
				sum = sum.Add(q)
				at = at.Add(next)
			}
			move, keep = loadWide(&s.Like.Move[b-a], k), loadWide(&s.Like.Keep[b-a], k)
			add := loadWide(&s.To.Move[b-a], k).Mul(sum)
			at = intsWide{}
			for i := range row {
				storeWide(&row[i], k, keep.Merge(move, choice.Equal(at)).Mul(as.Mul(loadWide(&row[i], k)).Add(add)))
				at = at.Add(next)
			}
		}
	}
}

// occupancyWide is Occupancy.
func occupancyWide(g *Graph, s *Step, pi, law []Lane, x []Choice, reach []Lane) {
	reachWide(g, pi, reach)
	mixtureWide(g, s, pi, law, x)
	one := broadcastWide(bitsOfOne)
	for k := 0; k < Width; k += stepWide {
		next := broadcastIntsWide(1)
		for _, v := range g.Rows {
			a, b := g.First[v], g.First[v+1]
			row, choice := law[a:b], loadIntsWide(&x[v], k)
			move, keep := loadWide(&s.Like.Move[b-a], k), loadWide(&s.Like.Keep[b-a], k)
			p := loadWide(&reach[v], k).Min(one)
			rest := one.Sub(p)
			var at intsWide
			for i := range row {
				off := rest.Mul(keep.Merge(move, choice.Equal(at)))
				storeWide(&row[i], k, p.Mul(loadWide(&row[i], k)).Add(off))
				at = at.Add(next)
			}
		}
	}
}

// jointWide is Joint.
func jointWide(g *Graph, s *Step, law []Lane, x, x0 []Choice) {
	for k := 0; k < Width; k += stepWide {
		next, minus := broadcastIntsWide(1), broadcastIntsWide(-1)
		for _, v := range g.Rows {
			a, b := g.First[v], g.First[v+1]
			row, choice, to := law[a:b], loadIntsWide(&x[v], k), loadIntsWide(&x0[v], k)
			move, keep := loadWide(&s.Like.Move[b-a], k), loadWide(&s.Like.Keep[b-a], k)
			off := to.Equal(minus)
			var at intsWide
			if off.ToBits() == 1<<stepWide-1 {
				for i := range row {
					storeWide(&row[i], k, keep.Merge(move, choice.Equal(at)))
					at = at.Add(next)
				}
				continue
			}
			same, one := to.Equal(choice), broadcastWide(bitsOfOne)
			away := loadWide(&s.Path[1].Move[b-a], k).Merge(loadWide(&s.Path[0].Move[b-a], k), same)
			home := loadWide(&s.Path[1].Keep[b-a], k).Merge(loadWide(&s.Path[0].Keep[b-a], k), same)
			away = one.Merge(away, off)
			for i := range row {
				f := home.Merge(away, to.Equal(at))
				storeWide(&row[i], k, keep.Merge(move, choice.Equal(at)).Mul(f))
				at = at.Add(next)
			}
		}
	}
}
