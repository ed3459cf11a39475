package plaintext

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// Unpacked data may have Slack bytes, and Ratio more for each packed one: the
// compressors of files that people keep reach 30 or so, a bomb's a thousand and more.
const (
	Slack = 16 << 20
	Ratio = 100
)

// Most returns how many bytes so many packed ones may unpack to.
func Most(packed int64) int64 { return Slack + Ratio*packed }

// Unpacked returns a reader of what is packed in r, if it begins as gzip does, and of r itself if not. It looks at r
// when it is first read.
func Unpacked(r io.Reader) io.Reader { return &unpacked{from: r} }

type unpacked struct {
	from, r io.Reader // r is nil before the first read
	err     error
}

func (u *unpacked) Read(p []byte) (int, error) {
	if u.r == nil && u.err == nil {
		u.r, u.err = Gunzip(u.from)
	}
	if u.err != nil {
		return 0, u.err
	}
	return u.r.Read(p)
}

// Packed reports whether a file that begins with head is packed by gzip.
func Packed(head []byte) bool { return bytes.HasPrefix(head, []byte{0x1f, 0x8b}) }

// Gunzip is Unpacked that looks at once. Parquet, which is read at any place, is refused where it is packed.
func Gunzip(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReader(r)
	if head, _ := in.Peek(2); !Packed(head) {
		return in, nil
	}
	z, err := Unpack(in, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) })
	if err != nil {
		return nil, err
	}
	out := bufio.NewReader(z)
	if head, _ := out.Peek(4); string(head) == "PAR1" {
		return nil, errors.New("it is Parquet packed by gzip: unpack it first")
	}
	return out, nil
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
