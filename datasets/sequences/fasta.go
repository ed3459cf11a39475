package sequences

import (
	"errors"
	"io"
	"strings"
	"unicode"

	"github.com/ddps-go/ddps/datasets/internal/tokens"
)

// fasta reads a record a walk: a line of > and a header, then letters over any number of lines. Letters are taken in
// upper case; a header's first word may say by ;size=N how often the walk stands; lines that begin with ; are
// comments.
func (f *file) fasta(r io.Reader) error {
	begin, n, lower := 0, 1, 0
	var letters []string
	var wrong error
	end := func() {
		switch {
		case begin == 0:
		case wrong != nil:
			f.Report.row(BadCount, f.name, begin, wrong)
		default:
			f.walk(letters, n, begin)
		}
		letters = letters[:0]
	}
	err := f.eachLine(r, func(text string, line int) error {
		switch {
		case strings.HasPrefix(text, ";"):
			return nil
		case strings.HasPrefix(text, ">"):
			end()
			begin = line
			n, wrong = size(text[1:])
			return nil
		case begin == 0:
			return errors.New("letters before the first record, a line that begins with >")
		}
		upper := strings.Map(unicode.ToUpper, text)
		if upper != text {
			lower++
		}
		letters = tokens.Split(letters, upper, tokens.Letters)
		return nil
	})
	if err != nil {
		return err
	}
	end()
	if lower > 0 {
		f.says("letters in lower case, on %s, are taken in upper case", plural(lower, "line", "lines"))
	}
	return nil
}

// size is how often a record stands.
func size(header string) (int, error) {
	words := strings.Fields(header)
	if len(words) == 0 {
		return 1, nil
	}
	for _, part := range strings.Split(words[0], ";") {
		if n, ok := strings.CutPrefix(part, "size="); ok {
			return count(n)
		}
	}
	return 1, nil
}
