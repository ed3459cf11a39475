package graphml

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
)

// Key declares an attribute: its domain (graph, node or edge), its name, which is
// its id with a letter of the domain before it, and its type (string, int, double).
type Key struct{ Domain, Name, Type string }

func (k Key) id() string { return k.Domain[:1] + "_" + k.Name }

// Value is a value of an attribute.
type Value struct{ Name, Text string }

// Element is a node, with an id, or an edge, with a source and a target.
type Element struct {
	ID, Source, Target string
	Values             []Value
}

// Write writes a directed graph: its own values, its nodes, its edges, each value
// declared by one of the keys. Nothing is held in memory.
func Write(w io.Writer, keys []Key, graph []Value, nodes, edges iter.Seq[Element]) error {
	x := &writer{w: bufio.NewWriter(w)}
	x.raw(xml.Header, `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">`, "\n")
	for _, k := range keys {
		x.raw(`  <key`)
		x.attr("id", k.id())
		x.attr("for", k.Domain)
		x.attr("attr.name", k.Name)
		x.attr("attr.type", k.Type)
		x.raw("/>\n")
	}
	x.raw("  <graph edgedefault=\"directed\">\n")
	x.values("graph", graph)
	for e := range nodes {
		x.raw(`    <node`)
		x.attr("id", e.ID)
		x.close("node", e.Values)
	}
	for e := range edges {
		x.raw(`    <edge`)
		x.attr("source", e.Source)
		x.attr("target", e.Target)
		x.close("edge", e.Values)
	}
	x.raw("  </graph>\n</graphml>\n")
	if x.err == nil {
		x.err = x.w.Flush()
	}
	if x.err != nil {
		return fmt.Errorf("graphml: %w", x.err)
	}
	return nil
}

// writer keeps the first error.
type writer struct {
	w   *bufio.Writer
	err error
}

func (x *writer) raw(list ...string) {
	for _, s := range list {
		if x.err == nil {
			_, x.err = x.w.WriteString(s)
		}
	}
}

func (x *writer) text(s string) {
	if x.err == nil {
		x.err = xml.EscapeText(x.w, []byte(s))
	}
}

func (x *writer) attr(name, value string) {
	x.raw(" ", name, `="`)
	x.text(value)
	x.raw(`"`)
}

// values writes data elements, one a line within the graph.
func (x *writer) values(domain string, list []Value) {
	for _, v := range list {
		x.raw("    <data")
		x.attr("key", Key{Domain: domain, Name: v.Name}.id())
		x.raw(">")
		x.text(v.Text)
		x.raw("</data>\n")
	}
}

// close ends an element's tag, its values within it.
func (x *writer) close(domain string, list []Value) {
	if len(list) == 0 {
		x.raw("/>\n")
		return
	}
	x.raw(">")
	for _, v := range list {
		x.raw("<data")
		x.attr("key", Key{Domain: domain, Name: v.Name}.id())
		x.raw(">")
		x.text(v.Text)
		x.raw("</data>")
	}
	x.raw("</", domain, ">\n")
}
