package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// shLines are the commands of a document's blocks of sh, whole and without comments.
func shLines(text string) (lines []string) {
	for i, block := range strings.Split(text, "```") {
		body, sh := strings.CutPrefix(block, "sh\n")
		if i%2 == 0 || !sh {
			continue
		}
		for line := range strings.Lines(strings.ReplaceAll(body, "\\\n", " ")) {
			line, _, _ = strings.Cut(line, " #")
			for part := range strings.SplitSeq(line, "&&") {
				if part = strings.TrimSpace(part); part != "" {
					lines = append(lines, part)
				}
			}
		}
	}
	return lines
}

// ours returns the arguments of a command of ddps; none of another's.
func ours(line string) []string {
	line, _, _ = strings.Cut(line, " > ")
	for _, name := range []string{"out/ddps ", "ddps "} {
		if args, ok := strings.CutPrefix(line, name); ok {
			return words(args)
		}
	}
	return nil
}

// Every command of ddps in the documents has flags and arguments that exist, the command that submit takes too.
func TestDocsCommandsParse(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, f := range append(files, "../../README.md", "../../environment.md") {
		for _, line := range shLines(clitest.Read(t, f)) {
			args := ours(line)
			if args == nil {
				continue
			}
			n++
			c := newRoot(&cli.App{})
			for i, a := range args {
				if a == "--" {
					example(t, c, append([]string{"ddps"}, args[i+1:]...))
				}
			}
			example(t, c, append([]string{"ddps"}, args...))
		}
	}
	if n < 60 {
		t.Errorf("%d commands in the documents", n)
	}
}

// The commands of documents that two CPUs do in seconds run as they are, in their order, in an empty directory but
// for a user's own files.
func TestDocsCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute of commands")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sequences", "formats", "dna", "tracks"} {
		t.Run(name, func(t *testing.T) {
			text := clitest.Read(t, "../../docs/"+name+".md")
			t.Chdir(t.TempDir())
			for _, dir := range []string{"datasets", "docs"} {
				if err := os.Symlink(filepath.Join(root, dir), dir); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Mkdir("out", 0o755); err != nil {
				t.Fatal(err)
			}
			usersFiles(t)
			for _, line := range shLines(text) {
				if args := ours(line); args != nil {
					good(t, append(args, "-q")...)
				}
			}
		})
	}
}

// usersFiles writes what the documents take for granted: walks, events, roads with minutes, and sequences.
func usersFiles(t *testing.T) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	walks := func(n int) string {
		var b strings.Builder
		b.WriteString("v1,v2,v3,v4,v5\n")
		for range n {
			row := make([]string, 5)
			for i := range 2 + rng.IntN(4) {
				row[i] = string(rune('A' + (i+rng.IntN(3))%5))
			}
			row[0], row[1] = "A", "B"
			b.WriteString(strings.Join(row, ",") + "\n")
		}
		return b.String()
	}
	clitest.Write(t, "walks.csv", walks(400))
	clitest.Write(t, "later.csv", walks(100))
	events := "case,time,activity\n"
	for i := range 40 {
		events += fmt.Sprintf("%d,2026-01-01T%02d:00:00Z,%c\n", i/4, 8+i%4, 'A'+rune(i%3))
	}
	clitest.Write(t, "events.csv", events)
	clitest.Write(t, "roads.csv", "from,to,travel_time_min\nDepot,Bath,12\nBath,Wells,9\nWells,Bath,9\nBath,Depot,12\n"+
		"Depot,Wells,21\nWells,Depot,21\n")
	var fasta strings.Builder
	for i := range 200 {
		fmt.Fprintf(&fasta, ">s%d\n", i)
		for range 60 {
			fasta.WriteByte("ACT"[rng.IntN(3)])
		}
		fasta.WriteByte('\n')
	}
	clitest.Write(t, "mine.fasta", fasta.String())
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(fasta.String())); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	clitest.Write(t, "mine.fa.gz", packed.String())
}
