package pathfile

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/ddps"
)

const someFASTA = "\ufeff; of a made-up genome\r\n>s1;size=3 first of all\r\nACG\r\n; in between\r\n t " +
	"a\tc\r\n\r\n>s2\nacgtac\n>\nTTTTTT"

func TestReadSequences(t *testing.T) {
	want := []Sequence{{"s1", "ACGTAC", 3, 2}, {"s2", "ACGTAC", 1, 7}, {"", "TTTTTT", 1, 9}}
	got, err := ReadSequences("x.fa", strings.NewReader(someFASTA))
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%+v, %v", got, err)
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	io.WriteString(w, someFASTA)
	w.Close()
	if got, err = ReadSequences("x.fa.gz", bytes.NewReader(z.Bytes())); err != nil || !slices.Equal(got, want) {
		t.Fatalf("gzip: %+v, %v", got, err)
	}
	if _, err := ReadSequences("x.fa.gz", bytes.NewReader(z.Bytes()[:z.Len()-9])); err == nil ||
		!strings.Contains(err.Error(), "x.fa.gz") {
		t.Errorf("cut gzip: %v", err)
	}
	g, err := datasets.DNA(6)
	if err != nil {
		t.Fatal(err)
	}
	d, err := ReadFASTA("x.fa", strings.NewReader(someFASTA), g)
	if err != nil || !slices.Equal(d.Counts, []int{4, 1}) || fixture.Spelled(g, d.Paths[0]) != "ACGTAC" {
		t.Fatal(d, err)
	}
}

func TestFASTAErrors(t *testing.T) {
	g, err := datasets.DNA(4, datasets.ForbiddenPair{Pair: "AG", At: 2}, datasets.ForbiddenPair{Pair: "TA", At: 0})
	if err != nil {
		t.Fatal(err)
	}
	only, err := datasets.DNA(2, datasets.ForbiddenPair{Pair: "AA", At: 0}, datasets.ForbiddenPair{Pair: "AC", At: 0},
		datasets.ForbiddenPair{Pair: "AG", At: 0}, datasets.ForbiddenPair{Pair: "AT", At: 0})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                                    "x.fa: no record",
		"; nothing\n":                         "x.fa: no record",
		"ACGT\n>a\nACGT\n":                    "x.fa:1: letters before the first record",
		">a\nACGT\n>b\nAC\n  gN\n":            `x.fa:5: record "b", column 4: 'N' stands for any of several bases`,
		">a\nACGU\n":                          `x.fa:2: record "a", column 4: 'U' is of RNA`,
		">a\nAC-T\n":                          `x.fa:2: record "a", column 3: '-' is a gap`,
		">a\nACé\n":                           `x.fa:2: record "a", column 3: 'é' is none of A, C, G, T`,
		">a\nAC\xff\n":                        "column 3: no letter, but bytes that are not UTF-8",
		">a\n>b\nACGT\n":                      `x.fa:2: record "a", which begins at line 1, has no letter`,
		">a\nACGT\n>b\n":                      `x.fa: record "b", which begins at line 3, has no letter`,
		">a;size=0\nACGT\n":                   `x.fa:1: record "a": size: count "0"`,
		">a\nACG\n":                           `x.fa:1: record "a": 3 letters, expected 4`,
		">a\nACGT\n>b\nTTAC\n":                `x.fa:3: record "b": position 3: no A may follow the T there`,
		">a\nCAGT\n":                          "position 3: no G may follow the A there",
		">a\n" + strings.Repeat("A", 1<<20+1): "has more than 1048576 letters",
	} {
		if _, err := ReadFASTA("x.fa", strings.NewReader(text), g); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: error %v, want %q", text, err, want)
		}
	}
	if _, err := ReadFASTA("x.fa", strings.NewReader(">a\nAC\n"), only); err == nil || !strings.Contains(err.Error(),
		"position 1: no sequence begins with A") {
		t.Error(err)
	}
	d := &datasets.Data{Graph: ddps.Example(), Paths: []ddps.Path{{0, 2, 6, 7}}, Counts: []int{1}}
	if _, err := ReadFASTA("x.fa", strings.NewReader(">a\nACGT\n"), d.Graph); err == nil || !strings.Contains(err.Error(),
		"x.fa: the graph is no lattice") {
		t.Error(err)
	}
	if err := WriteFASTA(io.Discard, d); err == nil || !strings.Contains(err.Error(), "no lattice") {
		t.Error(err)
	}
}

// Files go by their endings; long sequences are wrapped, and sizes kept.
func TestFASTAFiles(t *testing.T) {
	g, err := datasets.DNA(71)
	if err != nil {
		t.Fatal(err)
	}
	paths, err := datasets.Draw(g, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	d, dir := &datasets.Data{Graph: g, Paths: paths, Counts: []int{1, 5, 1}}, t.TempDir()
	file := filepath.Join(dir, "x.FASTA")
	if err := WriteFile(file, d); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(file)
	if lines := strings.Split(string(text), "\n"); len(lines) != 10 || lines[0] != ">1" || len(lines[1]) != 70 ||
		len(lines[2]) != 1 || lines[3] != ">2;size=5" {
		t.Errorf("%q", text)
	}
	back, err := ReadFile(file, g, ByName)
	if err != nil || !slices.EqualFunc(back.Paths, d.Paths, slices.Equal) || !slices.Equal(back.Counts, d.Counts) {
		t.Error(back, err)
	}
	if own, err := DNAOf(file); err != nil || own.NumLayers() != 72 {
		t.Error(own, err)
	}
	if _, err := DNAOf(dir + "/none.fa"); err == nil || !strings.Contains(err.Error(), "none.fa") {
		t.Error(err)
	}
	if err := WriteFile(filepath.Join(dir, "x.fa.gz"), d); err == nil || !strings.Contains(err.Error(),
		"ends in none of") {
		t.Error(err)
	}
}

// FuzzReadFASTA: any bytes give an error or data that is written and read back.
func FuzzReadFASTA(f *testing.F) {
	f.Add([]byte(">a;size=2 x\nAC\ngt\n;c\n>b\nTTTT"))
	f.Add([]byte(">a\nACGN\n"))
	f.Add([]byte("\x1f\x8b\x08"))
	g, err := datasets.DNA(4)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := ReadFASTA("fuzz", bytes.NewReader(text), g)
		readBack(t, d, err, func(d *datasets.Data, w io.Writer) error { return WriteFASTA(w, d) },
			func(b *bytes.Buffer) (*datasets.Data, error) {
				return ReadFASTA("back", b, g)
			})
	})
}
