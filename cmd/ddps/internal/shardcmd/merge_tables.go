package shardcmd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/shard"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/internal/atomicfile"
)

// rowsOf returns the rows of a set's shards: by table, in the order of the grid points, each once.
func rowsOf(ctx context.Context, s *shard.Store, set *shard.Set) ([]study.NumberedRow, error) {
	var rows []study.NumberedRow
	err := each(ctx, s, set, func(r io.Reader) error {
		more, err := study.ReadNumbered(r)
		rows = append(rows, more...)
		return err
	})
	order := func(a, b study.NumberedRow) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Number, b.Number))
	}
	slices.SortStableFunc(rows, order)
	return slices.CompactFunc(rows, func(a, b study.NumberedRow) bool { return order(a, b) == 0 }), err
}

// writeTables writes the tables of a study into a directory.
func writeTables(a *cli.App, ctx context.Context, s *shard.Store, set *shard.Set, o *mergeOptions) (string, error) {
	if o.out == "" || o.out == "-" {
		return "", cli.Usagef("-o is missing: the directory of the tables")
	}
	rows, err := rowsOf(ctx, s, set)
	if err != nil {
		return "", err
	}
	if err := atomicfile.MakeDir(o.out); err != nil {
		return "", err
	}
	var tables [][]study.NumberedRow
	for i, r := range rows {
		if i == 0 || rows[i-1].Table != r.Table {
			file := filepath.Join(o.out, r.Table)
			if _, err := os.Stat(file); err == nil {
				return "", fmt.Errorf("%s is there already: choose another directory", file)
			}
			tables = append(tables, nil)
		}
		last := &tables[len(tables)-1]
		*last = append(*last, r)
	}
	for _, t := range tables {
		if err := study.WriteNumbered(filepath.Join(o.out, t[0].Table), t); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%s rows; 'ddps %s -o %s' and the same flags draw them", cli.Whole(len(rows)), set.Job.Command,
		o.out), nil
}

// joinTables writes the rows of a set as one payload.
func joinTables(ctx context.Context, s *shard.Store, set *shard.Set, w io.Writer) error {
	rows, err := rowsOf(ctx, s, set)
	if err != nil {
		return err
	}
	return study.AppendNumbered(w, rows)
}
