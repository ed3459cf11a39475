package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// packed returns a text packed by gzip.
func packed(t testing.TB, text string) string {
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

// Each file that is read may be packed by gzip, whatever it is called, and gives the same; what cannot be is refused
// with the reason.
func TestGzip(t *testing.T) {
	t.Chdir(t.TempDir())
	good(t, "graph", "make", "example", "-o", "g.json")
	good(t, "graph", "convert", "g.json", "g.graphml")
	for name, text := range map[string]string{"p.csv": "A,B,E,H\nA,B,F,I\n", "p.jsonl": `{"path":["A","B","E","H"]}` + "\n",
		"r.csv": "layer,from,to,reward\n1,A,B,1\n", "alias.csv": "alias,name\nBee,B\n", "names.txt": "B\n",
		"w.csv": strings.Repeat("A,B,A\nB,C,\n", 10), "w.jsonl": `{"walk":["A","B"]}` + "\n", "moves.csv": "A,B\nB,A\nB,C\n",
		"t.csv": "track,step,place\n1,1,A\n1,2,B\n1,3,E\n1,4,H\n", "t.jsonl": `{"track":1,"step":1,"place":"A"}` + "\n" +
			`{"track":1,"step":2,"place":"B"}` + "\n" + `{"track":1,"step":3,"place":"E"}` + "\n" +
			`{"track":1,"step":4,"place":"H"}` + "\n",
		"d.fasta": ">1\nACGT\n", "e.csv": "from,to\nX,Y\nY,Z\n", "xy.csv": "name,lon,lat\nX,0,0\nY,0,1\nZ,0,2\n",
		"times.csv": "from,to,travel_time\nX,Y,60\nY,X,60\nY,Z,60\nZ,Y,60\n",
		"t.gpx":     `<gpx><trk><trkpt lat="0" lon="0"><time>2020-01-01T00:00:00Z</time></trkpt></trk></gpx>`,
	} {
		clitest.Write(t, name, text)
	}
	good(t, "train", "--graph", "g.json", "--paths", "p.csv", "--model", "chain", "-o", "run")
	for _, name := range []string{"g.json", "g.graphml", "p.csv", "p.jsonl", "r.csv", "alias.csv", "names.txt", "w.csv",
		"w.jsonl", "moves.csv", "t.csv", "t.jsonl", "d.fasta", "e.csv", "xy.csv", "times.csv", "t.gpx"} {
		clitest.Write(t, name+".gz", packed(t, clitest.Read(t, name)))
	}
	for line := range strings.Lines(`graph info g.json
graph info g.graphml
paths count g.json
paths count g.json p.csv
paths count g.json p.jsonl
paths list g.json p.csv
paths list w.csv --input-format csv
paths list w.jsonl
paths count w.jsonl
paths convert g.json p.csv -
paths convert dna d.fasta -
paths import g.json t.csv
paths import g.json t.jsonl
score run p.csv
sample run -n 3 --where max(reward) --reward r.csv
sample run -n 3 --where cost<=1 --cost r.csv
sample run -n 3 --where visit("Bee") --aliases alias.csv
sample run -n 3 --where visit(file("names.txt"))
evaluate run p.csv --floor-draws 0
evaluate --graph g.json p.csv p.jsonl --floor-draws 0
graph make sequences w.csv --edges moves.csv --format csv
graph import e.csv --coordinates xy.csv --start X --depth 3 --merge 0
graph import e.csv --slot 1m --travel-times times.csv --start X --depth 3 --merge 0
`) {
		plain := strings.Fields(line)
		zipped := slices.Clone(plain)
		for k, word := range zipped {
			bare := strings.TrimSuffix(strings.TrimPrefix(word, `visit(file("`), `"))`)
			if info, err := os.Stat(bare + ".gz"); err == nil && info.Mode().IsRegular() {
				zipped[k] = strings.Replace(word, bare, bare+".gz", 1)
			}
		}
		if slices.Equal(plain, zipped) {
			t.Errorf("%s: no file in it", line)
		}
		want, _ := good(t, plain...)
		if got, _ := good(t, zipped...); strings.ReplaceAll(got, ".gz", "") != want {
			t.Errorf("%s: %s, plain %s", zipped, got, want)
		}
	}
	graph := clitest.Read(t, "g.json")
	for args, text := range map[string]string{"graph info -": graph, "paths count -": graph,
		"paths list example -": "A,B,E,H\n",
		"score run -":          `{"path":["A","B","E","H"]}`, "paths convert - - --format lines": "A B A\nB C\n"} {
		want, _ := piped(t, text, strings.Fields(args)...)
		if got, _ := piped(t, packed(t, text), strings.Fields(args)...); got != want {
			t.Errorf("%s: %s of standard input, plain %s", args, got, want)
		}
	}
	good(t, "paths", "convert", "g.json", "p.csv", "p.parquet")
	clitest.Write(t, "p.parquet.gz", packed(t, clitest.Read(t, "p.parquet")))
	clitest.Write(t, "packed.csv", packed(t, "A,B,E,H\n"))
	clitest.Write(t, "c.toml.gz", packed(t, "number = 3\n"))
	if got, _ := good(t, "sample", "run", "--config", "c.toml.gz", "-o", "-"); strings.Count(got, "\n") > 4 {
		t.Errorf("settings of 3 samples: %s", got)
	}
	clitest.Write(t, "fit.toml.gz", packed(t, "hold = 0.25\n"))
	good(t, "train", "--config", "fit.toml.gz", "--graph", "g.json", "--paths", "p.csv", "--network", "none", "-o", "fit")
	if got := clitest.Read(t, "fit/config.toml"); !strings.Contains(got, "hold = 0.25") {
		t.Errorf("settings of a fit: %s", got)
	}
	for args, want := range map[string]string{
		"paths list g.json p.parquet.gz":               "unpack it first",
		"paths list p.parquet.gz":                      "it is Parquet packed by gzip: unpack it first",
		"paths count g.json p.csv.gz -o c.csv":         "ranges of bytes, which one packed by gzip has not: unpack it first",
		"paths count g.json packed.csv -o c.csv":       "ranges of bytes, which one packed by gzip has not: unpack it first",
		"paths import g.json t.gpx.gz":                 "no places with longitude",
		"paths convert g.json p.csv.gz p2.csv.gz":      "ends in none of",
		"paths convert g.json broken.csv.gz other.csv": "broken.csv.gz",
	} {
		clitest.Write(t, "broken.csv.gz", "\x1f\x8bxx")
		status := exitError
		if strings.Contains(want, "none of") {
			status = exitUsage
		}
		bad(t, status, []string{want}, strings.Fields(args)...)
	}
}
