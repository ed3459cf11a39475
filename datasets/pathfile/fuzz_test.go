package pathfile

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
)

// FuzzReadCSV: any text gives an error or data that is written and read back.
func FuzzReadCSV(f *testing.F) {
	f.Add("v1,v2,v3,v4,count\nA,C,G,H,3\n", false)
	f.Add("A,B,E,H\nA,\"C\",G,H,2\n", false)
	f.Add("0,2,6,7\n", true)
	f.Add("A,C,G,\"H\n", false)
	f.Fuzz(func(t *testing.T, text string, numbers bool) {
		by := ByName
		if numbers {
			by = ByNumber
		}
		d, err := ReadCSV("fuzz", strings.NewReader(text), ddps.Example(), by)
		readBack(t, d, err, func(d *datasets.Data, w io.Writer) error { return WriteCSV(w, d, ByName) },
			func(b *bytes.Buffer) (*datasets.Data, error) {
				return ReadCSV("back", b, ddps.Example(), ByName)
			})
	})
}

// FuzzReadJSONL: as FuzzReadCSV.
func FuzzReadJSONL(f *testing.F) {
	f.Add("{\"path\":[\"A\",\"C\",\"G\",\"H\"],\"count\":2}\n")
	f.Add("{\"path\":[0,1,4,7]}\n{\"path\":[0,1,4,7]}")
	f.Add("{\"path\":[0,1,")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ReadJSONL("fuzz", strings.NewReader(text), ddps.Example())
		readBack(t, d, err, func(d *datasets.Data, w io.Writer) error { return WriteJSONL(w, d, ByName) },
			func(b *bytes.Buffer) (*datasets.Data, error) {
				return ReadJSONL("back", b, ddps.Example())
			})
	})
}

func readBack(t *testing.T, d *datasets.Data, err error, write func(*datasets.Data, io.Writer) error,
	read func(*bytes.Buffer) (*datasets.Data, error)) {
	if err != nil {
		if !strings.HasPrefix(err.Error(), "datasets: fuzz") {
			t.Errorf("error %q", err)
		}
		return
	}
	var b bytes.Buffer
	if err := write(d, &b); err != nil {
		t.Fatal(err)
	}
	back, err := read(&b)
	if err != nil || !slices.Equal(back.Counts, d.Counts) || !slices.EqualFunc(back.Paths, d.Paths, slices.Equal) {
		t.Fatalf("read back %v, %v; want %v", back, err, d)
	}
}

// FuzzReadParquet: as FuzzReadCSV, of any bytes.
func FuzzReadParquet(f *testing.F) {
	for _, name := range []string{"pyarrow", "numbers", "null", "float"} {
		data, err := os.ReadFile("testdata/" + name + ".parquet")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	var b bytes.Buffer
	d := &datasets.Data{Graph: ddps.Example(), Paths: []ddps.Path{{0, 2, 6, 7}}, Counts: []int{4}}
	if err := WriteParquet(&b, d, ByName); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := ReadParquet("fuzz", bytes.NewReader(data), int64(len(data)), ddps.Example(), ByName)
		readBack(t, d, err, func(d *datasets.Data, w io.Writer) error { return WriteParquet(w, d, ByName) },
			func(b *bytes.Buffer) (*datasets.Data, error) {
				return ReadParquet("back", bytes.NewReader(b.Bytes()), int64(b.Len()), ddps.Example(), ByName)
			})
	})
}
