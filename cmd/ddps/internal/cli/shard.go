package cli

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/shard"
)

// ShardVar adds the flag --shard i/n.
func ShardVar(cmd *cobra.Command, p *shard.Part) {
	cmd.Flags().Var(shardFlag{p}, "shard", "do shard `i/n` of the work alone, and put it into the directory or bucket "+
		"-o, for 'ddps merge'")
}

type shardFlag struct{ p *shard.Part }

func (f shardFlag) Type() string { return "i/n" }
func (f shardFlag) String() string {
	if f.p == nil || f.p.Of == 0 {
		return ""
	}
	return f.p.String()
}
func (f shardFlag) Set(text string) (err error) {
	*f.p, err = shard.Parse(text)
	return err
}

// neutral are flags that do not change what a shard holds.
var neutral = []string{"shard", "output", "format", "vertices", "threads", "quiet", "help"}

// ShardJob returns the job of a command: its flags but for those that are neutral or whose content is an input, and
// inputs by what writes their content.
func ShardJob(cmd *cobra.Command, inputs map[string]func(io.Writer) error) (shard.Job, error) {
	j := shard.Job{Program: ProgramVersion(), Command: strings.TrimPrefix(cmd.CommandPath(), "ddps "),
		Settings: map[string]string{},
		Inputs:   map[string]string{}}
	for name, write := range inputs {
		sum, err := shard.Hash(write)
		if err != nil {
			return j, err
		}
		j.Inputs[name] = sum
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, input := j.Inputs[f.Name]; !input && !slices.Contains(neutral, f.Name) {
			j.Settings[f.Name] = f.Value.String()
		}
	})
	return j, nil
}

// ProgramVersion says what program makes a shard: Built, and of one that is no release or changed revision the checksum
// of the program's file.
func ProgramVersion() string {
	v := Versions()
	if v.Revision != "" && !strings.HasSuffix(v.Revision, "+dirty") || v.Revision == "" && strings.HasPrefix(v.DDPS, "v") {
		return v.Built()
	}
	sum, err := shard.Hash(func(w io.Writer) error {
		file, err := os.Executable()
		if err != nil {
			return err
		}
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	})
	if err != nil {
		return v.Built()
	}
	return v.Built() + ", " + sum[:12]
}

// Floats writes numbers, for ShardJob.
func Floats(x []float64) func(io.Writer) error {
	return func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, x) }
}

// FileContent writes a file's content, for ShardJob; nothing if path is "".
func FileContent(path string) func(io.Writer) error {
	return func(w io.Writer) error {
		if path == "" {
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	}
}

// PutPaths puts shard p of a job, paths of g, into the store at place, unless it is there.
func (a *App) PutPaths(ctx context.Context, place string, j shard.Job, p shard.Part, g *ddps.LayeredGraph,
	draw func(add func(ddps.Path, int) error) error) error {
	head := func(w io.Writer) error { _, err := g.WriteTo(w); return err }
	return a.PutShard(ctx, place, j, p, head, func(w io.Writer) (string, error) {
		out, n := shard.NewPathWriter(w), 0
		if err := draw(func(p ddps.Path, count int) error { n++; return out.Write(p, count) }); err != nil {
			return "", err
		}
		return Whole(n) + " paths", out.Flush()
	})
}

// PutShard puts shard p of a job into the store at place, unless it is there: what write writes, which also says how
// much that is. head writes what merging needs.
func (a *App) PutShard(ctx context.Context, place string, j shard.Job, p shard.Part, head func(io.Writer) error,
	write func(io.Writer) (much string, err error)) error {
	if place == "" || place == "-" {
		return Usagef("--shard: -o is missing: a directory, or a bucket's URL like s3://bucket")
	}
	s, err := shard.Open(ctx, place)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.PutHead(ctx, j, head); err != nil {
		return err
	}
	much := ""
	there, err := s.Put(ctx, j, p, func(w io.Writer) (err error) { much, err = write(w); return err })
	if err != nil {
		return err
	}
	if there {
		a.Notef("shard %v of job %s is in %s already", p, j.Key(), place)
		return nil
	}
	a.Notef("shard %v of job %s: %s in %s", p, j.Key(), much, place)
	return nil
}

// ShardExcludes refuses flags that do not go with --shard.
func ShardExcludes(cmd *cobra.Command, p shard.Part, flags ...string) error {
	for _, f := range flags {
		if p.Of > 0 && cmd.Flags().Changed(f) {
			return Usagef("--shard does not go with --%s: %s", f, fmt.Sprintf("'ddps %s' writes it of all the paths at once",
				cmd.Name()))
		}
	}
	return nil
}
