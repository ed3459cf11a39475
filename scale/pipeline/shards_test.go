package pipeline

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/ddps-go/ddps/datasets/blocks"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/em"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/shard"
)

// The shards of a sample hold, in order, the paths of one run of the core.
func TestSample(t *testing.T) { sampleInto(t, filepath.Join(t.TempDir(), "store")) }

// sampleInto draws samples into a store, and compares them with those of one run.
func sampleInto(t *testing.T, place string) {
	t.Helper()
	dir := t.TempDir()
	m, _, err := run.OpenModel("shipped:toy", func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	d := Samples{Model: filepath.Join(dir, "model.safetensors"), Store: place, N: 300, Seed: 5,
		Steps: 4, Shards: 7}
	f, err := os.Create(d.Model)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Save(f); err != nil {
		t.Fatal(err)
	}
	f.Close()
	runPipeline(t, func(s beam.Scope) { Sample(s, d) })
	core := m.Sampler()
	core.Steps = d.Steps
	want, err := core.Sample(t.Context(), d.N, d.Seed)
	if err != nil {
		t.Fatal(err)
	}
	store, err := shard.Open(t.Context(), d.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	sets, damaged, err := store.Sets(t.Context())
	if err != nil || len(damaged) > 0 || len(sets) != 1 || len(sets[0].Missing()) > 0 {
		t.Fatal(sets, damaged, err)
	}
	var got []ddps.Path
	for _, o := range sets[0].Objects {
		err := store.Read(t.Context(), o, func(r io.Reader) error {
			return shard.EachPath(r, m.Graph, func(p ddps.Path, _ int) error {
				got = append(got, slices.Clone(p))
				return nil
			})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if !slices.EqualFunc(got, want, func(a, b ddps.Path) bool { return slices.Equal(a, b) }) {
		t.Errorf("%d paths, other than the core's %d", len(got), len(want))
	}
}

// The files of a sample hold, one after the other, the paths of one run of the core.
func TestSampleFiles(t *testing.T) {
	m, _, err := run.OpenModel("shipped:toy", func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	d := Samples{Model: filepath.Join(dir, "model.safetensors"), Store: dir, Format: "parquet", N: 200, Seed: 6, Shards: 3}
	f, err := os.Create(d.Model)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Save(f); err != nil {
		t.Fatal(err)
	}
	f.Close()
	runPipeline(t, func(s beam.Scope) { Sample(s, d) })
	want, err := m.Sampler().Sample(t.Context(), d.N, d.Seed)
	if err != nil {
		t.Fatal(err)
	}
	var got []ddps.Path
	for i := range d.Shards {
		file := filepath.Join(dir, partName("paths.parquet", i, d.Shards))
		err := blocks.Each(blocks.Block{File: file, To: 1 << 30}, m.Graph, "", pathfile.ByName,
			func(p ddps.Path, _ int) error { got = append(got, slices.Clone(p)); return nil },
			func(e *blocks.RowError) error { return e })
		if err != nil {
			t.Fatal(err)
		}
	}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%d paths, other than the core's %d", len(got), len(want))
	}
}

// Rounds of EM give the models of the core, byte for byte, whatever the parts and blocks.
func TestRound(t *testing.T) {
	f := newFixture(t, 6, 400)
	m, err := em.Start(f.g, 1)
	if err != nil {
		t.Fatal(err)
	}
	rounds := []EM{{Graph: f.graph, Order: 1, Kappa: .5}, {Classes: 3, Seed: 4, Kappa: .5}, {Kappa: .5}}
	for i, r := range rounds {
		if r.Classes > 0 {
			if m, err = em.Classes(m, r.Classes, r.Seed); err != nil {
				t.Fatal(err)
			}
		}
		s, core := em.NewSums(m.Mixture), em.NewRound(m.Mixture)
		for k, p := range f.data.Paths {
			if err := core.Add(p, f.data.Counts[k], s); err != nil {
				t.Fatal(err)
			}
		}
		if m, err = s.Model(m, r.Kappa); err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		if err := m.Save(&want); err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(f.dir, fmt.Sprint(i))
		if i > 0 {
			r.Model = filepath.Join(f.dir, fmt.Sprint(i-1), "model.safetensors")
		}
		in := f.input()
		in.Parts, in.Block = 2+i, int64(1000*(1+i))
		runPipeline(t, func(b beam.Scope) {
			table, _, err := Paths(b, in)
			if err != nil {
				t.Fatal(err)
			}
			Round(b, table, r, dir)
		})
		got, err := os.ReadFile(filepath.Join(dir, "model.safetensors"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want.Bytes()) {
			t.Errorf("round %d: another model than the core's", i)
		}
	}
}

// Study measures each point once.
func TestStudy(t *testing.T) {
	dir := t.TempDir()
	runPipeline(t, func(s beam.Scope) {
		done, err := Study(s, Points{Command: []string{"echo", "at", "{}"}, List: []string{"1", "2", "30"}})
		if err != nil {
			t.Fatal(err)
		}
		Write(s, done, dir, "points", 1)
	})
	if got := lines(t, dir, "points-*"); !slices.Equal(got, []string{"1\tat 1", "2\tat 2", "30\tat 30"}) {
		t.Errorf("%q", got)
	}
}
