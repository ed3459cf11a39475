package maps

import (
	"github.com/ddps-go/ddps/datasets/internal/earth"
	"github.com/ddps-go/ddps/datasets/internal/gtfs"
)

// describe adds the meta data of a state.
func (x *timetable) describe(s, now int) {
	stops := len(x.feed.Stops)
	name, at := "", [2]float64{}
	if s == x.end() {
		at := x.feed.Stops[x.ends[0]]
		x.meta.Names, x.meta.XY = append(x.meta.Names, x.endName()), append(x.meta.XY, [2]float64{at.Lon, at.Lat})
		x.meta.Place = append(x.meta.Place, s)
		return
	}
	if s < stops {
		p := x.feed.Stops[s]
		name, at = p.ID, [2]float64{p.Lon, p.Lat}
	} else {
		name, at = "on "+x.runs[s-stops].Name, x.along(&x.runs[s-stops], now)
	}
	x.meta.Names, x.meta.XY, x.meta.Place = append(x.meta.Names, name), append(x.meta.XY, at), append(x.meta.Place, s)
}

// along returns where a run is at a time between its first departure and its last arrival.
func (x *timetable) along(r *gtfs.Run, now int) [2]float64 {
	k := min(r.After(now), len(r.Calls)-1)
	b := r.Calls[k]
	q := x.feed.Stops[b.Stop]
	if k == 0 {
		return [2]float64{q.Lon, q.Lat}
	}
	a := r.Calls[k-1]
	p, share := x.feed.Stops[a.Stop], 0.
	if now > a.Depart {
		share = float64(now-a.Depart) / float64(b.Arrive-a.Depart)
	}
	return earth.Between([2]float64{p.Lon, p.Lat}, [2]float64{q.Lon, q.Lat}, share)
}
