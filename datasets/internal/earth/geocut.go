package earth

import "math"

// CutAt180 cuts a line in degrees wherever it crosses the 180th meridian, each piece of it the short way around the
// globe: no part has neighbours on both sides. A line that does not cross is one part. Touching the meridian is no
// crossing.
func CutAt180(at [][2]float64) [][][2]float64 {
	c := lineCutter{}
	a := turned{at: at[0]}
	for k := 1; k < len(at); k++ {
		b := turned{at: at[k], turn: a.turn}
		b.turn += Beside(b.at[0], a.at[0]) - b.at[0]
		c.piece(a, b)
		a = b
	}
	return append(c.parts, c.part)
}

// turned is a point whose longitude continues beyond ±180: that of at and turn, a multiple of 360, added up.
type turned struct {
	at   [2]float64
	turn float64
}

func (p turned) lon() float64 { return p.at[0] + p.turn }

// lineCutter cuts the pieces of a line.
type lineCutter struct {
	parts [][][2]float64
	part  [][2]float64 // the one that grows
	turn  float64      // of its points
}

// piece adds a straight piece, cut at the meridian 180 + 360·k if that lies strictly within it.
func (c *lineCutter) piece(a, b turned) {
	west, east := min(a.lon(), b.lon()), max(a.lon(), b.lon())
	cut := 180 + 360*math.Floor((west+180)/360)
	if !(west < cut && cut < east) {
		c.straight(a, b)
		return
	}
	lat := a.at[1] + (b.at[1]-a.at[1])*(cut-a.lon())/(b.lon()-a.lon())
	m := turned{[2]float64{180, math.Round(1e9*lat) / 1e9}, cut - 180}
	c.straight(a, m)
	c.straight(m, b)
}

// straight adds a piece that crosses nothing, to the part so far unless it is on the other side of the meridian.
func (c *lineCutter) straight(a, b turned) {
	west, east := min(a.lon(), b.lon())-c.turn, max(a.lon(), b.lon())-c.turn
	if len(c.part) == 0 || east > 180 || west < -180 {
		if len(c.part) > 0 {
			c.parts, c.part = append(c.parts, c.part), nil
		}
		c.turn += 360 * math.Round((west+east)/2/360)
		c.add(a)
	}
	c.add(b)
}

func (c *lineCutter) add(p turned) {
	if p.turn != c.turn {
		p.at[0] += p.turn - c.turn
	}
	c.part = append(c.part, p.at)
}
