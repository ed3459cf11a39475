package pathfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
)

// fastaWidth is the letters of a line that WriteFASTA writes.
const fastaWidth = 70

// lattice finds a DNA lattice's vertices by letter.
type lattice struct {
	g     *ddps.LayeredGraph
	first int      // layer of the first letter
	at    [][4]int // [position] vertex of each letter, −1 for none
}

func newLattice(g *ddps.LayeredGraph) (*lattice, error) {
	first, ok := g.Letters(ddps.Bases)
	if !ok || first > 1 {
		return nil, datasets.ErrNoBases
	}
	t := &lattice{g: g, first: first}
	for l := first; l < g.NumLayers(); l++ {
		row := [4]int{-1, -1, -1, -1}
		lo, hi := g.Layer(l)
		for v := lo; v < hi; v++ {
			row[strings.Index(ddps.Bases, g.Name(v))] = v
		}
		t.at = append(t.at, row)
	}
	return t, nil
}

// path returns the path of a sequence. The error says at which position it is none.
func (t *lattice) path(letters string) (ddps.Path, error) {
	if len(letters) != len(t.at) {
		return nil, fmt.Errorf("%d letters, expected %d", len(letters), len(t.at))
	}
	p := make(ddps.Path, t.first, t.first+len(letters))
	for i := range letters {
		v := t.at[i][strings.IndexByte(ddps.Bases, letters[i])]
		if v < 0 {
			return nil, fmt.Errorf("position %d: no %c may be there", i+1, letters[i])
		}
		if len(p) > 0 {
			if _, ok := t.g.EdgeBetween(p[len(p)-1], v); !ok && i > 0 {
				return nil, fmt.Errorf("position %d: no %c may follow the %c there", i+1, letters[i], letters[i-1])
			} else if !ok {
				return nil, fmt.Errorf("position 1: no sequence begins with %c", letters[0])
			}
		}
		p = append(p, v)
	}
	return p, nil
}

// ReadFASTA reads paths of a DNA lattice from FASTA (ReadSequences): each record a path, or as many as its size.
// Records that repeat a sequence add up. Errors are those of ReadSequences, of a graph that is no lattice of A, C, G,
// T, and, by record and position, of a sequence that is no path.
func ReadFASTA(name string, r io.Reader, g *ddps.LayeredGraph) (*datasets.Data, error) {
	return readFASTA(name, r, newGather(g))
}

func readFASTA(name string, r io.Reader, b *gather) (*datasets.Data, error) {
	t, err := newLattice(b.g)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", name, err)
	}
	bad := error(nil)
	err = eachSequence(name, r, func(s Sequence) error {
		p, err := t.path(s.Letters)
		if err != nil {
			err = stray{err}
		}
		if err = b.take(p, strings.Split(s.Letters, ""), s.Count, s.Line, err); err != nil {
			bad = fmt.Errorf("datasets: %s:%d: record %q: %w", name, s.Line, s.ID, err)
		}
		return bad
	})
	switch {
	case bad != nil:
		return nil, bad
	case err != nil:
		return nil, err
	}
	return b.done(name)
}

// DNAOf returns the lattice of DNA sequences as long as the first of a FASTA file, without forbidden pairs. Errors are
// those of ReadSequences, as far as the first record.
func DNAOf(path string) (*ddps.LayeredGraph, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	defer f.Close()
	var first Sequence
	enough := errors.New("enough")
	if err = eachSequence(path, f, func(s Sequence) error { first = s; return enough }); !errors.Is(err, enough) &&
		err != nil {
		return nil, err
	}
	return datasets.DNA(len(first.Letters))
}

// WriteFASTA writes the paths of a DNA lattice as FASTA: what ReadFASTA reads.
func WriteFASTA(w io.Writer, d *datasets.Data) error {
	out, err := NewFASTAWriter(w, d.Graph)
	if err != nil {
		return err
	}
	return WritePaths(out, d)
}

// fastaWriter writes a record a path.
type fastaWriter struct {
	g       *ddps.LayeredGraph
	first   int // layer of the first letter
	out     *bufio.Writer
	records int
}

// NewFASTAWriter returns a writer of FASTA: records 1, 2, … with ;size=N where a path occurs N > 1 times, 70 letters a
// line. It is an error if the graph is no lattice of A, C, G, T.
func NewFASTAWriter(w io.Writer, g *ddps.LayeredGraph) (Writer, error) {
	first, ok := g.Letters(ddps.Bases)
	if !ok {
		return nil, fmt.Errorf("datasets: FASTA: %w", datasets.ErrNoBases)
	}
	return &fastaWriter{g: g, first: first, out: bufio.NewWriter(w)}, nil
}

func (f *fastaWriter) Write(p ddps.Path, count int) error {
	f.records++
	fmt.Fprintf(f.out, ">%d", f.records)
	if count > 1 {
		fmt.Fprintf(f.out, ";size=%d", count)
	}
	for k, v := range p[f.first:] {
		if k%fastaWidth == 0 {
			f.out.WriteByte('\n')
		}
		f.out.WriteString(f.g.Name(v))
	}
	if err := f.out.WriteByte('\n'); err != nil { // its writer keeps the first error
		return fmt.Errorf("datasets: FASTA: record %d: %w", f.records, err)
	}
	return nil
}

func (f *fastaWriter) Close() error {
	if err := f.out.Flush(); err != nil {
		return fmt.Errorf("datasets: FASTA: %w", err)
	}
	return nil
}
