package ddps_test

import (
	"bufio"
	"bytes"
	"go/scanner"
	"go/token"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxColumns is the most characters of a line of Go.
const maxColumns = 120

// bannedWords are phrases that papers and libraries of the field do not use, with what to write.
var bannedWords = []struct {
	phrase *regexp.Regexp
	write  string
}{
	{regexp.MustCompile(`(?i)\blaws?\b`), "distribution"},
	{regexp.MustCompile(`(?i)\bnats an? (path|walk|sequence|step|edge)\b`), "nats per path (NLL)"},
	{regexp.MustCompile(`(?i)\b(samples|paths|steps|draws|bytes) a second\b`), "per second"},
	{regexp.MustCompile(`(?i)\bheld[- ]out\b`), "validation"},
	{regexp.MustCompile(`(?i)\brivals?\b`), "baseline"},
	{regexp.MustCompile(`(?i)\bnoise floors?\b`), "sampling floor"},
	{regexp.MustCompile(`(?i)\btells whether\b`), "reports whether"},
	{regexp.MustCompile(`(?i)\blikeliest\b`), "most likely"},
	{regexp.MustCompile(`(?i)\bfolders?\b`), "directory"},
	{regexp.MustCompile(`(?i)\bprocessors?\b`), "CPU"},
	{regexp.MustCompile(`(?i)\b(ledgers?|sittings?)\b`), "results table; run"},
	{regexp.MustCompile(`(?i)\b(as learnt|learnt)\b`), "learned; unguided"},
	{regexp.MustCompile(`(?i)\b(stands?|lies) over\b`), "projects to"},
	{regexp.MustCompile(`(?i)\boctets?\b`), "vector lanes; batched"},
	{regexp.MustCompile(`(?i)\broom to work in\b`), "scratch"},
	{regexp.MustCompile(`\d %([,;:)|]|\.(\D|$)| [a-z|(])`), "a number and its % together"},
}

// allowedWords are lines in which a banned phrase is right: a column, a key or a name that files already have.
var allowedWords = regexp.MustCompile(
	`csv:"|toml:"|json:"|"id":|Python|licen[cs]e|\bSI\b|gc [<>=]|cost [<>=]`)

// wordsExempt are files that quote what is banned, or messages of others.
var wordsExempt = []string{"house_words_test.go", "internal/names/names_test.go", "docs/licences.md",
	"licences_test.go", "datasets/maps/ATTRIBUTION.md",
	"ddps/study/internal/earlier/earlier.go", "ddps/study/table_earlier_test.go"}

// cellOutputs are what cells of a notebook show, which is the program's and not the author's.
var cellOutputs = regexp.MustCompile(`(?m)^   "outputs": \[\n(?:    .*\n)*`)

// newlines keeps those of a text.
func newlines(text []byte) []byte { return bytes.Repeat([]byte("\n"), bytes.Count(text, []byte("\n"))) }

// texts calls f for each text file of the tree of these kinds, but for test data.
func texts(t *testing.T, kinds []string, f func(name string, lines []string)) {
	t.Helper()
	files(t, func(name string) {
		mine := slices.Contains(kinds, path.Ext(name)) && !strings.Contains(name, "testdata/")
		if !mine {
			return
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.IndexByte(data, 0) < 0 {
			f(name, strings.Split(string(cellOutputs.ReplaceAllFunc(data, newlines)), "\n"))
		}
	})
}

// TestWords looks for banned phrases, in tests' comments too.
func TestWords(t *testing.T) {
	texts(t, []string{".go", ".md", ".ipynb", ".repl"}, func(name string, lines []string) {
		if slices.Contains(wordsExempt, name) {
			return
		}
		for i, line := range lines {
			if allowedWords.MatchString(line) || strings.Contains(line, "image/png") {
				continue
			}
			for _, b := range bannedWords {
				if at := b.phrase.FindString(line); at != "" {
					t.Errorf("%s:%d: %q: write %s", name, i+1, at, b.write)
				}
			}
		}
	})
}

// TestNoStrayVerbs looks for what package fmt writes where verbs and arguments do not match.
func TestNoStrayVerbs(t *testing.T) {
	stray := regexp.MustCompile(`%![a-zA-Z(]`)
	texts(t, []string{".md", ".ipynb", ".csv", ".html", ".txt", ".toml", ".json"}, func(name string, lines []string) {
		for i, line := range lines {
			if at := stray.FindString(line); at != "" && !strings.Contains(line, "image/png") {
				t.Errorf("%s:%d: %q", name, i+1, at)
			}
		}
	})
}

// TestColumns bounds the width of lines, but of raw strings and of generated files.
func TestColumns(t *testing.T) {
	texts(t, []string{".go"}, func(name string, lines []string) {
		cells := strings.HasPrefix(name, "kernelext/") && strings.HasSuffix(name, "_test.go") // programs of a line each
		source := []byte(strings.Join(lines, "\n"))
		if cells || bytes.Contains(source[:min(len(source), 400)], []byte("Code generated")) {
			return
		}
		raw := rawLines(source)
		for i, line := range lines {
			if n := utf8.RuneCountInString(line); n > maxColumns && !raw[i+1] {
				t.Errorf("%s:%d: %d columns, more than %d", name, i+1, n, maxColumns)
			}
		}
	})
}

// rawLines returns the lines of source, from 1, that have a part of a raw string.
func rawLines(source []byte) map[int]bool {
	raw, fset := map[int]bool{}, token.NewFileSet()
	f := fset.AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(f, source, nil, 0)
	for {
		pos, kind, text := s.Scan()
		switch {
		case kind == token.EOF:
			return raw
		case kind == token.STRING && text[0] == '`':
			for i := range strings.Count(text, "\n") + 1 {
				raw[f.Line(pos)+i] = true
			}
		}
	}
}

// No comment says nothing but that one name is another's.
func TestNoEmptyComments(t *testing.T) {
	empty := regexp.MustCompile(`^// (\w+) is (\w+)\.$`)
	for _, s := range sources(t) {
		for _, g := range s.ast.Comments {
			scan := bufio.NewScanner(strings.NewReader("// " + g.Text()))
			if scan.Scan() && len(g.List) == 1 {
				if m := empty.FindStringSubmatch(scan.Text()); m != nil {
					t.Errorf("%s: %q says nothing", s.at(g), scan.Text())
				}
			}
		}
	}
}

// TestReadmeLength bounds the words of the README.
func TestReadmeLength(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(strings.Fields(string(data))); n > 1000 {
		t.Errorf("README.md has %d words, more than 1,000", n)
	}
}
