package sequences

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ddps-go/ddps/datasets/internal/tokens"
	"github.com/ddps-go/ddps/datasets/internal/xes"
)

// WriteOptions says how walks are written.
type WriteOptions struct {
	Format Format // any but Auto
	// Sep separates the tokens of Lines and NGram: as in ReadOptions; "" is a blank for Lines and a comma for NGram, with
	// quotes around names that need them.
	Sep string
}

// Write writes walks so that Read, with the same format and separator and with no usual missing cells
// (ReadOptions.Missing empty and not nil), reads the same walks. Lines, Events and XES have no counts: a walk that
// stands n times is written n times. Events are of cases 1, 2, … with the position, from 1, as the time; those of XES
// have none. The error is of a name that the format cannot hold.
func Write(out io.Writer, w *Walks, o WriteOptions) error {
	buffer := bufio.NewWriter(out)
	err := write(buffer, w, o)
	if err == nil {
		err = buffer.Flush()
	}
	if err != nil {
		return fmt.Errorf("sequences: %s: %w", o.Format, err)
	}
	return nil
}

func write(out *bufio.Writer, w *Walks, o WriteOptions) error {
	if w.Len() == 0 {
		return fmt.Errorf("no walk")
	}
	sep := tokens.Separator(o.Sep)
	switch o.Format {
	case Lines:
		return writeLines(out, w, sep, tokens.Space, false)
	case NGram:
		return writeLines(out, w, sep, ",", true)
	case Wide:
		return writeWide(out, w)
	case Events:
		return writeEvents(out, w)
	case JSONL:
		return writeJSONL(out, w)
	case Parquet:
		return writeParquet(out, w)
	case FASTA:
		return writeFASTA(out, w)
	case XES:
		return xes.Write(out, w.each)
	}
	return fmt.Errorf("walks are not written so: the formats are %q", Formats()[1:])
}

// eachRow calls do for each row, with its names.
func eachRow(w *Walks, do func(i int, names []string) error) error {
	var names []string
	for i := range w.Len() {
		names = names[:0]
		for _, t := range w.At(i) {
			names = append(names, w.Tokens[t])
		}
		if err := do(i, names); err != nil {
			return err
		}
	}
	return nil
}

// each yields the names of each walk, as often as it stands.
func (w *Walks) each(yield func(names []string) bool) {
	for i := range w.Len() {
		names := w.Names(i)
		for range w.Count(i) {
			if !yield(names) {
				return
			}
		}
	}
}

// writeLines writes a walk a line; without a separator by the usual one, with quotes around the names that need them.
func writeLines(out *bufio.Writer, w *Walks, sep, usual string, counted bool) error {
	between := map[string]string{tokens.Space: " ", tokens.Letters: ""}[cmp.Or(sep, usual)]
	if between == "" && sep != tokens.Letters {
		between = cmp.Or(sep, usual)
	}
	written, alone := map[string]string{}, usual == tokens.Space && longest(w) == 1 // no blank says what separates
	for _, name := range w.Tokens {
		var err error
		if written[name], err = name, nil; sep == "" {
			written[name], err = tokens.Quote(name, alone)
		} else if cells := tokens.Split(nil, name, sep); len(cells) != 1 || cells[0] != name ||
			strings.ContainsAny(name, "\n\r\"") || name[0] == '#' {
			err = fmt.Errorf("%q cannot stand in a line, separated by %q", name, between)
		}
		if err != nil {
			return err
		}
	}
	return eachRow(w, func(i int, names []string) error {
		for k, name := range names {
			names[k] = written[name]
		}
		line, n := strings.Join(names, between), w.Count(i)
		if counted {
			line, n = line+between+strconv.Itoa(n), 1
		}
		for range n {
			out.WriteString(line)
			if err := out.WriteByte('\n'); err != nil {
				return err
			}
		}
		return nil
	})
}

// longest returns the length of the longest walk.
func longest(w *Walks) (n int) {
	for i := range w.Len() {
		n = max(n, len(w.At(i)))
	}
	return n
}

// plain returns an error for names that a table or a JSON text cannot hold as they are.
func plain(w *Walks) error {
	for _, name := range w.Tokens {
		if strings.ContainsAny(name, "\r\n") {
			return fmt.Errorf("%q has more than one line", name)
		}
	}
	return nil
}

// wideNames returns v1, …, vn, two at least, and count.
func wideNames(w *Walks) (list []string) {
	for k := range max(2, longest(w)) {
		list = append(list, "v"+strconv.Itoa(k+1))
	}
	return append(list, "count")
}

// writeWide writes a row a walk.
func writeWide(out io.Writer, w *Walks) error {
	if err := plain(w); err != nil {
		return err
	}
	c, row := csv.NewWriter(out), wideNames(w)
	if err := c.Write(row); err != nil {
		return err
	}
	err := eachRow(w, func(i int, names []string) error {
		clear(row)
		copy(row, names)
		row[len(row)-1] = strconv.Itoa(w.Count(i))
		return c.Write(row)
	})
	c.Flush()
	return cmp.Or(err, c.Error())
}

// writeEvents writes a row an event.
func writeEvents(out io.Writer, w *Walks) error {
	if err := plain(w); err != nil {
		return err
	}
	c, number := csv.NewWriter(out), 0
	if err := c.Write([]string{"case", "time", "place"}); err != nil {
		return err
	}
	err := eachRow(w, func(i int, names []string) error {
		for range w.Count(i) {
			number++
			for k, name := range names {
				if err := c.Write([]string{strconv.Itoa(number), strconv.Itoa(k + 1), name}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	c.Flush()
	return cmp.Or(err, c.Error())
}

// writeJSONL writes an object a walk.
func writeJSONL(out io.Writer, w *Walks) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return eachRow(w, func(i int, names []string) error {
		return e.Encode(struct {
			Path  []string `json:"path"`
			Count int      `json:"count"`
		}{names, w.Count(i)})
	})
}

// writeFASTA writes a record a walk.
func writeFASTA(out *bufio.Writer, w *Walks) error {
	for _, name := range w.Tokens {
		r, _ := utf8.DecodeRuneInString(name)
		if len(tokens.Split(nil, name, tokens.Letters)) != 1 || strings.Map(unicode.ToUpper, name) != name ||
			slices.Contains([]rune(">;"), r) {
			return fmt.Errorf("%q is no letter in upper case", name)
		}
	}
	return eachRow(w, func(i int, names []string) error {
		_, err := fmt.Fprintf(out, ">%d;size=%d\n%s\n", i+1, w.Count(i), strings.Join(names, ""))
		return err
	})
}
