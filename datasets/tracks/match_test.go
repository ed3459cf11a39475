package tracks

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/internal/earth"
	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/ddps"
)

// town is a piece of the shipped map, ten layers of places behind a source and dummies.
func town(t testing.TB) *ddps.LayeredGraph {
	t.Helper()
	g, err := datasets.HeightsGraph()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// walker makes tracks of paths: a fix every per seconds of a walk that takes every seconds per layer, each by up to
// noise metres off in each direction (normal, so more at times).
type walker struct {
	g                 *ddps.LayeredGraph
	every, per, noise float64
	rng               *rand.Rand
}

func (w walker) track(name string, p ddps.Path) (fixes []Fix) {
	xy := w.g.Meta().XY
	var at [][2]float64
	for _, v := range p {
		if w.g.Meta().Place[v] >= 0 {
			at = append(at, xy[v])
		}
	}
	const degree = 111_195 // metres
	for k := 0; float64(k)*w.per <= float64(len(at)-1)*w.every; k++ {
		t := float64(k) * w.per
		l := min(int(t/w.every), len(at)-2)
		share := t/w.every - float64(l)
		lon, lat := at[l][0]+share*(at[l+1][0]-at[l][0]), at[l][1]+share*(at[l+1][1]-at[l][1])
		lat += w.noise * w.rng.NormFloat64() / degree
		lon += w.noise * w.rng.NormFloat64() / degree / math.Cos(lat*math.Pi/180)
		fixes = append(fixes, Fix{Track: name, Time: 1.7e9 + t, Lon: lon, Lat: lat, File: "walks.csv", Line: k + 2})
	}
	return fixes
}

// noisyWalks returns the tracks of n paths of g.
func noisyWalks(t testing.TB, g *ddps.LayeredGraph, n int, per, noise float64) (*Tracks, []ddps.Path) {
	t.Helper()
	paths, err := datasets.Draw(g, n, 7)
	if err != nil {
		t.Fatal(err)
	}
	w := walker{g, 30, per, noise, rand.New(rand.NewPCG(4, 2))}
	all := &Tracks{}
	for i, p := range paths {
		all.Fixes = append(all.Fixes, w.track(fmt.Sprint(i), p)...)
	}
	return all, paths
}

// accounts checks that a report accounts for all.
func accounts(t testing.TB, r *Report) {
	t.Helper()
	fixes, tracks, matched := 0, 0, 0
	for _, o := range r.Outcomes {
		switch {
		case !o.IsTrack:
			fixes++
		case o.Fate == Matched:
			matched++
		default:
			tracks++
		}
	}
	if r.Fixes != r.Used+r.Spare+r.Lost+fixes || r.Tracks != matched+tracks || r.Matched != matched ||
		len(r.Refused()) != fixes+tracks {
		t.Errorf("%d fixes are not %d used, %d spare, %d lost and %d refused, or "+
			"%d tracks not %d matched (%d) and %d refused",
			r.Fixes, r.Used, r.Spare, r.Lost, fixes, r.Tracks, r.Matched, matched, tracks)
	}
}

// blocks is a town of streets 100 m apart, eight layers.
func blocks(t testing.TB) *ddps.LayeredGraph {
	t.Helper()
	east := 100 / (earth.Radius * math.Pi / 180)
	var nodes []maps.Node
	var edges []maps.Edge
	for i := range 49 {
		x, y := i%7, i/7
		nodes = append(nodes, maps.Node{ID: int64(i + 1), Lon: float64(x) * east, Lat: float64(y) * east})
		if x > 0 {
			edges = append(edges, maps.Edge{From: i - 1, To: i})
		}
		if y > 0 {
			edges = append(edges, maps.Edge{From: i - 7, To: i})
		}
	}
	w, err := maps.NewWorld(nodes, edges, false)
	if err != nil {
		t.Fatal(err)
	}
	g, err := maps.Expand(w, maps.ExpandOptions{Start: 25, Depth: 8})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Tracks of known paths are those paths again where the noise is low, with fixes once or five times per layer; the more
// noise, the more of them are other paths or none, and all are accounted for.
func TestMatchTracks(t *testing.T) {
	for _, c := range []struct {
		name                    string
		g                       *ddps.LayeredGraph
		per, noise, least, most float64
		matched                 int // at most
	}{
		{"blocks", blocks(t), 30, 0, 1, 1, 300}, {"blocks", blocks(t), 30, 9, 1, 1, 300}, {"blocks", blocks(t), 6, 9, 1, 1,
			300},
		{"blocks", blocks(t), 30, 25, .5, .99, 300}, {"blocks", blocks(t), 30, 60, 0, .1, 100},
		{"town", town(t), 30, 0, 1, 1, 300}, {"town", town(t), 30, 1, .9, .99, 300}, {"town", town(t), 30, 15, 0, .1, 300},
	} {
		tracks, paths := noisyWalks(t, c.g, 300, c.per, c.noise)
		d, r, err := Match(c.g, tracks, Options{Every: 30, Radius: 60})
		if err != nil {
			t.Fatal(err)
		}
		accounts(t, r)
		got := map[string]int{}
		for i, p := range d.Paths {
			got[fmt.Sprint(p)] += d.Counts[i]
		}
		same := 0.0
		for _, p := range paths {
			same += float64(min(1, got[fmt.Sprint(p)])) / float64(len(paths))
		}
		t.Logf("%s, a fix every %v s, noise %v m: %.3f the same, %d of %d matched, %d of %d fixes moved, %v", c.name, c.per,
			c.noise, same, r.Matched, r.Tracks, r.Moved, r.Used, r.why())
		if same < c.least-1e-9 || same > c.most+1e-9 || r.Matched > c.matched || len(r.Refused()) < 300-r.Matched {
			t.Errorf("%s, a fix every %v s, noise %v m: %v of the paths come back, %d matched", c.name, c.per, c.noise, same,
				r.Matched)
		}
	}
}

// The step and the radius are guessed from the data.
func TestMatchGuess(t *testing.T) {
	g := town(t)
	for _, per := range []float64{30, 5} {
		tracks, paths := noisyWalks(t, g, 200, per, 1)
		d, r, err := Match(g, tracks, Options{})
		if err != nil || !r.GuessedEvery || !r.GuessedRadius || math.Abs(r.Every-30) > 5 || r.Radius < 20 || r.Radius > 80 {
			t.Errorf("a fix every %v s: every %v s, radius %v m, %v", per, r.Every, r.Radius, err)
		}
		t.Logf("every %v s, radius %v m: %d matched, %s", r.Every, r.Radius, r.Matched, r.why())
		if r.Every == 30 && d.Total() != len(paths) {
			t.Errorf("a fix every %v s: %d of %d paths", per, d.Total(), len(paths))
		}
	}
	// A walk round and round a block, a fix a second, is five times as long as the layers: a longer step skips corners.
	b, round := blocks(t), &Tracks{}
	w := walker{b, 30, 1, 3, rand.New(rand.NewPCG(1, 1))}
	p, _ := datasets.Draw(b, 1, 0)
	for l, name := range []string{"25", "26", "33", "32", "25", "26", "33", "32"} {
		p[0][l], _ = b.VertexByName(l, name)
	}
	for i := range 5 {
		for _, f := range w.track("round", p[0]) {
			f.Time += float64(i) * 240
			f.Line += 1000 * i
			round.Fixes = append(round.Fixes, f)
		}
	}
	_, r, err := Match(b, round, Options{})
	if err != nil || r.Every < 20 || r.Every > 45 || r.Radius != 60 {
		t.Errorf("round a block: %+v, %v", r, err)
	}
	tracks, _ := noisyWalks(t, g, 1, 30, 1)
	tracks.Fixes = tracks.Fixes[:1]
	if _, _, err := Match(g, tracks, Options{}); err == nil || !strings.Contains(err.Error(), "no track has two fixes") {
		t.Error(err)
	}
}

// grid is a street 1–2–3 with a way round from 1 to 3 by 4 and 5, places 100 m apart in a row, in five layers.
func grid(t testing.TB) *ddps.LayeredGraph {
	t.Helper()
	east := 100 / (earth.Radius * math.Pi / 180)
	w, err := maps.NewWorld([]maps.Node{{ID: 1}, {ID: 2, Lon: east}, {ID: 3, Lon: 2 * east}, {ID: 4, Lat: east},
		{ID: 5, Lon: 2 * east, Lat: east}},
		[]maps.Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 0, To: 3}, {From: 3, To: 4}, {From: 4, To: 2}}, false)
	if err != nil {
		t.Fatal(err)
	}
	g, err := maps.Expand(w, maps.ExpandOptions{Start: 1, Depth: 5})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// What becomes of fixes and tracks, by name and by point.
func TestMatchFates(t *testing.T) {
	g, east := grid(t), 100/(earth.Radius*math.Pi/180)
	point := func(time, x, y float64) Fix { return Fix{Time: time, Lon: x * east, Lat: y * east} }
	place := func(time float64, name string) Fix { return Fix{Time: time, Place: name} }
	for _, c := range []struct {
		name  string
		fixes []Fix
		want  string // the path, or the track's fate
		fates string // of fixes
	}{
		{"all", []Fix{point(0, 0, 0), point(10, 1, .1), point(20, 1, 0), point(30, 2, 0), point(40, 2, 0)}, "1 2 2 3 3", ""},
		{"by name", []Fix{place(0, "1"), place(10, "4"), place(20, "5"), place(30, "3"), place(40, "2")}, "1 4 5 3 2", ""},
		{"in any order", []Fix{place(40, "2"), place(0, "1"), place(30, "3"), place(10, "4"), place(20, "5")}, "1 4 5 3 2",
			""},
		{"the shortest way", []Fix{point(0, 0, 0), point(40, 2, 0)}, "1 2 2 2 3|1 1 2 2 3|1 1 2 3 3|1 2 2 3 3", ""},
		{"steadily", []Fix{point(0, 0, 0), point(40, 2, 1)}, "1 4 4 4 5|1 1 4 5 5|1 1 4 4 5|1 4 4 5 5", ""},
		{"not its nearest", []Fix{point(0, 0, 0), point(10, 1, 0), point(20, 1.6, 0), point(30, 1.55, 0), point(40, 1, 0)},
			"1 2 3 3 2", ""},
		{"moved", []Fix{point(0, 0, 0), point(10, 1.55, 0), point(20, 0, 0), point(30, 0, 0), point(40, 0, 0)}, "1 2 1 1 1",
			""},
		{"nearest in time", []Fix{point(0, 0, 0), point(8, 0, 0), point(11, 1, 0), point(20, 0, 0), point(30, 0, 0),
			point(40, 0, 0)}, "1 2 1 1 1", ""},
		{"later", []Fix{point(-15, 1, 0), point(0, 0, 0), point(40, 0, 0), point(50, 0, 0)}, "1 1 1 1 1",
			"outside the window,outside the window"},
		{"far", []Fix{point(0, 0, 0), point(10, 1, .7), point(20, 9, 9), point(40, 0, 0)}, "1 1 1 1 1",
			"too far,off the map"},
		{"twice", []Fix{point(0, 0, 0), point(10, 1, 0), point(10, 0, 0), point(40, 0, 0)}, "1 2 1 1 1|1 2 2 1 1|1 2 2 2 1",
			"duplicate"},
		{"unknown", []Fix{place(0, "1"), place(10, "9"), place(40, "1")}, "1 1 1 1 1", "unknown place"},
		{"no start", []Fix{point(0, 1, 0), point(40, 1, 0)}, "never at the start", ""},
		{"short", []Fix{point(0, 0, 0), point(30, 1, 0)}, "too short", ""},
		{"none", []Fix{point(0, 9, 9)}, "too short", "off the map"},
		{"gap", []Fix{point(0, 0, 0), point(10, 2, 0), point(40, 2, 0)}, "no way", ""},
		{"not there yet", []Fix{place(0, "1"), place(10, "5"), place(40, "1")}, "no way", ""},
	} {
		for i := range c.fixes {
			c.fixes[i].File, c.fixes[i].Line, c.fixes[i].Track = "t.csv", i+2, "a"
		}
		d, r, err := Match(g, &Tracks{Fixes: c.fixes}, Options{Every: 10, Radius: 60})
		if r == nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		accounts(t, r)
		got := ""
		var fates []string
		for _, o := range r.Outcomes {
			if !o.IsTrack {
				fates = append(fates, string(o.Fate))
			} else if got = string(o.Fate); err == nil {
				got = fixture.CalledBy(g, d.Paths[0])
			}
		}
		if !slices.Contains(strings.Split(c.want, "|"), got) || strings.Join(fates, ",") != c.fates {
			t.Errorf("%s: %s, fixes %v, want %s, %s (%v)", c.name, got, fates, c.want, c.fates, err)
		}
		if (err == nil) != (r.Matched == 1) || c.name == "moved" && r.Moved != 1 || c.name == "nearest in time" &&
			r.Spare != 1 || c.name == "far" && (r.Filled != 3 || r.FilledTracks != 1) {
			t.Errorf("%s: %v, %+v", c.name, err, r)
		}
	}
}

// Steps, graphs without coordinates, the report, and what is refused whole.
func TestMatchPlain(t *testing.T) {
	g := ddps.Example()
	tracks, err := ReadCSV("t.csv", strings.NewReader("trip,place\nx,A\nx,C\nx,G\ny,A\ny,B\ny,E\nx,H\ny,J\n"))
	if err != nil || !tracks.Steps {
		t.Fatal(tracks, err)
	}
	d, r, err := Match(g, tracks, Options{})
	if err != nil || len(d.Paths) != 1 || fixture.CalledBy(g, d.Paths[0]) != "A C G H" || r.Every != 1 || r.Radius != 0 {
		t.Fatal(d, r, err)
	}
	accounts(t, r)
	var b bytes.Buffer
	if err := r.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	want := "what,file,line,track,outcome,detail\ntrack,t.csv,2,x,matched,\ntrack,t.csv,5,y,no way,no way in 1 steps " +
		"from the fix at line 7 to that at line 9\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	if s := r.Refused()[0].String(); s != "t.csv:5: track y: no way: no way in 1 steps from the fix at line 7 to that "+
		"at line 9" {
		t.Error(s)
	}
	none := &ddps.Meta{Place: []int{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}}
	bare, err := g.WithMeta(*none)
	if err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]struct {
		g *ddps.LayeredGraph
		t *Tracks
		o Options
	}{
		"no places with longitude": {g, &Tracks{Fixes: []Fix{{}}}, Options{}}, "the graph has no places": {bare, tracks,
			Options{}},
		"count steps": {g, tracks, Options{Every: 5}}, "expected finite numbers": {g, tracks, Options{Radius: math.NaN()}},
		"stopped": {g, tracks, Options{Told: func(int, int) error { return fmt.Errorf("stopped") }}},
	} {
		if _, _, err := Match(c.g, c.t, c.o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// The index finds what a look at all places does, at the poles and across the date line too.
func TestSpots(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var list []earth.Spot
	var at [][2]float64
	for i := range 500 {
		p := [2]float64{360*rng.Float64() - 180, math.Asin(2*rng.Float64()-1) * 180 / math.Pi}
		list, at = append(list, earth.NewSpot(p[0], p[1], i)), append(at, p)
	}
	x := earth.NewIndex(list)
	for range 300 {
		lon, lat := 360*rng.Float64()-180, 180*rng.Float64()-90
		var all []earth.Nearby
		for i, p := range at {
			all = append(all, earth.Nearby{Place: i, Metres: maps.Distance(maps.Node{Lon: lon, Lat: lat},
				maps.Node{Lon: p[0], Lat: p[1]})})
		}
		slices.SortFunc(all, func(a, b earth.Nearby) int { return int(math.Copysign(1, a.Metres-b.Metres)) })
		if n := x.Nearest(lon, lat); n.Place != all[0].Place || math.Abs(n.Metres-all[0].Metres) > 1e-3 {
			t.Fatalf("nearest to %v, %v: %v, want %v", lon, lat, n, all[0])
		}
	}
}
