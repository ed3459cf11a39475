package sequences

import (
	"fmt"

	"github.com/ddps-go/ddps/datasets/internal/tokens"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/internal/names"
)

// Mapper maps walks onto a graph one by one, as On does.
type Mapper struct {
	m    *mapper
	list []int32
	cell []string
}

// LeftOut is the error of a walk that is no path, or of a row that is no walk.
type LeftOut struct {
	Reason Reason
	Detail string // what is wrong, in words; may be empty
}

func (e *LeftOut) Error() string {
	if e.Detail == "" {
		return string(e.Reason)
	}
	return string(e.Reason) + ": " + e.Detail
}

// NewMapper returns a mapper onto g, whose source and END walks need not name.
func NewMapper(g *ddps.LayeredGraph) (*Mapper, error) {
	w, to := New(), g.Headings()
	for v := range g.NumVertices() {
		_, err := w.intern(g.Name(v))
		if err == nil && to != nil && to[v] != "" {
			_, err = w.intern(to[v])
		}
		if err != nil {
			return nil, fmt.Errorf("sequences: vertex %d: %w", v, err)
		}
	}
	return &Mapper{m: newMapper(g, w)}, nil
}

// Line maps a line of the format Lines, tokens separated by blanks, some in quotes, into p, of a vertex a layer. The
// error is a LeftOut.
func (x *Mapper) Line(line string, p ddps.Path) (err error) {
	if x.cell, err = tokens.SplitQuoted(x.cell[:0], line, tokens.Space); err != nil {
		return &LeftOut{BadName, err.Error()}
	}
	return x.Walk(x.cell, p)
}

// Walk maps a walk by the names of its places, as Line does.
func (x *Mapper) Walk(list []string, p ddps.Path) error {
	x.list = x.list[:0]
	if len(list) == 0 {
		return &LeftOut{Reason: Empty}
	}
	for k, name := range list {
		t, ok := x.m.w.id[name]
		if !ok {
			if err := ddps.CheckText(name); err != nil {
				return &LeftOut{BadName, fmt.Sprintf("place %d: %v", k+1, err)}
			}
			if t, ok = x.m.w.id[names.Normal(name)]; !ok {
				return &LeftOut{Unknown, fmt.Sprintf("%q, at place %d", name, k+1)}
			}
		}
		x.list = append(x.list, t)
	}
	path, reason, detail := x.m.path(x.list)
	if reason != "" {
		return &LeftOut{reason, detail()}
	}
	copy(p, path)
	return nil
}
