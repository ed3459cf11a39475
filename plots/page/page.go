// Package page makes one HTML file of a graph and samples of its paths, to browse them: by sample, by guidance scale,
// by the vertices that paths visit. The file needs nothing else: its policy forbids it to load anything.
//
//	page.go     Page, and the file made of it
//	data.go     its data, as the script reads them
//	paths.go    paths as text
//	thin.go     fewer paths where the file would be too large
//	page.html   the frame; page.css its looks, light and dark
//	model.js    the script: what paths a filter leaves, and what they use
//	draw.js     the map and the layers as SVG
//	flow.js     the flow of paths from layer to layer, as SVG
//	view.js     controls, figures, table
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/ddps-go/ddps/ddps"
)

// MaxBytes is the most that a file may have, 20 MiB: browsers are slow beyond. See Page.HTML.
const MaxBytes = 20 << 20

// Page is what there is to browse.
type Page struct {
	Title  string
	Graph  *ddps.LayeredGraph // every vertex should lie on some path: see ddps.LayeredGraph.Prune
	Reward []float64          // by edge; nil for none
	Sets   []Set              // at least one
	Notes  []string           // for the page's foot
}

// Set is a sample of paths, or data.
type Set struct {
	Name   string      // sets of one Guide follow each other, and share a name
	Guide  string      // not "": one of several strengths of a guide, which share a slider
	Lambda float64     // the strength
	Sample bool        // independent draws, of which shares have an interval; false: data, a file
	Prob   float64     // in (0, 1]: of the condition that the paths meet, under the model; 0: none, or not known
	Paths  []ddps.Path // of Graph
	Counts []int       // how often each is, ≥ 1; nil for once
}

//go:embed page.html
var frame string

//go:embed page.css
var style string

//go:embed model.js
var model string

//go:embed draw.js
var draw string

//go:embed flow.js
var flow string

//go:embed view.js
var view string

// Policy is the page's Content-Security-Policy: its own script and style by their hashes, and nothing else. A server
// may send it too, with "frame-ancestors 'none'".
func Policy() string {
	return "default-src 'none'; script-src " + hash(script()) + "; style-src " + hash(style) +
		"; img-src data:; base-uri 'none'; form-action 'none'"
}

// script is the whole script, with names of its own.
func script() string {
	return strings.Join([]string{`(() => { "use strict";`, model, draw, flow, view, "})();"}, "\n")
}

// hash names a text as a policy does.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// HTML returns the file and how many paths it left out, repeats counted. Where it would have more than MaxBytes, the
// largest sets keep so many paths as fit, drawn at random, always the same ones, and the page says so at its foot. The
// error names the set and the path that is none of the graph, or the field that is wrong, or says that the graph alone
// is too large.
func (p Page) HTML() (file []byte, left int, err error) { return p.html(MaxBytes) }

func (p Page) html(limit int) (file []byte, left int, err error) {
	if err := p.check(); err != nil {
		return nil, 0, fmt.Errorf("page: %w", err)
	}
	bare, err := p.render(nil)
	if err != nil {
		return nil, 0, err
	}
	const note = 300 // bytes of what is said below
	sets, most, left := thin(p.Graph, p.Sets, limit-len(bare)-note)
	if sets == nil {
		return nil, 0, fmt.Errorf("page: without paths the file has %d bytes, at most %d are let through with them",
			len(bare), limit)
	}
	if left > 0 {
		p.Notes = append(p.Notes[:len(p.Notes):len(p.Notes)], fmt.Sprintf(
			"So that this file stays below %.3g MB, the largest samples hold %d paths each, drawn at random: %d are left out.",
			float64(limit)/(1<<20), most, left))
	}
	file, err = p.render(sets)
	return file, left, err
}

// check refuses what the script could not show.
func (p Page) check() error {
	switch {
	case p.Graph == nil:
		return fmt.Errorf("no graph")
	case p.Reward != nil && len(p.Reward) != p.Graph.NumEdges():
		return fmt.Errorf("%d rewards for %d edges", len(p.Reward), p.Graph.NumEdges())
	case len(p.Sets) == 0:
		return fmt.Errorf("no paths")
	}
	for e, u := range p.Reward {
		if math.IsNaN(u) || math.IsInf(u, 0) {
			return fmt.Errorf("reward of edge %d is %v", e, u)
		}
	}
	for _, s := range p.Sets {
		if err := s.check(p.Graph); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return nil
}

func (s Set) check(g *ddps.LayeredGraph) error {
	switch {
	case math.IsNaN(s.Lambda) || math.IsInf(s.Lambda, 0):
		return fmt.Errorf("λ is %v", s.Lambda)
	case !(s.Prob >= 0 && s.Prob <= 1+1e-9):
		return fmt.Errorf("probability %v", s.Prob)
	case len(s.Paths) == 0:
		return fmt.Errorf("no paths")
	case s.Counts != nil && len(s.Counts) != len(s.Paths):
		return fmt.Errorf("%d counts for %d paths", len(s.Counts), len(s.Paths))
	}
	for i, path := range s.Paths {
		if err := g.Check(path); err != nil {
			return fmt.Errorf("path %d: %w", i+1, err)
		}
		if s.Counts != nil && s.Counts[i] < 1 {
			return fmt.Errorf("path %d: count %d", i+1, s.Counts[i])
		}
	}
	return nil
}

// render returns the file with the sets given. Data are JSON with <, > and & escaped, so that no name ends the element.
func (p Page) render(sets []packed) ([]byte, error) {
	data, err := json.Marshal(p.data(sets))
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	t, err := template.New("page").Parse(frame)
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	var buf bytes.Buffer
	err = t.Execute(&buf, struct {
		Title, Policy string
		Notes         []string
		Attribution   string
		Style         template.CSS
		Data, Script  template.JS
	}{p.Title, Policy(), p.Notes, p.Graph.Meta().Attr["attribution"], template.CSS(style), template.JS(data),
		template.JS(script())})
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	return buf.Bytes(), nil
}
