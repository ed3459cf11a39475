package pipeline

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/ddps-go/ddps/datasets/blocks"
)

// registerWrite registers the functions of Write and what makes lines.
func registerWrite() {
	register.DoFn1x2[string, int, string](&spread{})
	register.DoFn3x1[int, func(*string) bool, func(string), error](&writeFile{})
	register.DoFn3x1[string, int64, func(string), error](&countLine{})
	register.Function2x1(statisticLine)
	register.Function1x1(badLine)
	register.Function1x1(distanceLine)
	register.Iter1[string]()
}

// Write writes lines to n files DIR/NAME-i-of-n in the order of their bytes, each whole or not at all and held in
// memory by the worker that writes it, and returns the files' names.
func Write(s beam.Scope, lines beam.PCollection, dir, name string, n int) beam.PCollection {
	s = s.Scope("write " + name)
	return beam.ParDo(s, &writeFile{dir, name, n}, beam.GroupByKey(s, beam.ParDo(s, &spread{n}, lines)))
}

// spread gives each line a file.
type spread struct{ N int }

// ProcessElement returns the number of the line's file, by its content.
func (f *spread) ProcessElement(line string) (int, string) {
	return int(hash(line) % uint64(f.N)), line
}

// writeFile writes one file.
type writeFile struct {
	Dir, Name string
	N         int
}

// ProcessElement writes the lines of file i.
func (f *writeFile) ProcessElement(i int, next func(*string) bool, emit func(string)) error {
	var lines []string
	for line := ""; next(&line); {
		lines = append(lines, strings.Clone(line))
	}
	slices.Sort(lines)
	if err := os.MkdirAll(f.Dir, 0o755); err != nil {
		return err
	}
	path := filepath.Join(f.Dir, fmt.Sprintf("%s-%05d-of-%05d", f.Name, i+1, f.N))
	temp, err := os.CreateTemp(f.Dir, ".ddps-")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // nothing after the rename
	w := bufio.NewWriterSize(temp, 1<<16)
	for _, line := range lines {
		w.WriteString(line) // an error stays until Flush
		w.WriteByte('\n')
	}
	err = w.Flush()
	if err == nil {
		err = temp.Sync()
	}
	if e := temp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	emit(path)
	return nil
}

// CountLines makes rows of CSV of counts of paths: vertices by name, and the count.
func CountLines(s beam.Scope, counts beam.PCollection, graph string) beam.PCollection {
	return beam.ParDo(s, &countLine{Graph: graph}, counts)
}

// countLine makes a row of a path.
type countLine struct{ Graph string }

// ProcessElement emits the row; a name with a comma, quotes or a line end is put in quotes.
func (f *countLine) ProcessElement(key string, count int64, emit func(string)) error {
	g, err := loadGraph(f.Graph)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, v := range blocks.PathOf(nil, key) {
		name := g.Name(v)
		if strings.ContainsAny(name, ",\"\r\n") || strings.TrimSpace(name) != name {
			name = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
		b.WriteString(name)
		b.WriteByte(',')
	}
	emit(b.String() + strconv.FormatInt(count, 10))
	return nil
}

// StatisticLines makes lines of statistics: letter, vertices, count, separated by commas.
func StatisticLines(s beam.Scope, statistics beam.PCollection) beam.PCollection {
	return beam.ParDo(s, statisticLine, statistics)
}

func statisticLine(key string, count int64) string {
	b := []byte{key[0], ','}
	for _, v := range blocks.PathOf(nil, key[1:]) {
		b = append(strconv.AppendInt(b, int64(v), 10), ',')
	}
	return string(strconv.AppendInt(b, count, 10))
}

// BadLines makes lines of bad rows: file, line and reason, separated by tabs.
func BadLines(s beam.Scope, bad beam.PCollection) beam.PCollection {
	return beam.ParDo(s, badLine, bad)
}

func badLine(b BadRow) string {
	return fmt.Sprintf("%s\t%d\t%s", b.File, b.Line, strings.ReplaceAll(b.Reason, "\n", " "))
}

// DistanceLines makes lines of distances.
func DistanceLines(s beam.Scope, d beam.PCollection) beam.PCollection {
	return beam.ParDo(s, distanceLine, d)
}

func distanceLine(d Distances) string {
	return fmt.Sprintf("l1=%.17g kl=%.17g tv_max=%.17g support=%d data=%d sample=%d unseen=%d", d.L1+d.L1Error,
		d.KL+d.KLError, d.TV, d.Support, d.P, d.Q, d.Unseen)
}

// hash is FNV-1a of 64 bits.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
