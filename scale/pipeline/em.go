package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/ddps-go/ddps/datasets/blocks"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/em"
	"github.com/ddps-go/ddps/ddps/model"
)

// registerRound registers the functions of Round.
func registerRound() {
	register.DoFn3x1[int, []byte, func(int, []byte), error](&expect{})
	register.DoFn3x1[[]byte, func(*Piece) bool, func(string), error](&maximise{})
	register.Emitter1[string]()
}

// EM says what round of EM is done (package em).
type EM struct {
	Model   string // file of the model before, which every worker can read; "": the round counts
	Graph   string // where there is no Model
	Order   int    // of the chains where there is no Model: 1 or 2
	Classes int    // of the mixture; 0: those of Model
	Seed    uint64 // of the classes that are made of one
	Kappa   float64
}

// before holds the models before rounds that this worker has made, by EM.
var before sync.Map

// model returns the model before the round, made once a worker.
func (r EM) model() (*model.Model, error) {
	type made struct {
		once sync.Once
		m    *model.Model
		err  error
	}
	x, _ := before.LoadOrStore(r, new(made))
	one := x.(*made)
	one.once.Do(func() { one.m, one.err = r.make() })
	return one.m, one.err
}

func (r EM) make() (*model.Model, error) {
	if r.Model == "" {
		g, err := loadGraph(r.Graph)
		if err != nil {
			return nil, err
		}
		return em.Start(g, r.Order)
	}
	f, err := os.Open(r.Model)
	if err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	defer f.Close()
	m, err := model.Load(f)
	if err == nil && m.Mixture == nil {
		err = fmt.Errorf("the model is %s: EM goes on from a mixture of chains alone", m.Config.Kind())
	}
	if err == nil && r.Classes > 0 {
		m, err = em.Classes(m, r.Classes, r.Seed)
	}
	if err != nil {
		return nil, fmt.Errorf("fit: %s: %w", r.Model, err)
	}
	return m, nil
}

// Round adds up the statistics of a table's paths under the model before, as a Combine whose state is of the mixture's
// size, and writes the model after the round to DIR/model.safetensors, the bytes that 'ddps merge' writes. It returns
// the file's name and the NLL of the walks under the model before.
func Round(s beam.Scope, table beam.PCollection, r EM, dir string) beam.PCollection {
	s = s.Scope("round of EM")
	sums := beam.SideInput{Input: sumPieces(s, beam.ParDo(s, &expect{Round: r}, table))}
	return settled(s, beam.ParDo(s, &maximise{r, dir}, beam.Impulse(s), sums))
}

// expect adds up the statistics of a bundle.
type expect struct {
	Round EM
	sums  *em.Sums
	round *em.Round
	path  ddps.Path
}

// StartBundle begins with nothing.
func (f *expect) StartBundle(func(int, []byte)) { f.sums = nil }

// ProcessElement adds the paths of a chunk.
func (f *expect) ProcessElement(_ int, chunk []byte, _ func(int, []byte)) error {
	m, err := f.Round.model()
	if err != nil {
		return err
	}
	if f.sums == nil {
		f.sums = em.NewSums(m.Mixture)
	}
	if f.round == nil {
		f.round = em.NewRound(m.Mixture)
	}
	return eachPath(chunk, func(key []byte, n int64) error {
		f.path = blocks.PathOf(f.path[:0], string(key))
		return f.round.Add(f.path, int(n), f.sums)
	})
}

// FinishBundle emits the sums.
func (f *expect) FinishBundle(emit func(int, []byte)) {
	if f.sums != nil {
		emitPieces(f.sums.Vector, emit)
		f.sums = nil
	}
}

// maximise makes the model after the round.
type maximise struct {
	Round EM
	Dir   string
}

// ProcessElement writes the model.
func (f *maximise) ProcessElement(_ []byte, next func(*Piece) bool, emit func(string)) error {
	m, err := f.Round.model()
	if err != nil {
		return err
	}
	sums := em.NewSums(m.Mixture)
	if err := vectorOf(sums.Vector, next); err != nil {
		return err
	}
	after, err := sums.Model(m, f.Round.Kappa)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(f.Dir, 0o755); err != nil {
		return err
	}
	file := filepath.Join(f.Dir, "model.safetensors")
	if err := pathfile.WriteWhole(file, after.Save); err != nil {
		return err
	}
	emit(fmt.Sprintf("%s: %.0f walks, NLL before %.17g nats per walk", file, sums.Walks(), sums.NLL()))
	return nil
}
