// Package plaintext reads text that people write: in UTF-8 or UTF-16, with any ends of lines.
package plaintext

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/ddps-go/ddps/internal/ram"
)

// Decoded returns a reader of text in UTF-8 without a byte-order mark, and which other encoding it is decoded from:
// "UTF-16", by its byte-order mark or by the zero bytes of its first two characters; "" for UTF-8.
func Decoded(r io.Reader) (in *bufio.Reader, encoding string) {
	in = bufio.NewReader(r)
	head, _ := in.Peek(4)
	little := bytes.HasPrefix(head, []byte{0xff, 0xfe}) || len(head) == 4 && head[0] != 0 && head[1] == 0 &&
		head[2] != 0 && head[3] == 0
	big := bytes.HasPrefix(head, []byte{0xfe, 0xff}) || len(head) == 4 && head[0] == 0 && head[1] != 0 && head[2] == 0 &&
		head[3] != 0
	order := unicode.BigEndian
	switch {
	case bytes.HasPrefix(head, []byte("\ufeff")):
		in.Discard(3)
		return in, ""
	case little:
		order = unicode.LittleEndian
	case !big:
		return in, ""
	}
	return bufio.NewReader(transform.NewReader(in, unicode.UTF16(order, unicode.UseBOM).NewDecoder())), "UTF-16"
}

// ReadFile reads a file of at most ram.MaxText bytes, packed by gzip or not, as text in UTF-8 with lines that end in
// LF. The error names it.
func ReadFile(path string) ([]byte, error) { return ReadUpTo(path, ram.MaxText) }

// ReadUpTo is ReadFile of so many bytes, packed and unpacked.
func ReadUpTo(path string, most int64) ([]byte, error) {
	data, err := ram.ReadFile(path, most)
	if err != nil {
		return nil, err
	}
	in, _ := Decoded(Unpacked(bytes.NewReader(data)))
	if data, err = io.ReadAll(io.LimitReader(in, most+1)); err == nil && int64(len(data)) > most {
		err = fmt.Errorf("unpacked it has more than %d MiB", most>>20)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(data, []byte("\r"), []byte("\n")), nil
}
