package input

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{"": "", "a": "a", "\ufeffab": "ab", "a\ufeff": "a\ufeff"} {
		if got, err := io.ReadAll(Text(strings.NewReader(in))); string(got) != want || err != nil {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
	for _, in := range []string{"\xff\xfea\x00\xe4\x00", "\xfe\xff\x00a\x00\xe4", "a\x00\xe4\x00", "\x00a\x00\xe4"} {
		r, encoding := Decoded(strings.NewReader(in))
		if got, err := io.ReadAll(r); string(got) != "aä" || encoding != "UTF-16" || err != nil {
			t.Errorf("%q: %q, %s, %v", in, got, encoding, err)
		}
	}
}

// endless is a text without lines.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) { e.read += len(p); return len(p), nil }

func TestLines(t *testing.T) {
	e := &endless{}
	if _, err := io.Copy(io.Discard, Lines(e)); err == nil || !strings.Contains(err.Error(),
		"a line of more than 64 MiB") || e.read > maxLine+1<<20 {
		t.Errorf("%v after %d bytes", err, e.read)
	}
	for what, read := range map[string]func(io.Reader) *bufio.Reader{"XML without a tag": XML,
		"JSON without a quote": JSON} {
		e := &endless{}
		if _, err := io.Copy(io.Discard, read(e)); err == nil || !strings.Contains(err.Error(),
			what+" of more than 64 MiB") || e.read > maxLine+1<<20 {
			t.Errorf("%v after %d bytes", err, e.read)
		}
	}
	text := strings.Repeat(strings.Repeat("a", 1<<22)+"\n", 20)
	if got, err := io.ReadAll(Lines(strings.NewReader(text))); string(got) != text || err != nil {
		t.Error(err)
	}
}

func TestCharset(t *testing.T) {
	for name, ok := range map[string]bool{"US-ASCII": true, "utf-8": true, "UTF-16": true, "ISO-8859-1": false} {
		d := xml.NewDecoder(strings.NewReader(`<?xml version="1.0" encoding="` + name + `"?><a/>`))
		d.CharsetReader = Charset
		if _, err := d.Token(); (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func unpacked(t *testing.T, size int, unit string) error {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for range size / len(unit) {
		io.WriteString(z, unit)
	}
	z.Close()
	r, err := Unpack(&b, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) })
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(io.Discard, r)
	return err
}

func TestUnpack(t *testing.T) {
	if err := unpacked(t, Slack, "a"); err != nil {
		t.Error(err)
	}
	if err := unpacked(t, 2*Slack, strings.Repeat("a", 64)); err == nil || !strings.Contains(err.Error(),
		"unpack to more than") {
		t.Error(err)
	}
	if _, err := Unpack(strings.NewReader("no"), func(r io.Reader) (io.Reader, error) {
		return gzip.NewReader(
			r)
	}); err == nil {
		t.Error("no error")
	}
}
