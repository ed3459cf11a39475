// Package input is what the readers of files do first: take a byte-order mark
// away, refuse text that is not UTF-8, and bound what packed data unpack to.
package input

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Unpacked data may have Slack bytes, and Ratio more for each packed one: the
// compressors of files that people keep reach 30 or so, a bomb's a thousand and more.
const (
	Slack = 16 << 20
	Ratio = 100
)

// Most returns how many bytes so many packed ones may unpack to.
func Most(packed int64) int64 { return Slack + Ratio*packed }

// Text returns a reader of text without the byte-order mark of UTF-8. That of
// UTF-16 is an error of the first read.
func Text(r io.Reader) *bufio.Reader {
	in := bufio.NewReader(r)
	head, _ := in.Peek(3)
	switch {
	case bytes.Equal(head, []byte("\ufeff")):
		in.Discard(3)
	case IsUTF16(head):
		return bufio.NewReader(failing{ErrUTF16})
	}
	return in
}

// ErrUTF16 says what to do about UTF-16.
var ErrUTF16 = errors.New("the text is in UTF-16: save it as UTF-8")

// IsUTF16 tells whether head begins with a byte-order mark of UTF-16.
func IsUTF16(head []byte) bool {
	return bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff})
}

// failing is a reader that has nothing but an error.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Charset is what XML decoders are given (xml.Decoder.CharsetReader) for files
// that declare an encoding other than UTF-8: US-ASCII is part of it, and others
// are refused.
func Charset(name string, r io.Reader) (io.Reader, error) {
	if strings.EqualFold(name, "us-ascii") || strings.EqualFold(name, "ascii") {
		return r, nil
	}
	return nil, fmt.Errorf("the encoding is %s: save the file as UTF-8", name)
}

// counter counts the bytes that are read through it.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// Unpack returns a reader of what unpack makes of packed data. It fails, rather
// than ends, once that is more than Most of what was read of them.
func Unpack(packed io.Reader, unpack func(io.Reader) (io.Reader, error)) (io.Reader, error) {
	c := &counter{r: packed}
	r, err := unpack(c)
	if err != nil {
		return nil, err
	}
	return &bounded{packed: c, r: r}, nil
}

// bounded is a reader of unpacked data.
type bounded struct {
	packed *counter
	r      io.Reader
	n      int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.n += int64(n); b.n > Most(b.packed.n) {
		return 0, TooMuch(b.packed.n)
	}
	return n, err
}

// TooMuch is the error of so many packed bytes that unpack to more than Most.
func TooMuch(packed int64) error {
	return fmt.Errorf("%d packed bytes unpack to more than %d: unpack them first if that is right", packed, Most(packed))
}
