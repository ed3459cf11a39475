package reproducecmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/shard"
	"github.com/ddps-go/ddps/ddps/study"
)

// sharding is the shard of a study that a command measures; the zero value is none. The grid points of a table are
// dealt out to the shards one after the other.
type sharding struct {
	part   shard.Part
	tables []func() ([]study.NumberedRow, error) // of the rows measured
	points map[string]func() int                 // by file: how many have been listed so far
	inputs map[string]func(io.Writer) error      // what the rows depend on besides the flags, by the flag that names it
}

// flag adds --shard.
func (s *sharding) flag(cmd *cobra.Command) {
	cli.ShardVar(cmd, &s.part)
	cmd.Flags().Lookup("shard").Usage = "measure the grid points of shard `i/n` alone, and put their rows into the " +
		"directory or bucket -o, for 'ddps merge'; models are trained anew by each worker that needs them"
}

// on reports whether a shard is measured, and nothing drawn or printed.
func (s *sharding) on() bool { return s != nil && s.part.Of > 0 }

// run does what a command does with its directory *out. Of a shard that is a temporary one, and the rows measured are
// put into the store *out, unless they are there.
func (s *sharding) run(a *cli.App, cmd *cobra.Command, out *string, do func() error) error {
	if !s.on() {
		return do()
	}
	job, err := cli.ShardJob(cmd, s.inputs)
	if err != nil {
		return err
	}
	none := func(io.Writer) error { return nil }
	return a.PutShard(cmd.Context(), *out, job, s.part, none, func(w io.Writer) (string, error) {
		dir, err := os.MkdirTemp("", "ddps-shard-")
		if err != nil {
			return "", err
		}
		defer os.RemoveAll(dir)
		*out, s.tables, s.points = dir, nil, map[string]func() int{}
		if err := do(); err != nil {
			return "", err
		}
		n := 0
		for _, rows := range s.tables {
			list, err := rows()
			if err == nil {
				err = study.AppendNumbered(w, list)
			}
			if err != nil {
				return "", err
			}
			n += len(list)
		}
		return fmt.Sprintf("%s rows", cli.Whole(n)), nil
	})
}

// openTable opens a results table, of the shard's grid points alone. A table of an earlier version gets a note.
func openTable[T any](a *cli.App, s *sharding, path string) (*study.Table[T], error) {
	t, err := study.OpenTable[T](path)
	if err == nil && t.Earlier {
		a.Notef("%s: names of an earlier version are read for one release; the next row to be measured writes today's", path)
	}
	if err != nil || !s.on() {
		return t, err
	}
	t.Shard, t.Shards = s.part.From, s.part.Of
	name := filepath.Base(path)
	if before := s.points[name]; before != nil {
		t.First = before()
	}
	s.points[name] = func() int { return t.First + t.Points() }
	s.tables = append(s.tables, t.Numbered)
	return t, nil
}
