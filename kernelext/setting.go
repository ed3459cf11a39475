package kernelext

import (
	"os"
	"path/filepath"
	"strings"
)

// Setting is a line of a cell that sets something of the process: %env NAME=VALUE, %env NAME VALUE, or %cd DIRECTORY.
type Setting struct {
	Name  string // of a variable of the environment, "" for the working directory
	Value string
}

// ParseSetting returns the setting that a line is, ok false if it is none. Quotes around a value are no part of it.
func ParseSetting(line string) (s Setting, ok bool) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "%cd":
		s.Value = unquoted(rest)
		return s, s.Value != ""
	case "%env":
		at := strings.IndexAny(rest, "= \t")
		if at <= 0 {
			return s, false
		}
		value := strings.TrimSpace(rest[at:])
		s.Name, s.Value = rest[:at], unquoted(strings.TrimSpace(strings.TrimPrefix(value, "=")))
		return s, true
	}
	return s, false
}

func unquoted(value string) string {
	if n := len(value); n >= 2 && value[0] == '"' && value[n-1] == '"' {
		return value[1 : n-1]
	}
	return value
}

// Apply sets it in this process. The directory may begin with ~; it is absolute afterwards.
func (s *Setting) Apply() error {
	if s.Name != "" {
		return os.Setenv(s.Name, s.Value)
	}
	if rest, home := strings.CutPrefix(s.Value, "~"); home && (rest == "" || rest[0] == '/') {
		dir, err := os.UserHomeDir()
		if err != nil {
			return err
		}
		s.Value = filepath.Join(dir, rest)
	}
	err := os.Chdir(s.Value)
	if err == nil {
		s.Value, err = os.Getwd()
	}
	return err
}

// String returns the line, its value in quotes.
func (s *Setting) String() string {
	value := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s.Value) + `"`
	if s.Name == "" {
		return "%cd " + value
	}
	return "%env " + s.Name + " " + value
}
