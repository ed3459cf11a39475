package maps

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/ddps-go/ddps/datasets/internal/geojson"
	"github.com/ddps-go/ddps/datasets/internal/input"
)

// Format is the encoding of a map file.
type Format int

// The formats that Read takes; docs/formats.md says what each of them keeps.
const (
	Sniff    Format = iota // by the content: the default
	PBF                    // OpenStreetMap, .osm.pbf
	XML                    // OpenStreetMap, .osm
	XMLBzip                // OpenStreetMap, .osm.bz2
	Overpass               // answers of the Overpass API, .json
	GraphML                // OSMnx, NetworkX, igraph, .graphml
	GTFS                   // public transport: a zip, or a directory of text files
	EdgeList               // .csv, .tsv, .txt: from, to and optionally a length
	GeoJSON                // lines, .geojson
)

// formatNames are the formats' names, by number.
var formatNames = []string{"auto", "pbf", "xml", "bz2", "overpass", "graphml", "gtfs", "edges", "geojson"}

// FormatNames returns the names of the formats, Sniff's (auto) first.
func FormatNames() []string { return slices.Clone(formatNames) }

// String returns the format's name.
func (f Format) String() string {
	if f < 0 || int(f) >= len(formatNames) {
		return fmt.Sprintf("format %d", int(f))
	}
	return formatNames[f]
}

// ParseFormat returns the format called name; the error lists the names.
func ParseFormat(name string) (Format, error) {
	if i := slices.Index(formatNames, name); i >= 0 {
		return Format(i), nil
	}
	return 0, fmt.Errorf("datasets: format %q is none of %q", name, formatNames)
}

// Direction says whether a map's edges are one way.
type Direction int

// The directions.
const (
	// AsFile goes by the file: GraphML's edgedefault and the directed of an edge; a
	// column or property oneway of edge lists and GeoJSON; GTFS is directed, as its
	// trips are; OpenStreetMap and edge lists without that column are undirected,
	// since the paper's walker is on foot.
	AsFile Direction = iota
	// Directed honours one-way streets of OpenStreetMap: the tag oneway (yes, true,
	// 1; -1 and reverse run against the way), and roundabouts and motorways without
	// that tag. Rows of an edge list go from the first to the second column, unless
	// a column oneway says otherwise. What a GraphML file calls undirected goes both
	// ways, and so do lines of GeoJSON without oneway.
	Directed
	// Undirected drops all directions.
	Undirected
)

// Options says how a file becomes a world. The zero value sniffs the format.
type Options struct {
	Format    Format
	Direction Direction
	// Network says which ways of an OpenStreetMap file are streets; of other formats it must be AllWays.
	Network Network
	// Coordinates, for edge lists, is a table of the nodes, name,lon,lat a row in
	// degrees, with a header of these names or without. nil: none but the edge
	// list's own. Errors in it start with its Name(), where it has one as os.File has.
	Coordinates io.Reader
}

// ReadFile opens and reads a map; see Read. A directory is a GTFS feed.
func ReadFile(path string, o Options) (*World, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	if info.IsDir() && (o.Format == Sniff || o.Format == GTFS) {
		return readStopGraph(path, os.DirFS(path), o)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	defer f.Close()
	return Read(path, f, o)
}

// Read reads a map and makes a world of it: the streets of OpenStreetMap
// (every way with a tag highway), the edges of a GraphML file or of a list, the lines of GeoJSON, or
// the hops between stops of a GTFS feed. Edges with an end that is not in the
// file, as at the border of an extract, are skipped and counted, and so are loops
// and repeated edges (World.Skipped). Where all nodes are called by whole
// numbers, these are their ids and the order is ascending; else ids are 0, 1, …
// in the order of the file and Name is what they are called. A file packed by gzip is unpacked. name only serves the
// messages. Attr tells licence and attribution where the format does.
//
// Errors start with name: an unknown format, a truncated or damaged file, a place
// without coordinates, a map without any edge (but a GraphML file may be one
// node).
func Read(name string, r io.Reader, o Options) (*World, error) {
	packed, err := input.Gunzip(r)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", name, err)
	}
	in := bufio.NewReaderSize(packed, sniffSize)
	encoding := ""
	if o.Format == Sniff {
		var text *bufio.Reader
		text, encoding = input.Decoded(in)
		in = bufio.NewReaderSize(text, sniffSize)
		if o.Format, err = sniff(in); err != nil {
			return nil, fmt.Errorf("datasets: %s: %w", name, err)
		}
	}
	if o.Coordinates != nil && o.Format != EdgeList {
		return nil, fmt.Errorf("datasets: %s: a table of coordinates goes with an edge list, not with %s", name, o.Format)
	}
	if streets := o.Format >= PBF && o.Format <= Overpass; o.Network != AllWays && !streets {
		return nil, fmt.Errorf("datasets: %s: network %s: goes with OpenStreetMap files, not with %s", name, o.Network,
			o.Format)
	}
	var w *World
	switch o.Format {
	case PBF, XML, XMLBzip, Overpass:
		w, err = readStreets(in, o)
	case GraphML:
		w, err = readGraphML(in, o.Direction)
	case GTFS:
		return readStopZip(name, in, o)
	case EdgeList:
		w, err = readEdgeList(in, o)
	case GeoJSON:
		w, err = readGeoJSON(in, o.Direction)
	default:
		err = fmt.Errorf("%s is unknown", o.Format)
	}
	var of *placesError
	if errors.As(err, &of) {
		name, err = of.name, of.err
	}
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", name, err)
	}
	if encoding != "" {
		w.Notes = append([]string{"the text is in " + encoding}, w.Notes...)
	}
	return w, nil
}

// sniffSize is how many bytes at the start of a file sniff may look at.
const sniffSize = 1 << 20

// edgesSize is how many of them an edge list is told by.
const edgesSize = 1 << 16

// outermost returns the local name of the outermost element of XML that begins so, whatever is before it: comments,
// a document type, a prefix of its name. "" if it is not found.
func outermost(text []byte) string {
	d := xml.NewDecoder(bytes.NewReader(text))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	for {
		t, err := d.Token()
		if err != nil {
			return ""
		}
		if e, is := t.(xml.StartElement); is {
			return e.Name.Local
		}
	}
}

// sniff returns the format by the first bytes: signatures of bzip2, zip and PBF, a
// '<' or '{' after optional space or byte-order mark, or lines that look like an
// edge list.
func sniff(in *bufio.Reader) (Format, error) {
	head, err := in.Peek(sniffSize)
	if len(head) == 0 {
		if err == io.EOF {
			return 0, fmt.Errorf("the file is empty")
		}
		return 0, err
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	switch {
	case bytes.HasPrefix(head, []byte("BZh")):
		return XMLBzip, nil
	case input.Office(head) != nil:
		return 0, input.Office(head)
	case input.Zip(head):
		return GTFS, nil
	case bytes.HasPrefix(text, []byte("<")):
		switch name := outermost(text); {
		case name == "graphml":
			return GraphML, nil
		case name == "" && len(head) == sniffSize:
			return 0, fmt.Errorf("XML without an element in its first %d bytes: the format must be named", sniffSize)
		}
		return XML, nil
	case geojson.Is(text):
		return GeoJSON, nil
	case bytes.HasPrefix(text, []byte("{")):
		return Overpass, nil
	case bytes.HasPrefix(head, []byte{0, 0}) && bytes.Contains(head[:min(64, len(head))], []byte("OSMHeader")):
		return PBF, nil
	case looksLikeEdges(text[:min(len(text), edgesSize)]):
		return EdgeList, nil
	}
	return 0, fmt.Errorf("%w: starts with %q (name the format if it is known)", ErrUnknownFormat, head[:min(8, len(head))])
}

// ErrUnknownFormat says that a file that is read with format Sniff has none of the formats.
var ErrUnknownFormat = errors.New("neither OpenStreetMap (.osm.pbf, .osm, .osm.bz2, Overpass JSON) nor GraphML, " +
	"GTFS, GeoJSON or an edge list, by its content")
