package plaintext

import (
	"os"
	"path/filepath"
	"testing"
)

// TestReadFile: one text in all encodings and with all ends of lines.
func TestReadFile(t *testing.T) {
	const want = "ä\nb\n"
	for what, data := range map[string]string{
		"UTF-8": want, "mark": "\ufeff" + want, "CRLF": "ä\r\nb\r\n", "CR": "ä\rb\r",
		"little": "\xff\xfe\xe4\x00\n\x00b\x00\n\x00", "big": "\xfe\xff\x00\xe4\x00\r\x00\n\x00b\x00\n",
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
