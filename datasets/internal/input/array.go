package input

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
)

// IsArray reports whether a file that begins with head is one JSON array of arrays or objects: the second bracket opens
// another value.
func IsArray(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if len(head) == 0 || head[0] != '[' {
		return false
	}
	head = bytes.TrimLeft(head[1:], " \t\r\n")
	return len(head) > 0 && (head[0] == '[' || head[0] == '{')
}

// bracketed is a name in brackets, with more after it: [CLS] A, {A},B.
var bracketed = regexp.MustCompile(`^(\[[\pL\pN_. -]+\]|\{[\pL\pN_. -]+\})[ \t,;]+[^ \t,;\r\n]`)

// LikeJSON reports whether a text, without space before it, begins as JSON does, right or wrong; [CLS] A and {A} B
// are lines of names.
func LikeJSON(text string) bool {
	if text == "" || text[0] != '[' && text[0] != '{' {
		return false
	}
	name := bracketed.FindStringSubmatch(text)
	return name == nil || json.Valid([]byte(name[1]))
}

// Elements calls do for each element of a JSON array, as it is written, with the line where it ends. It returns the
// line of an error, of the text or of do.
func Elements(r io.Reader, do func(text string, line int) error) (line int, err error) {
	in := &lineCounter{Reader: r}
	d := json.NewDecoder(in)
	if _, err := d.Token(); err != nil {
		return 1, err
	}
	for d.More() {
		var element json.RawMessage
		err := d.Decode(&element)
		if line = in.line(d.InputOffset()); errors.Is(err, io.ErrUnexpectedEOF) {
			line = len(in.ends) + 1
		}
		if err == nil {
			err = do(string(element), line)
		}
		if err != nil {
			return line, err
		}
	}
	_, err = d.Token()
	if err == nil {
		if _, err = d.Token(); err == nil {
			err = errors.New("more than one JSON value in the file")
		}
	}
	if err == io.EOF {
		err = nil
	}
	return in.line(d.InputOffset()), err
}

// maxArray is the most bytes of a JSON array.
const maxArray = 1 << 28

// lineCounter notes where lines end in what is read.
type lineCounter struct {
	io.Reader
	at   int64
	ends []int64
}

func (c *lineCounter) Read(p []byte) (int, error) {
	if c.at > maxArray {
		return 0, fmt.Errorf("the JSON array has more than %d MiB: write JSON Lines", maxArray>>20)
	}
	n, err := c.Reader.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			c.ends = append(c.ends, c.at+int64(i))
		}
	}
	c.at += int64(n)
	return n, err
}

// line returns the line, from 1, of a byte.
func (c *lineCounter) line(at int64) int {
	n, _ := slices.BinarySearch(c.ends, at)
	return n + 1
}
