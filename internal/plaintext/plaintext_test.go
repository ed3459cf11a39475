package plaintext

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// packed returns a text packed by gzip.
func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestUnpacked: a bomb, a cut file and Parquet are errors, and what is read is looked at no sooner.
func TestUnpacked(t *testing.T) {
	for what, c := range map[string][2]string{
		"bomb":    {packed(t, strings.Repeat("a", 3*Slack)), "unpack to more than"},
		"cut":     {packed(t, "abc")[:12], "unexpected EOF"},
		"head":    {"\x1f\x8b", "EOF"},
		"Parquet": {packed(t, "PAR1abc"), "Parquet packed by gzip"},
	} {
		if _, err := io.Copy(io.Discard, Unpacked(strings.NewReader(c[0]))); err == nil ||
			!strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v", what, err)
		}
	}
	path := filepath.Join(t.TempDir(), "bomb")
	if err := os.WriteFile(path, []byte(packed(t, strings.Repeat("a", 3*Slack))), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a bomb: %v", err)
	}
	Unpacked(never{})
}

// never is a reader that is not to be read.
type never struct{}

func (never) Read([]byte) (int, error) { panic("read too soon") }

// TestReadFile: one text in all encodings and with all ends of lines.
func TestReadFile(t *testing.T) {
	const want = "ä\nb\n"
	for what, data := range map[string]string{
		"UTF-8": want, "mark": "\ufeff" + want, "CRLF": "ä\r\nb\r\n", "CR": "ä\rb\r",
		"little": "\xff\xfe\xe4\x00\n\x00b\x00\n\x00", "big": "\xfe\xff\x00\xe4\x00\r\x00\n\x00b\x00\n",
		"gzip": packed(t, want), "gzip of UTF-16": packed(t, "\xff\xfe\xe4\x00\n\x00b\x00\n\x00"),
		"no mark": "\xe4\x00\n\x00b\x00\n\x00",
	} {
		path := filepath.Join(t.TempDir(), "names.txt")
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", what, got, err)
		}
	}
	if _, err := ReadFile(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("no file, but no error")
	}
}
