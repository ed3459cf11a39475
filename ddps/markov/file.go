package markov

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/ddps-go/ddps/ddps"
)

// magic begins a model's file.
const magic = "ddps context model 1\n"

// Write writes the model: its settings as a line of JSON, its weights, and the paths that its tables hold, which are
// much smaller than the tables. So a file holds the training walks. Numbers are varints, and float64 in little
// endian.
func (m *Model) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	line, err := json.Marshal(m.cfg)
	if err != nil {
		return fmt.Errorf("markov: write: %w", err)
	}
	b.WriteString(magic)
	b.Write(append(line, '\n'))
	var buffer []byte
	put := func(n int) { b.Write(binary.AppendUvarint(buffer[:0], uint64(n))) }
	float := func(x float64) { b.Write(binary.LittleEndian.AppendUint64(buffer[:0], math.Float64bits(x))) }
	put(len(m.theta))
	for _, x := range m.theta {
		float(x)
	}
	put(len(m.paths))
	for i, p := range m.paths {
		float(m.weights[i])
		for l := 1; l < len(p); l++ {
			e, _ := m.g.EdgeBetween(p[l-1], p[l])
			lo, _ := m.g.Edges(p[l-1])
			put(e - lo)
		}
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("markov: write: %w", err)
	}
	return nil
}

// Read reads a model of the paths of g that Write has written. It gives the same bits as the model written. The error
// says what is wrong, or that the file is one of another graph.
func Read(r io.Reader, g *ddps.LayeredGraph) (*Model, error) {
	m, err := read(&reader{r: bufio.NewReader(r)}, g)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("markov: read: %w", err)
	}
	return m, nil
}

func read(r *reader, g *ddps.LayeredGraph) (*Model, error) {
	head, err := r.r.ReadString('\n')
	if err == nil && head != magic {
		err = fmt.Errorf("no context model: it begins with %.30q", head)
	}
	if err != nil {
		return nil, err
	}
	line, err := r.r.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	p, err := newPlaces(g)
	if err != nil {
		return nil, err
	}
	m := &Model{places: p}
	if err := json.Unmarshal(line, &m.cfg); err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	if err := m.cfg.check(p); err != nil {
		return nil, err
	}
	m.views = m.cfg.views()
	if n := r.number(); r.err == nil && n != m.numWeights() {
		return nil, fmt.Errorf("%d weights, expected %d: another graph, or damaged", n, m.numWeights())
	}
	for i := range m.numWeights() {
		x := r.float()
		if r.err != nil {
			return nil, r.err
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("weight %d is %v", i+1, x)
		}
		m.theta = append(m.theta, x)
	}
	paths, weights, err := r.paths(g)
	if err != nil {
		return nil, err
	}
	m.count(paths, weights)
	return m, nil
}

// reader reads numbers; the first error stays.
type reader struct {
	r   *bufio.Reader
	err error
}

func (r *reader) number() int {
	if r.err != nil {
		return 0
	}
	var n uint64
	if n, r.err = binary.ReadUvarint(r.r); n > math.MaxInt32 && r.err == nil {
		r.err = fmt.Errorf("the number %d is out of range", n)
	}
	return int(n)
}

func (r *reader) float() float64 {
	var b [8]byte
	if r.err == nil {
		_, r.err = io.ReadFull(r.r, b[:])
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b[:]))
}

// paths reads paths by their out-edges, and their weights.
func (r *reader) paths(g *ddps.LayeredGraph) (paths []ddps.Path, weights []float64, err error) {
	n := r.number()
	for i := 0; i < n && r.err == nil; i++ {
		weights = append(weights, r.float())
		p := make(ddps.Path, 1, g.NumLayers())
		for len(p) < g.NumLayers() {
			v, d := p[len(p)-1], r.number()
			if r.err == nil && d >= g.Degree(v) {
				return nil, nil, fmt.Errorf("path %d: vertex %s has %d out-edges, found number %d: another graph, or damaged",
					i+1, g.Name(v), g.Degree(v), d+1)
			}
			if r.err != nil {
				return nil, nil, r.err
			}
			p = append(p, g.From(v)[d])
		}
		paths = append(paths, p)
	}
	if r.err != nil {
		return nil, nil, r.err
	}
	if _, _, err := ddps.Weights(len(paths), weights); err != nil {
		return nil, nil, err
	}
	if _, err := r.r.ReadByte(); err == nil {
		return nil, nil, errors.New("there is more after the last path")
	}
	return paths, weights, nil
}
