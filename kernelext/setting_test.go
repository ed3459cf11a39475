package kernelext

import (
	"os"
	"path/filepath"
	"testing"
)

func TestParseSetting(t *testing.T) {
	for line, want := range map[string]string{
		"%env A=b":           `%env A "b"`,
		"  %env A b c ":      `%env A "b c"`,
		`%env A="b c"`:       `%env A "b c"`,
		`%env A = say "hi"`:  `%env A "say \"hi\""`,
		"%env A=":            `%env A ""`,
		"%env A=b=c":         `%env A "b=c"`,
		`%env A=C:\d`:        `%env A "C:\\d"`,
		"%cd /a b":           `%cd "/a b"`,
		`%cd "/a b"`:         `%cd "/a b"`,
		"%env A":             "",
		"%env":               "",
		"%env =b":            "",
		"%cd":                "",
		"%cdx /a":            "",
		"x %env A=b":         "",
		"%environment A=b c": "",
	} {
		s, ok := ParseSetting(line)
		if got := s.String(); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %v, want %q", line, got, ok, want)
		}
	}
}

func TestSettingApply(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("HOME", dir)
	t.Setenv("DDPS_SETTING", "old")
	if err := os.Mkdir("sub", 0o755); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{"%cd sub": filepath.Join(dir, "sub"), "%cd ~": dir,
		"%cd ~/sub": filepath.Join(dir, "sub")} {
		t.Chdir(dir)
		s, _ := ParseSetting(line)
		if err := s.Apply(); err != nil || s.Value != want {
			t.Errorf("%s: %q, %v", line, s.Value, err)
		}
		if now, _ := os.Getwd(); now != want {
			t.Errorf("%s: in %s", line, now)
		}
	}
	s, _ := ParseSetting("%cd nowhere")
	if err := s.Apply(); err == nil {
		t.Error("a directory that is not there")
	}
	s, _ = ParseSetting("%env DDPS_SETTING=new one")
	if err := s.Apply(); err != nil || os.Getenv("DDPS_SETTING") != "new one" {
		t.Error(os.Getenv("DDPS_SETTING"), err)
	}
}
