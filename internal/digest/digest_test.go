package digest

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// The sum of "abc" is the example of FIPS 180-4.
func TestReplaceCheck(t *testing.T) {
	dir := t.TempDir()
	list, s := filepath.Join(dir, "SUMS"), Sums{}
	for _, content := range []string{"first", "abc", "abc"} {
		if err := s.Replace(dir, "a", "SUMS", text(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Replace(dir, "b", "SUMS", text("")); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(list)
	want := "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n" +
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n"
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
	if s, err = Read(list); err != nil || errors.Join(s.Check(dir, "a"), s.Check(dir, "b")) != nil {
		t.Fatal(err, s)
	}
	broken := errors.New("broken")
	if err := s.Replace(dir, "a", "SUMS", func(io.Writer) error { return broken }); !errors.Is(err, broken) ||
		s.Check(dir, "a") != nil {
		t.Error(err)
	}
	if err := s.Check(dir, "none"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	for _, content := range []string{"ab", "abd", ""} {
		if err := os.WriteFile(filepath.Join(dir, "a"), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := s.Check(dir, "a"); !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), filepath.Join(dir, "a")) {
			t.Errorf("%q: %v", content, err)
		}
	}
}

// Each change of one byte of a list of sums, and each cut, is an error or makes another sum of a or lists another file.
func TestReadDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "SUMS")
	if err := (Sums{"a": {strings.Repeat("0a", 32)}}).Write(path); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	try := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if s, err := Read(path); err == nil && len(s["a"]) > 0 && s["a"][0] == strings.Repeat("0a", 32) {
			t.Errorf("%q reads as %v", data, s)
		}
	}
	for k := range good {
		try(good[:k])
		for _, bit := range []byte{1, 2, 32} {
			bad := append([]byte(nil), good...)
			bad[k] ^= bit
			try(bad)
		}
	}
}
