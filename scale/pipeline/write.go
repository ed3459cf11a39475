package pipeline

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/ddps-go/ddps/datasets/blocks"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
)

// registerWrite registers the functions of Write and what makes lines.
func registerWrite() {
	register.DoFn1x2[string, int, string](&spread{})
	register.DoFn3x1[int, func(*string) bool, func(string), error](&writeFile{})
	register.DoFn3x1[int, func(*[]byte) bool, func(string), error](&writePart{})
	register.DoFn3x0[int, func(*string) bool, func(string)](&each{})
	register.Function2x1(statisticLine)
	register.Function1x1(badLine)
	register.Iter1[string]()
}

// Write writes lines to n files DIR/NAME-i-of-n in the order of their bytes, each whole or not at all and held in
// memory by the worker that writes it, and returns the files' names.
func Write(s beam.Scope, lines beam.PCollection, dir, name string, n int) beam.PCollection {
	s = s.Scope("write " + name)
	return settled(s, beam.ParDo(s, &writeFile{dir, name, n}, beam.GroupByKey(s, beam.ParDo(s, &spread{n}, lines))))
}

// settled returns the names of what was written through one more stage: while a stage without an output works, Prism
// 2.77 waits for it in a busy loop, which takes a CPU.
func settled(s beam.Scope, names beam.PCollection) beam.PCollection {
	return beam.ParDo(s, &each{}, beam.GroupByKey(s, beam.AddFixedKey(s, names)))
}

// each returns values without their key.
type each struct{}

// ProcessElement emits the values.
func (f *each) ProcessElement(_ int, next func(*string) bool, emit func(string)) {
	for name := ""; next(&name); {
		emit(name)
	}
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
	path := filepath.Join(f.Dir, partName(f.Name, i, f.N))
	err := pathfile.WriteWhole(path, func(to io.Writer) error {
		w := bufio.NewWriterSize(to, 1<<16)
		for _, line := range lines {
			w.WriteString(line) // an error stays until Flush
			w.WriteByte('\n')
		}
		return w.Flush()
	})
	if err != nil {
		return err
	}
	emit(path)
	return nil
}

// partName is the name of file i, from 0, of n: the number stands before the ending.
func partName(name string, i, n int) string {
	end := filepath.Ext(name)
	return fmt.Sprintf("%s-%05d-of-%05d%s", strings.TrimSuffix(name, end), i+1, n, end)
}

// WriteTable writes a table to a file a part, DIR/NAME-i-of-n.FORMAT, each whole or not at all, in the order of its
// paths, and returns the files' names. format is one of pathfile.Formats, by whose reader 'ddps' reads the files.
func WriteTable(s beam.Scope, table beam.PCollection, graph, dir, name, format string, parts int) beam.PCollection {
	s = s.Scope("write " + name)
	return settled(s, beam.ParDo(s, &writePart{graph, dir, name, format, parts}, beam.GroupByKey(s, table)))
}

// writePart writes the file of a part.
type writePart struct {
	Graph, Dir, Name, Format string
	Parts                    int
}

// ProcessElement writes a part.
func (f *writePart) ProcessElement(part int, next func(*[]byte) bool, emit func(string)) error {
	g, err := loadGraph(f.Graph)
	if err != nil {
		return err
	}
	sums, err := sum(next)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(f.Dir, 0o755); err != nil {
		return err
	}
	path := filepath.Join(f.Dir, partName(f.Name+"."+f.Format, part, f.Parts))
	err = pathfile.WriteWhole(path, func(w io.Writer) error {
		out, err := pathfile.NewWriter(w, g, f.Format, pathfile.ByName)
		if err != nil {
			return err
		}
		var p ddps.Path
		for _, key := range slices.Sorted(maps.Keys(sums)) {
			p = blocks.PathOf(p[:0], key)
			if err := out.Write(p, int(sums[key])); err != nil {
				return err
			}
		}
		return out.Close()
	})
	if err != nil {
		return err
	}
	emit(path)
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

// hash is FNV-1a of 64 bits.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
