// Package input is what the readers of files do first: unpack gzip, take a byte-order mark
// away, decode UTF-16, and bound what packed data unpack to.
package input

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/ddps-go/ddps/internal/plaintext"
)

// Bounds of what packed data unpack to; see package plaintext.
const (
	Slack = plaintext.Slack
	Ratio = plaintext.Ratio
)

// Most is plaintext.Most.
func Most(packed int64) int64 { return plaintext.Most(packed) }

// Unpacked is plaintext.Unpacked.
func Unpacked(r io.Reader) io.Reader { return plaintext.Unpacked(r) }

// Gunzip is plaintext.Gunzip.
func Gunzip(r io.Reader) (*bufio.Reader, error) { return plaintext.Gunzip(r) }

// Unpack is plaintext.Unpack.
func Unpack(packed io.Reader, unpack func(io.Reader) (io.Reader, error)) (io.Reader, error) {
	return plaintext.Unpack(packed, unpack)
}

// Text returns a reader of text in UTF-8 without a byte-order mark: what begins with that of UTF-16 is decoded.
func Text(r io.Reader) *bufio.Reader {
	in, _ := Decoded(r)
	return in
}

// Decoded is plaintext.Decoded.
func Decoded(r io.Reader) (in *bufio.Reader, encoding string) { return plaintext.Decoded(r) }

// maxLine is the most bytes of a line: what has more is hardly a table.
const maxLine = 64 << 20

// XML returns Text of r for an XML decoder. It fails, rather than go on, where more than 64 MiB stand without a >: the
// decoder holds a tag, or the text between two, whole.
func XML(r io.Reader) *bufio.Reader {
	return bufio.NewReader(&lines{r: Text(r), end: '>', what: "text of XML without a tag"})
}

// JSON returns Text of r for a JSON decoder, which may be one long line. It fails where more than 64 MiB stand without
// a quote.
func JSON(r io.Reader) *bufio.Reader {
	return bufio.NewReader(&lines{r: Text(r), end: '"', what: "text of JSON without a quote"})
}

// Lines returns a reader of r that fails, rather than go on, in a line of more than 64 MiB: what reads lines holds one.
func Lines(r io.Reader) *bufio.Reader {
	return bufio.NewReader(&lines{r: r, end: '\n', what: "a line"})
}

type lines struct {
	r    io.Reader
	end  byte   // of a line
	what string // a line is
	long int    // bytes of the line so far
}

func (l *lines) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if at := bytes.LastIndexByte(p[:n], l.end); at >= 0 {
		l.long += bytes.IndexByte(p[:n], l.end)
		if l.long <= maxLine {
			l.long = n - at - 1
		}
	} else {
		l.long += n
	}
	if l.long > maxLine {
		return 0, fmt.Errorf("%s of more than %d MiB", l.what, maxLine>>20)
	}
	return n, err
}

// Charset is what XML decoders are given (xml.Decoder.CharsetReader) for files that declare an encoding other than
// UTF-8: US-ASCII is part of it, UTF-16 is decoded by Text, and others are refused.
func Charset(name string, r io.Reader) (io.Reader, error) {
	switch strings.ToLower(name) {
	case "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be", "utf8":
		return r, nil
	}
	return nil, fmt.Errorf("the encoding is %s: save the file as UTF-8", name)
}
