package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/plots"
)

// wide is a graph whose first vertex has 70 out-edges, more than there are digits.
func wide(t *testing.T) *ddps.LayeredGraph {
	t.Helper()
	sizes, heads := []int{1, 70, 2}, [][]int{nil}
	for v := range 70 {
		heads[0] = append(heads[0], 1+v)
		heads = append(heads, []int{71, 72})
	}
	g, err := ddps.New(sizes, append(heads, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func sample(g *ddps.LayeredGraph, n int, seed uint64) (paths []ddps.Path) {
	x := ddps.NewIndex(g)
	for i := range uint64(n) {
		paths = append(paths, x.Sample(ddps.Rand(seed, i)))
	}
	return paths
}

// examples is a page of two sets, one with counts.
func examples(t *testing.T, g *ddps.LayeredGraph) Page {
	t.Helper()
	counts := make([]int, 60)
	for i := range counts {
		counts[i] = 1 + i%3
	}
	u := make([]float64, g.NumEdges())
	u[1] = 2
	return Page{Title: "A & B", Graph: g, Reward: u, Notes: []string{"a note"}, Sets: []Set{
		{Name: "drawn", Sample: true, Paths: sample(g, 500, 1)}, {Name: "data", Prob: .5, Paths: sample(g, 60, 2),
			Counts: counts}}}
}

func render(t *testing.T, p Page) string {
	t.Helper()
	file, left, err := p.HTML()
	if err != nil || left != 0 {
		t.Fatal(left, err)
	}
	return string(file)
}

var dataElement = regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`)

// read returns the data of a page.
func read(t *testing.T, file string) (c contents) {
	t.Helper()
	m := dataElement.FindAllStringSubmatch(file, -1)
	if len(m) != 1 {
		t.Fatalf("%d elements of data", len(m))
	}
	if err := json.Unmarshal([]byte(m[0][1]), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// walk reads the paths of a set with what the page holds alone, each so often as it counts.
func walk(c contents, s packed) (paths []ddps.Path) {
	first := []int{0}
	for _, d := range c.Degrees {
		first = append(first, first[len(first)-1]+d)
	}
	for i, text := 0, s.Text; text != ""; i++ {
		p := ddps.Path{0}
		for range len(c.Layers) - 2 {
			slot := 0
			for _, digit := range text[:c.Width] {
				slot = 64*slot + strings.IndexRune(digits, digit)
			}
			text = text[c.Width:]
			p = append(p, c.Heads[first[p[len(p)-1]]+slot])
		}
		n := 1
		if s.Counts != nil {
			n = s.Counts[i]
		}
		for range n {
			paths = append(paths, p)
		}
	}
	return paths
}

func expand(s Set) (paths []ddps.Path) {
	for i, p := range s.Paths {
		n := 1
		if s.Counts != nil {
			n = s.Counts[i]
		}
		for range n {
			paths = append(paths, p)
		}
	}
	return paths
}

func sorted(paths []ddps.Path) []ddps.Path {
	paths = slices.Clone(paths)
	slices.SortFunc(paths, func(a, b ddps.Path) int { return slices.Compare(a, b) })
	return paths
}

// What the page holds are the paths that went in, with counts, the most frequent first; edges are used as often.
func TestData(t *testing.T) {
	for name, g := range map[string]*ddps.LayeredGraph{"example": ddps.Example(), "wide": wide(t)} {
		p := examples(t, g)
		c := read(t, render(t, p))
		if len(c.Sets) != 2 || c.Width != map[string]int{"example": 1, "wide": 2}[name] || c.Best != g.Best(p.Reward) ||
			!reflect.DeepEqual(c.Reward, p.Reward) || c.Mapped {
			t.Fatalf("%s: %+v", name, c)
		}
		for i, s := range c.Sets {
			got, want := walk(c, s), expand(p.Sets[i])
			if !reflect.DeepEqual(sorted(got), sorted(want)) || s.Total != len(want) || s.Name != p.Sets[i].Name ||
				s.Prob != p.Sets[i].Prob || s.Sample != p.Sets[i].Sample {
				t.Errorf("%s: %s: other paths", name, s.Name)
			}
			if !slices.IsSortedFunc(s.Counts, func(a, b int) int { return b - a }) {
				t.Errorf("%s: counts %v", name, s.Counts)
			}
			a, err := plots.Uses(g, got, nil)
			if err != nil {
				t.Fatal(err)
			}
			if b, err := plots.Uses(g, p.Sets[i].Paths, p.Sets[i].Counts); err != nil || !reflect.DeepEqual(a, b) {
				t.Errorf("%s: other uses: %v", name, err)
			}
		}
	}
}

// town is a graph of three places, of which vertices are copies, with names that would break out of a page.
func town(t *testing.T) *ddps.LayeredGraph {
	t.Helper()
	g, err := ddps.New([]int{1, 2, 3}, [][]int{{1, 2}, {3, 4}, {4, 5}, {}, {}, {}})
	if err != nil {
		t.Fatal(err)
	}
	evil := []string{"</script><script>alert(1)</script>", `<!--<img src=x onerror="alert(1)">`, "a\u2028b'\"&amp;\\"}
	meta := ddps.Meta{Place: []int{-1, 0, 1, 0, 1, 2}, Names: []string{"source"},
		Attr: map[string]string{"attribution": "<b>© me</b>"}}
	for _, place := range meta.Place[1:] {
		meta.Names = append(meta.Names, evil[place])
	}
	for _, place := range meta.Place {
		meta.XY = append(meta.XY, [2]float64{24.95 + .001*float64(place), 60 + .002*float64(place)})
	}
	if g, err = g.WithMeta(meta); err != nil {
		t.Fatal(err)
	}
	return g
}

// Copies of a place are one spot, in metres from the middle.
func TestSpots(t *testing.T) {
	c := read(t, render(t, examples(t, town(t))))
	if !slices.Equal(c.Spot, []int{0, 1, 2, 1, 2, 3}) || !c.Mapped || !c.Metres || c.Spots[0].XY != nil ||
		c.Spots[3].Place != 2 || c.Spots[0].Place != -1 {
		t.Fatalf("%+v", c)
	}
	dx, dy := c.Spots[2].XY[0]-c.Spots[1].XY[0], c.Spots[2].XY[1]-c.Spots[1].XY[1]
	if math.Abs(dx-55.6) > .2 || math.Abs(dy-222.4) > .2 || *c.Spots[2].XY != [2]float64{0, 0} {
		t.Errorf("%v east, %v north, %v", dx, dy, c.Spots[2].XY)
	}
	turned := town(t).Meta()
	turned.XY = slices.Clone(turned.XY)
	for v := range turned.XY { // so that place 1 lies on the 180th meridian
		turned.XY[v][0] = math.Remainder(turned.XY[v][0]-24.951+180, 360)
	}
	if g, err := town(t).WithMeta(turned); err != nil {
		t.Fatal(err)
	} else if d := read(t, render(t, examples(t, g))).Spots; d[2].XY[0]-d[1].XY[0] != dx || d[3].XY[0]-d[1].XY[0] > 112 {
		t.Errorf("across the 180th meridian: %v, %v, %v", *d[1].XY, *d[2].XY, *d[3].XY)
	}
	m := town(t).Meta()
	m.Attr = map[string]string{"crs": "EPSG:3067"}
	g, err := town(t).WithMeta(m)
	if err != nil {
		t.Fatal(err)
	}
	if c := read(t, render(t, examples(t, g))); c.Metres || math.Abs(c.Spots[2].XY[0]-c.Spots[1].XY[0]-.001) > 1e-9 {
		t.Errorf("other coordinates: %+v", c.Spots)
	}
}

// What people call places goes with them, and what is on the way is called after the place that it leads to.
func TestLabels(t *testing.T) {
	g, err := ddps.New([]int{1, 2, 1}, [][]int{{1, 2}, {3}, {3}, nil})
	if err == nil {
		g, err = g.WithMeta(ddps.Meta{Names: []string{"A", "A", "A>B 1/2", "B"}, Place: []int{0, 0, 2, 1},
			Attr: map[string]string{ddps.AttrTransit: "2", ddps.AttrLabels: "0\tHigh Street\n2\tnowhere"}})
	}
	if err != nil {
		t.Fatal(err)
	}
	c := read(t, render(t, examples(t, g)))
	if c.Names[2] != "to B" || !slices.Equal(c.Way, []int{2}) || c.Spots[c.Spot[0]].Label != "High Street" ||
		c.Spots[c.Spot[2]].Label != "" || c.Spots[c.Spot[3]].Label != "" || c.First != 0 {
		t.Errorf("%+v", c)
	}
}

// No name ends the element that it is in, and names come back as they were.
func TestEscapes(t *testing.T) {
	p := examples(t, town(t))
	p.Title, p.Notes, p.Sets[0].Name = `</title><script>alert(2)</script>`, []string{"<i>note</i>"}, "visit(\"</script>\")"
	file := render(t, p)
	if n := strings.Count(file, "<script"); n != 2 || strings.Count(file, "</script") != 2 {
		t.Errorf("%d scripts", n)
	}
	for _, wrong := range []string{"<img", "<b>", "<i>", "<!--"} {
		if strings.Contains(file, wrong) {
			t.Errorf("the page has %s", wrong)
		}
	}
	c := read(t, file)
	if !slices.Equal(c.Names, p.Graph.Meta().Names) || c.Sets[0].Name != p.Sets[0].Name {
		t.Errorf("%q", c.Names)
	}
	wellFormed(t, file)
}

// wellFormed checks that all elements end where they should, and that no two have one id.
func wellFormed(t *testing.T, file string) {
	t.Helper()
	bare := regexp.MustCompile(`(?s)(<(?:script|style)[^>]*>).*?(</(?:script|style)>)`).ReplaceAllString(file, "$1$2")
	bare = strings.NewReplacer("<!doctype html>", "", " hidden", ` hidden=""`, " disabled", ` disabled=""`).Replace(bare)
	bare = regexp.MustCompile(`<((?:meta|link|input)\b[^>]*)>`).ReplaceAllString(bare, "<$1/>")
	d := xml.NewDecoder(strings.NewReader(bare))
	d.Entity = xml.HTMLEntity
	ids := map[string]bool{}
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		e, ok := tok.(xml.StartElement)
		for _, a := range e.Attr {
			switch {
			case !ok:
			case a.Name.Local == "id" && ids[a.Value]:
				t.Errorf("two elements have the id %s", a.Value)
			case a.Name.Local == "id":
				ids[a.Value] = true
			case a.Name.Local == "src", a.Name.Local == "style", strings.HasPrefix(a.Name.Local, "on"):
				t.Errorf("attribute %s", a.Name.Local)
			}
		}
	}
	for _, m := range regexp.MustCompile(`(?:for|aria-labelledby)="([^"]+)"`).FindAllStringSubmatch(bare, -1) {
		if !ids[m[1]] {
			t.Errorf("nothing has the id %s", m[1])
		}
	}
}

// The policy lets the page's own script and style run and nothing be loaded, and the page asks for nothing.
func TestPolicy(t *testing.T) {
	file := render(t, examples(t, ddps.Example()))
	wellFormed(t, file)
	policy := html.UnescapeString(
		regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(file)[1])
	if policy != Policy() || !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy %q", policy)
	}
	for _, name := range []string{"script", "style"} {
		text := regexp.MustCompile(`(?s)<`+name+`>(.*?)</`+name+`>`).FindAllStringSubmatch(file, -1)
		if len(text) != 1 {
			t.Fatalf("%d elements %s", len(text), name)
		}
		sum := sha256.Sum256([]byte(text[0][1]))
		if want := name + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, want) {
			t.Errorf("the policy lacks %s", want)
		}
	}
	loads := regexp.MustCompile(`https?://[^"']*|url\(|import |fetch\(|XMLHttp|eval\(|innerHTML`)
	for _, m := range loads.FindAllString(file, -1) {
		if m != svgName {
			t.Errorf("the page has %q", m)
		}
	}
}

// svgName is a name, and no address that anything is loaded from.
const svgName = "http://www.w3.org/2000/svg"

// Beyond the limit the largest sets are thinned, each of their paths with the same chance, and the page says so.
func TestThin(t *testing.T) {
	p := examples(t, ddps.Example())
	g := wide(t)
	rng := rand.New(rand.NewPCG(1, 2))
	var many []ddps.Path
	for range 4000 {
		many = append(many, ddps.Path{0, 1 + rng.IntN(70), 71 + rng.IntN(2)})
	}
	p.Graph, p.Reward, p.Sets = g, nil, []Set{{Name: "few", Paths: sample(g, 10, 1)}, {Name: "many", Paths: many},
		{Name: "counted", Paths: many[:50], Counts: slices.Repeat([]int{1000}, 50)}}
	whole := render(t, p)
	limit := len(whole) - 100
	file, left, err := p.html(limit)
	if err != nil {
		t.Fatal(err)
	}
	c := read(t, string(file))
	kept := 0
	for _, s := range c.Sets {
		kept += s.Total
		if len(walk(c, s)) != s.Total {
			t.Errorf("%s: total %d", s.Name, s.Total)
		}
	}
	if len(file) > limit || left == 0 || kept+left != 10+4000+50000 || c.Sets[0].Total != 10 ||
		!strings.Contains(string(file), "are left out") {
		t.Errorf("%d bytes of %d, %d left out, %d kept", len(file), limit, left, kept)
	}
	again, _, err := p.html(limit)
	if err != nil || !bytes.Equal(file, again) {
		t.Errorf("not the same again: %v", err)
	}
	if _, _, err := p.html(len(whole) / 2); err == nil || !strings.Contains(err.Error(), "without paths the file has") {
		t.Errorf("no space: %v", err)
	}
	chosen := make([]int, 12) // 5 of 12 draws, of paths that count 1 to 3
	s := Set{Paths: many[:6], Counts: []int{3, 1, 2, 1, 3, 2}}
	const reps = 6000
	for i := range uint64(reps) {
		d := draws(s, 12, 5, i)
		sum := 0
		for k, path := range d.Paths {
			at := slices.IndexFunc(s.Paths, func(q ddps.Path) bool { return &q[0] == &path[0] })
			if chosen[at] += d.Counts[k]; d.Counts[k] > s.Counts[at] {
				t.Fatal("more than there are")
			}
			sum += d.Counts[k]
		}
		if sum != 5 {
			t.Fatalf("%d draws", sum)
		}
	}
	for k, n := range s.Counts { // hypergeometric
		mean, sd := float64(n)*5/12, math.Sqrt(float64(n)*5./12*7/12*float64(12-n)/11)
		if got := float64(chosen[k]) / reps; math.Abs(got-mean) > 4*sd/math.Sqrt(reps) {
			t.Errorf("path %d: %v draws on average, want %v", k, got, mean)
		}
	}
}

func TestErrors(t *testing.T) {
	g := ddps.Example()
	ok := []ddps.Path{{0, 1, 4, 7}}
	set := func(s Set) Page { return Page{Graph: g, Sets: []Set{s}} }
	for want, p := range map[string]Page{
		"no graph":               {},
		"page: no paths":         {Graph: g},
		"1 rewards for 14 edges": {Graph: g, Reward: []float64{1}, Sets: []Set{{Paths: ok}}},
		"reward of edge 0 is NaN": {Graph: g, Reward: append([]float64{math.NaN()}, make([]float64, 13)...),
			Sets: []Set{{Paths: ok}}},
		"x: no paths":             set(Set{Name: "x"}),
		"x: path 1: ":             set(Set{Name: "x", Paths: []ddps.Path{{0, 1, 6, 7}}}),
		"x: 2 counts for 1 paths": set(Set{Name: "x", Paths: ok, Counts: []int{1, 2}}),
		"x: path 1: count 0":      set(Set{Name: "x", Paths: ok, Counts: []int{0}}),
		"x: λ is +Inf":            set(Set{Name: "x", Paths: ok, Lambda: math.Inf(1)}),
		"x: probability NaN":      set(Set{Name: "x", Paths: ok, Prob: math.NaN()}),
	} {
		if _, _, err := p.HTML(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func ExamplePage() {
	p := Page{Title: "Example", Graph: ddps.Example(),
		Sets: []Set{{Name: "two paths", Paths: []ddps.Path{{0, 1, 4, 7}, {0, 2, 6, 7}}}}}
	file, left, err := p.HTML()
	fmt.Println(bytes.HasPrefix(file, []byte("<!doctype html>")), left, err)
	// Output: true 0 <nil>
}
