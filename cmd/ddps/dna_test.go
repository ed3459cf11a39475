package main

import (
	"compress/gzip"
	"os"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// From forbidden pairs and a FASTA file to sequences that meet a condition.
func TestDNA(t *testing.T) {
	t.Chdir(t.TempDir())
	_, notes := good(t, "graph", "make", "dna", "--length", "8", "--forbid", "cg", "--forbid", "AG@4", "-o", "g.json")
	if !strings.Contains(notes, "9 layers, 33 vertices, 108 edges") {
		t.Errorf("%q", notes)
	}
	if out, _ := good(t, "graph", "info", "dna"); !strings.Contains(out, "161") {
		t.Errorf("%q", out)
	}
	good(t, "paths", "make", "g.json", "-n", "300", "-o", "a.fasta")
	text := clitest.Read(t, "a.fasta")
	if strings.Count(text, ">") != 300 || strings.Contains(text, "CG") {
		t.Errorf("%q", text)
	}
	file, err := os.Create("a.fa.gz")
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(file)
	z.Write([]byte(strings.ToLower(text)))
	z.Close()
	file.Close()
	good(t, "paths", "convert", "g.json", "a.fa.gz", "b.csv")
	good(t, "paths", "convert", "g.json", "b.csv", "c.fna")
	if clitest.Read(t, "c.fna") != text {
		t.Error("a way round changes the sequences")
	}
	good(t, "paths", "convert", "dna", "a.fa.gz", "d.csv") // of eight letters, as the file
	if out, _ := good(t, "paths", "list", "dna", "a.fasta", "-n", "1", "-q"); out != strings.Split(text, "\n")[1]+"\n" {
		t.Errorf("%q", out)
	}
	clitest.Write(t, "small.toml", "[model.mixture]\nclasses = 2\nrounds = 5\n")
	out, _ := good(t, "train", "--graph", "g.json", "--paths", "a.fasta", "--config", "small.toml", "-o", "run")
	if !strings.Contains(out, "run: mixture of 2 chains on 33 vertices, 108 edges; 300 distinct paths") {
		t.Errorf("%q", out)
	}
	good(t, "sample", "run", "-n", "50", "--where", `motif("TATA", 3) and gc <= 1`, "-o", "s.fa")
	for i, line := range strings.Split(strings.TrimSpace(clitest.Read(t, "s.fa")), "\n") {
		if i%2 == 1 && (len(line) != 8 || line[2:6] != "TATA" || strings.Count(line, "G")+strings.Count(line, "C") > 1) {
			t.Errorf("line %d: %q", i+1, line)
		}
	}
	one, _ := good(t, "sample", "run", "-n", "5", "--format", "fasta")
	if strings.Count(one, ">") != 5 || !strings.HasPrefix(one, ">1\n") {
		t.Errorf("%q", one)
	}
	out, _ = good(t, "explain", "run", "--where", `motif("TATA", 3) and gc <= 1`)
	for _, want := range []string{`motif("TATA", 3) and gc <= 1`, "probability under the model", "gc <= 1"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q lacks %q", out, want)
		}
	}
}

func TestDNABad(t *testing.T) {
	t.Chdir(t.TempDir())
	good(t, "graph", "make", "dna", "--length", "4", "-o", "g.json", "-q")
	clitest.Write(t, "n.fa", ">a\nACGT\n>b\nACNT\n")
	clitest.Write(t, "long.fa", ">a\nACGTA\n")
	clitest.Write(t, "a.csv", "v1,v2,v3,v4\nA,C,G,H\n")
	for line, want := range map[string]string{
		"paths convert g.json n.fa -":                    `n.fa:4: record "b", column 3: 'N' stands for any of several bases`,
		"paths convert g.json long.fa -":                 `long.fa:1: record "a": 5 letters, expected 4`,
		"paths convert dna none.fa -":                    "none.fa",
		"paths convert example a.csv a.fasta":            "no lattice of the letters A, C, G, T",
		"paths make example -n 5 --how promoter":         "no lattice",
		"paths make g.json -n 5 --how promoter":          "sequences of 4 letters, need 38",
		"graph make dna --length 4 --forbid AG@4":        "no pair begins at position 4 of 4",
		"sample shipped:toy --where 'motif(\"TATAAT\")'": "--where: character 1: motifs are of DNA",
	} {
		bad(t, exitError, []string{want}, append(words(line), "-q")...)
	}
	for line, want := range map[string]string{
		"graph make dna --forbid AX":  "--forbid: ",
		"graph make dna --length 0":   "--length",
		"graph make dna --seed 3":     "--seed: only toy, rq1 and city",
		"graph make toy --length 5":   "--length and --forbid are of dna",
		"graph make heights2":         "want toy, rq1, heights, ridge, example, dna",
		"paths make dna -n 3 -o x.fq": "ends in none of",
	} {
		bad(t, exitUsage, []string{want}, words(line)...)
	}
}
