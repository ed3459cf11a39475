package where

import "strconv"

// avoid reads avoid(places, an edge or a motif).
func (p *parser) avoid() (Node, error) {
	p.take()
	if p.peek().s == "(" && p.after().kind == word && p.after().s == "motif" {
		p.take()
		n, err := p.motif()
		if err != nil {
			return nil, err
		}
		m := n.(Motif)
		return Avoid{Motif: &m}, p.want(symbol, ")")
	}
	s, err := p.inside(true)
	return Avoid{Stop: s}, err
}

// places reads a place, or several in braces.
func (p *parser) places() ([]Place, error) {
	braces := p.is(symbol, "{")
	var list []Place
	for {
		a, err := p.place()
		if err != nil {
			return nil, err
		}
		if list = append(list, a); !braces {
			return list, nil
		}
		if !p.is(symbol, ",") {
			return list, p.want(symbol, "}")
		}
	}
}

// place reads a name, place n, vertex n or file("names").
func (p *parser) place() (Place, error) {
	const want = `a "name", place N, vertex N or file("names.txt")`
	t := p.take()
	switch {
	case t.kind == text:
		return Place{Kind: ByName, Name: t.s, At: t.at}, nil
	case t.kind == word && (t.s == "place" || t.s == "vertex"):
		n, err := p.whole(0, "the number of a "+t.s)
		if t.s == "vertex" {
			return Place{Kind: ByVertex, Number: n, At: t.at}, err
		}
		return Place{Kind: ByPlace, Number: n, At: t.at}, err
	case t.kind == word && t.s == "file":
		if err := p.want(symbol, "("); err != nil {
			return Place{}, err
		}
		f := p.take()
		if f.kind != text || f.s == "" {
			return Place{}, p.wrong(f, `the name of a file in quotes`)
		}
		return Place{Kind: ByFile, Name: f.s, At: t.at}, p.want(symbol, ")")
	}
	return Place{}, p.wrong(t, want)
}

// where returns by vertex the number of its place, −1 for none: of Meta.Place, else of its name. What is on the way in
// the last layer is where no place is.
func (c *compiler) where() []int {
	of, number := c.g.Meta().Place, map[string]int{}
	last, _ := c.g.Layer(c.g.NumLayers() - 1)
	place := make([]int, c.g.NumVertices())
	for v := range place {
		key := c.g.Name(v)
		switch {
		case v >= last && c.heading != nil && c.heading[v] != "":
			key = "on the way"
		case c.no != nil && c.no[v] || of != nil && of[v] < 0:
			place[v] = -1
			continue
		case of != nil:
			key = strconv.Itoa(of[v])
		}
		n, known := number[key]
		if !known {
			n = len(number)
			number[key] = n
		}
		place[v] = n
	}
	return place
}
