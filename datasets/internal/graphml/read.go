package graphml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/input"
)

// key is what a <key> element declares.
type key struct{ domain, name string }

// reader is the state of one Read.
type reader struct {
	d        *xml.Decoder
	keys     map[string]key
	defaults map[string]map[string]string // domain → attribute → value
	g        *Graph
}

// Read reads a file that holds one graph. Errors name the line, and the node or
// edge where there is one; a file cut short is an error, and so is a data element
// whose key is not declared.
func Read(r io.Reader) (*Graph, error) {
	x := &reader{d: xml.NewDecoder(input.XML(r)), keys: map[string]key{}, defaults: map[string]map[string]string{}}
	x.d.CharsetReader = input.Charset
	root, err := x.next()
	if err == nil && (root == nil || root.Name.Local != "graphml") {
		err = errors.New("the outermost element is not graphml")
	}
	if err == nil {
		err = x.children(map[string]func(xml.StartElement) error{"key": x.key, "graph": x.graph, "data": x.skip,
			"desc": x.skip})
	}
	if err == nil && x.g == nil {
		err = errors.New("no graph")
	}
	if err == nil {
		err = x.end()
	}
	if err != nil {
		line, _ := x.d.InputPos()
		var syntax *xml.SyntaxError
		switch {
		case errors.Is(err, io.EOF) || errors.As(err, &syntax) && syntax.Msg == "unexpected EOF":
			err = errors.New("the file ends too early")
		case syntax != nil:
			line, err = syntax.Line, errors.New(syntax.Msg)
		}
		return nil, fmt.Errorf("graphml: line %d: %w", line, err)
	}
	return x.g, nil
}

// end takes what follows the outermost element: comments and space.
func (x *reader) end() error {
	for {
		t, err := x.d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			return fmt.Errorf("a second document begins: %s", t.Name.Local)
		case xml.CharData:
			if len(bytes.TrimSpace(t)) > 0 {
				return errors.New("text after the end of the graph")
			}
		}
	}
}

// next returns the next start element, nil at the end of the current one.
func (x *reader) next() (*xml.StartElement, error) {
	for {
		t, err := x.d.Token()
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			return &t, nil
		case xml.EndElement:
			return nil, nil
		}
	}
}

// children calls do for each child element of the current one, by its name.
func (x *reader) children(do map[string]func(xml.StartElement) error) error {
	for {
		e, err := x.next()
		if err != nil || e == nil {
			return err
		}
		f, ok := do[e.Name.Local]
		if !ok {
			return fmt.Errorf("element %s is not supported", e.Name.Local)
		}
		if err := f(*e); err != nil {
			return err
		}
	}
}

func (x *reader) skip(xml.StartElement) error { return x.d.Skip() }

// attr returns an attribute of GraphML's own, "" if there is none.
func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

// text returns the text of the current element.
func (x *reader) text(e xml.StartElement) (string, error) {
	var s string
	err := x.d.DecodeElement(&s, &e)
	return s, err
}

func (x *reader) key(e xml.StartElement) error {
	id, k := attr(e, "id"), key{attr(e, "for"), attr(e, "attr.name")}
	if id == "" {
		return errors.New("a key has no id")
	}
	if _, twice := x.keys[id]; twice {
		return fmt.Errorf("key %s is declared twice", id)
	}
	if k.name == "" { // as yEd's keys for drawings
		k.name = id
	}
	x.keys[id] = k
	return x.children(map[string]func(xml.StartElement) error{"desc": x.skip, "default": func(e xml.StartElement) error {
		v, err := x.text(e)
		for _, domain := range []string{"node", "edge", "graph"} {
			if k.domain != domain && k.domain != "all" && k.domain != "" {
				continue
			}
			if x.defaults[domain] == nil {
				x.defaults[domain] = map[string]string{}
			}
			x.defaults[domain][k.name] = v
		}
		return err
	}})
}

func (x *reader) graph(e xml.StartElement) error {
	if x.g != nil {
		return errors.New("a second graph")
	}
	x.g = &Graph{Data: x.withDefaults("graph")}
	switch d := strings.TrimSpace(attr(e, "edgedefault")); d {
	case "directed":
		x.g.Directed = true
	case "undirected":
	default:
		return fmt.Errorf("edgedefault is %q, expected directed or undirected", d)
	}
	return x.children(map[string]func(xml.StartElement) error{"desc": x.skip, "node": x.node, "edge": x.edge,
		"data": func(e xml.StartElement) error { return x.data(e, &x.g.Data) }})
}

// withDefaults returns new data of an element, nil where no key has a default.
func (x *reader) withDefaults(domain string) map[string]string { return maps.Clone(x.defaults[domain]) }

// data reads a data element into a map.
func (x *reader) data(e xml.StartElement, into *map[string]string) error {
	k, ok := x.keys[attr(e, "key")]
	if !ok {
		return fmt.Errorf("data of the key %q, which is not declared before the graph", attr(e, "key"))
	}
	if k.domain == "" && k.name == attr(e, "key") { // no plain value, as yEd's drawings
		return x.d.Skip()
	}
	v, err := x.text(e)
	if err != nil {
		return err
	}
	if *into == nil {
		*into = map[string]string{}
	}
	(*into)[k.name] = v
	return nil
}

func (x *reader) node(e xml.StartElement) error {
	n := Node{ID: attr(e, "id"), Data: x.withDefaults("node")}
	if n.ID == "" {
		return errors.New("a node has no id")
	}
	err := x.children(map[string]func(xml.StartElement) error{"desc": x.skip,
		"data": func(e xml.StartElement) error { return x.data(e, &n.Data) }})
	if err != nil {
		return fmt.Errorf("node %s: %w", n.ID, err)
	}
	x.g.Nodes = append(x.g.Nodes, n)
	return nil
}

func (x *reader) edge(e xml.StartElement) error {
	n := Edge{Source: attr(e, "source"), Target: attr(e, "target"), Directed: x.g.Directed, Data: x.withDefaults("edge")}
	if n.Source == "" || n.Target == "" {
		return fmt.Errorf("edge number %d has no source or no target", len(x.g.Edges)+1)
	}
	switch d := strings.TrimSpace(attr(e, "directed")); d { // xs:boolean
	case "true", "1":
		n.Directed = true
	case "false", "0":
		n.Directed = false
	case "":
	default:
		return fmt.Errorf("edge %s → %s: directed is %q, not one of true, false, 1, 0", n.Source, n.Target, d)
	}
	err := x.children(map[string]func(xml.StartElement) error{"desc": x.skip,
		"data": func(e xml.StartElement) error { return x.data(e, &n.Data) }})
	if err != nil {
		return fmt.Errorf("edge %s → %s: %w", n.Source, n.Target, err)
	}
	x.g.Edges = append(x.g.Edges, n)
	return nil
}
