package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/net/mlp"
	"github.com/ddps-go/ddps/ddps/train"
	"github.com/ddps-go/ddps/internal/cputime"
)

// worker answers requests: this project's engines. backend is "native" or what GoMLX is to run networks on.
type worker struct {
	backend string
	threads int
	models  map[string]*model.Model
	sources map[string]*train.Source
	warm    map[string]bool // what has been opened and compiled
}

// serve answers the requests of in on out until in ends.
func serve(in io.Reader, out io.Writer, backend string, threads int) error {
	runtime.GOMAXPROCS(threads)
	w := &worker{backend, threads, map[string]*model.Model{}, map[string]*train.Source{}, map[string]bool{}}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var q ask
		err := json.Unmarshal(lines.Bytes(), &q)
		var a answer
		if err == nil {
			a, err = w.answer(q)
		}
		if err != nil {
			a.Error = err.Error()
		}
		a.RSS = peakMemory()
		if err := json.NewEncoder(out).Encode(a); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (w *worker) answer(q ask) (answer, error) {
	switch q.Op {
	case "hello":
		return answer{Note: fmt.Sprintf("%s, %s, %s", runtime.Version(), w.backend, model.Vectors())}, nil
	case "check":
		return w.check(q)
	case "sample":
		return w.sample(q)
	case "train":
		return w.train(q)
	case "learn":
		return w.learn(q)
	case "fidelity":
		return w.fidelity(q)
	}
	return answer{}, fmt.Errorf("unknown request %q", q.Op)
}

// timed sets a's times to those of f.
func (a *answer) timed(f func() error) error {
	wall, cpu := time.Now(), cputime.Process()
	err := f()
	a.Seconds, a.CPU = time.Since(wall).Seconds(), cputime.Process()-cpu
	return err
}

// peakMemory returns the greatest resident size so far, in bytes, 0 where the system does not tell. Linux's getrusage
// would not do: there a process begins with the size of the one that started it.
func peakMemory() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		var kB float64
		if _, err := fmt.Sscanf(line, "VmHWM: %f kB", &kB); err == nil {
			return kB * 1024
		}
	}
	return 0
}

// model loads a case, its network on the worker's backend.
func (w *worker) model(directory string) (*model.Model, error) {
	if m := w.models[directory]; m != nil {
		return m, nil
	}
	f, err := os.Open(filepath.Join(directory, "model.safetensors"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := model.Load(f)
	if err != nil {
		return nil, err
	}
	if w.backend != "native" {
		if m, err = onBackend(m, w.backend); err != nil {
			return nil, err
		}
	}
	w.models[directory] = m
	return m, nil
}

// onBackend returns m with its network training, and where GoMLX can sampling too, on a backend.
func onBackend(m *model.Model, backend string) (*model.Model, error) {
	cfg := m.Config
	cfg.SetBackend(backend)
	n, err := model.New(m.Chain, cfg, 0)
	if err != nil {
		return nil, err
	}
	for i, p := range n.Net.Params() {
		copy(p.Data, m.Net.Params()[i].Data)
	}
	if mlp, ok := n.Net.(*mlp.Network); ok {
		n.Net, err = newDevice(mlp, m.Graph, m.Schedule.T(), backend)
	}
	return n, err
}

// check returns the greatest differences from what the case's probe holds.
func (w *worker) check(q ask) (a answer, err error) {
	m, err := w.model(q.Case)
	if err != nil {
		return a, err
	}
	var want []probe
	if err := readJSON(filepath.Join(q.Case, "probe.json"), &want); err != nil {
		return a, err
	}
	got, err := probes(m)
	if err != nil {
		return a, err
	}
	for k, p := range want {
		for i := range p.X {
			for e, counts := range p.Counts[i] {
				if counts {
					a.OutDiff = max(a.OutDiff, abs(float64(p.Out[i][e])-float64(got[k].Out[i][e])))
					a.PiDiff = max(a.PiDiff, abs(p.Pi[i][e]-got[k].Pi[i][e]))
				}
			}
		}
	}
	return a, nil
}

func abs(x float64) float64 { return max(x, -x) }

// sample runs whole reverse loops of at least N paths; with Limit, of so many steps spread over the same times.
func (w *worker) sample(q ask) (a answer, err error) {
	m, err := w.model(q.Case)
	if err != nil {
		return a, err
	}
	s := m.Sampler()
	s.Batch, s.Threads, s.Steps = q.Batch, w.threads, q.Steps
	if q.Limit > 0 {
		s.Steps = q.Limit
	}
	if s.Kernel = d3pm.Austin(); q.Kernel == "joint" {
		s.Kernel = d3pm.Joint()
	}
	n := (q.N + q.Batch - 1) / q.Batch * q.Batch
	if key := fmt.Sprint(q.Case, q.Batch); !w.warm[key] {
		first := *s
		first.Steps = 1
		if _, err := first.Sample(context.Background(), q.Batch, 1); err != nil {
			return a, err
		}
		w.warm[key] = true
	}
	err = a.timed(func() error {
		_, err := s.Sample(context.Background(), n, 2)
		return err
	})
	a.Count = float64(n) * float64(s.Steps)
	return a, err
}
