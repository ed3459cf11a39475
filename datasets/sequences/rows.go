package sequences

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/datasets/internal/tokens"
)

// row takes a walk by its cells, the last of which is a count where f.counted.
func (f *file) row(cells []string, line int) {
	n := 1
	if f.counted {
		last := len(cells) - 1
		for last > 0 && strings.TrimSpace(cells[last]) == "" {
			last--
		}
		var err error
		if n, err = count(cells[last]); err != nil {
			f.Report.row(BadCount, f.name, line, err)
			return
		}
		cells = cells[:last]
	}
	f.walk(cells, n, line)
}

// walk takes a walk by the names of its places.
func (f *file) walk(cells []string, n, line int) {
	for len(cells) > 0 && f.none(cells[len(cells)-1]) {
		cells = cells[:len(cells)-1]
	}
	if len(cells) == 0 {
		f.Report.row(Empty, f.name, line, nil)
		return
	}
	f.cells = f.cells[:0]
	for k, c := range cells {
		if f.none(c) {
			f.Report.row(Gap, f.name, line, fmt.Errorf("place %d of %d", k+1, len(cells)))
			return
		}
		t, err := f.intern(c)
		if err != nil {
			f.Report.row(BadName, f.name, line, fmt.Errorf("place %d: %w", k+1, err))
			return
		}
		f.cells = append(f.cells, t)
	}
	f.take(n, line)
}

// take adds the walk in f.cells.
func (f *file) take(n, line int) {
	if n > math.MaxInt-f.total {
		f.Report.row(BadCount, f.name, line, errors.New("the counts sum to more than fits an integer"))
		return
	}
	f.add(f.cells, n, line)
}

// none reports whether a cell is no place.
func (f *file) none(cell string) bool {
	return cell == "" || len(f.missing) > 0 && f.missing[strings.TrimSpace(cell)] || strings.TrimSpace(cell) == ""
}

// count reads how often a walk stands: a whole number of at least 1, which may have a fraction of 0.
func count(text string) (int, error) {
	whole := strings.TrimSpace(text)
	if bare := strings.TrimRight(whole, "0"); strings.HasSuffix(bare, ".") {
		whole = strings.TrimSuffix(bare, ".")
	}
	n, err := strconv.Atoi(whole)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("count %q", text)
	}
	return n, nil
}

// eachLine calls do for each line of a text that is not blank, without its end.
func (f *file) eachLine(r io.Reader, do func(text string, line int) error) error {
	in := bufio.NewReaderSize(input.Lines(r), 1<<16)
	for line := 1; ; line++ {
		text, err := in.ReadString('\n')
		if err != nil && err != io.EOF {
			return f.at(line, err)
		}
		if !utf8.ValidString(text) {
			return f.at(line, errors.New("it is not UTF-8: is the file in Latin-1 or Windows-1252? save it as UTF-8"))
		}
		if strings.TrimSpace(text) != "" {
			if err := do(strings.TrimRight(text, "\r\n"), line); err != nil {
				return f.at(line, err)
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// lines reads a walk a line.
func (f *file) lines(r io.Reader, d decision) error {
	f.counted = d.format == NGram
	var cells []string
	head, named := d.comments, d.header
	quotes := f.o.Sep == "" && d.sep != tokens.Letters
	return f.eachLine(r, func(text string, line int) (err error) {
		if head = head && strings.HasPrefix(text, "#"); head {
			f.Report.row(Comment, f.name, line, nil)
			return nil
		}
		if named {
			named = false
			return nil
		}
		if !quotes {
			cells = tokens.Split(cells[:0], text, d.sep)
		} else if cells, err = tokens.SplitQuoted(cells[:0], text, d.sep); err != nil {
			return undecided("%w; say --sep '%s' if quotes are parts of names", err, d.sep)
		}
		f.row(cells, line)
		return nil
	})
}
