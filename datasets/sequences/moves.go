package sequences

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/table"
)

// moveColumns are the columns of a list of moves.
var moveColumns = []table.Column{
	{Name: "from", Must: true, Also: []string{"source", "origin", "tail", "u", "src", "from_node", "from_id"}},
	{Name: "to", Must: true, Also: []string{"target", "destination", "head", "v", "dst", "to_node", "to_id"}},
}

// ReadMoves reads moves for Given: a row each, from and to by name, separated by commas, semicolons, tabs or blanks,
// with a header or without; a place may follow itself. Lines that begin with # are comments. Notes say what is not
// used.
//
// Errors name the line: a row without two names, broken quotes, a file without a move.
func ReadMoves(name string, r io.Reader) (moves [][2]string, notes []string, err error) {
	at := func(line int, err error) error {
		if line == 0 {
			return fmt.Errorf("sequences: %s: %w", name, err)
		}
		return fmt.Errorf("sequences: %s:%d: %w", name, line, err)
	}
	t := table.Open(r, table.Options{Separators: "\t;, ", Comment: '#', At: at})
	notes = t.Notes
	cols := []int{0, 1}
	for first := true; ; first = false {
		row, line, err := t.Read()
		if err == io.EOF {
			if len(moves) == 0 {
				return nil, nil, at(0, errors.New("no move in the file"))
			}
			return moves, notes, nil
		}
		if err != nil {
			return nil, nil, err
		}
		if first {
			if m, err := table.Header(row, moveColumns); err == nil && m.Missing(moveColumns) == nil {
				cols = m.At
				if unused := m.NotUsed(); unused != "" {
					notes = append(notes, unused)
				}
				continue
			}
			if len(row) > 2 {
				notes = append(notes, "the first two columns are from and to; the others are not used")
			}
		}
		if len(row) <= slices.Max(cols) || strings.TrimSpace(row[cols[0]]) == "" ||
			strings.TrimSpace(row[cols[1]]) == "" {
			return nil, nil, at(line, errors.New("expected two names, from and to"))
		}
		moves = append(moves, [2]string{strings.Clone(row[cols[0]]), strings.Clone(row[cols[1]])})
	}
}
