package d3pm_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/internal/backend"
	"github.com/ddps-go/ddps/ddps/internal/fast"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/net"
	"github.com/ddps-go/ddps/ddps/net/mlp"
	"github.com/ddps-go/ddps/ddps/net/unet"
)

// benchDevice returns Toy's models at their default sizes, with drawn weights, and the backend: XLA's, unless
// DDPS_BENCH_BACKEND names another.
func benchDevice(b *testing.B) (map[string]*model.Model, string) {
	spec := os.Getenv("DDPS_BENCH_BACKEND")
	if spec == "" {
		spec = "xla:cpu"
	}
	if _, err := backend.Open(spec); err != nil {
		b.Skip(err)
	}
	g, err := datasets.Toy(datasets.ToySeed)
	if err != nil {
		b.Fatal(err)
	}
	mlp := deviceModel(b, g, func(c *model.Config) { c.MLP = mlp.DefaultConfig() })
	unet := deviceModel(b, g, func(c *model.Config) {
		c.Network, c.UNet = model.NetworkUNet, unet.DefaultConfig()
		c.UNet.Backend = spec
	})
	return map[string]*model.Model{model.NetworkMLP: mlp, model.NetworkUNet: unet}, spec
}

// BenchmarkDevice is the whole reverse loop on Toy, on the host and on a backend: the time of one step of one sample.
func BenchmarkDevice(b *testing.B) {
	models, spec := benchDevice(b)
	for name, m := range models {
		joint := m.Sampler()
		joint.Steps = 8
		annealed := ascends(b, joint, 30, 2)
		annealed.Kernel = d3pm.Algorithm2()
		for how, s := range map[string]*d3pm.Sampler{"Joint": joint, "Algorithm2": annealed} {
			for where, host := range map[string]bool{"host": true, "backend": false} {
				b.Run(name+"/"+how+"/"+where, func(b *testing.B) {
					on := *s
					if on.Backend = spec; host {
						on.Engine, on.Backend = fast.Engine{}, ""
					}
					draw(b, &on, 1, 1) // compiled
					n := 512
					for b.Loop() {
						draw(b, &on, n, 1)
					}
					b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n*on.Steps), "µs/path-step")
				})
			}
		}
	}
}

// BenchmarkSweep is a sweep of eight λ, 160 samples each, compiling included: together, one after the other with one
// graph, and with a graph for each, as where λ is a constant of it.
func BenchmarkSweep(b *testing.B) {
	models, spec := benchDevice(b)
	for name, m := range models {
		for how, group := range map[string]int{"together": 8, "one by one": 1, "a graph each": -1} {
			b.Run(name+"/"+how, func(b *testing.B) {
				graphs := 0
				for b.Loop() {
					graphs += benchSweep(b, m, spec, group)
				}
				b.ReportMetric(float64(graphs)/float64(b.N), "graphs/op")
			})
		}
	}
}

// benchSweep draws a sweep, group λ at a time, and returns how many graphs were compiled: −1 stands for one at a time,
// on a model of its own.
func benchSweep(b *testing.B, m *model.Model, spec string, group int) (graphs int) {
	fresh := func() *d3pm.Sampler {
		own, err := model.New(m.Chain, m.Config, 1)
		if err != nil {
			b.Fatal(err)
		}
		s := own.Sampler()
		for i, p := range own.Net.Params() {
			copy(p.Data, m.Net.Params()[i].Data)
		}
		s.Steps, s.Backend, s.Kernel = 8, spec, d3pm.Algorithm2()
		return s
	}
	s, began := fresh(), time.Now()
	var each []*d3pm.Sampler
	for _, lambda := range []float64{1, 3, 10, 30, 100, 300, 1000, 3000} {
		if group < 0 && len(each) == 0 && lambda > 1 {
			s = fresh()
		}
		if each = append(each, ascends(b, s, lambda, 2)); len(each) < group {
			continue
		}
		if _, err := d3pm.SampleEach(context.Background(), each, 160, 1, nil); err != nil {
			b.Fatal(err)
		}
		if each = nil; group < 0 {
			graphs += s.Denoiser.(*model.Model).Net.(net.Graphed).Engine().Graphs()
		}
	}
	if group > 0 {
		graphs = s.Denoiser.(*model.Model).Net.(net.Graphed).Engine().Graphs()
	}
	b.Logf("%v", time.Since(began).Round(time.Millisecond))
	return graphs
}
