package xla

import (
	"fmt"

	"github.com/gomlx/gomlx/pkg/core/graph"

	"github.com/ddps-go/ddps/ddps/internal/backend"
)

// CheckBackend opens the backend that spec names ("go", "go:large", "xla:cpu", "xla:cuda", "xla:" and a plugin
// file's absolute path, "auto") and runs a small gradient on it: ∇Σ(xW)² = 2(xW)Wᵀ. It returns one line on what
// was opened. The error says what is missing, or what the backend made of the sum; nothing panics.
func CheckBackend(spec string) (description string, err error) {
	b, note, err := backend.OpenNoted(spec)
	if err != nil {
		return "", err
	}
	defer func() {
		if r := recover(); r != nil {
			description, err = "", fmt.Errorf("backend %s: %v", spec, r)
		}
	}()
	defer b.Finalize()
	out, err := graph.ExecOnce(b, func(x, w *graph.Node) *graph.Node {
		return graph.Gradient(graph.ReduceAllSum(graph.Square(graph.Dot(x, w))), x)[0]
	}, [][]float32{{1, 2}}, [][]float32{{1, 0}, {1, 3}}) // xW = (3, 6)
	if err != nil {
		return "", fmt.Errorf("backend %s: %w", spec, err)
	}
	got, ok := out.Value().([][]float32)
	if !ok || len(got) != 1 || len(got[0]) != 2 || got[0][0] != 6 || got[0][1] != 42 {
		return "", fmt.Errorf("backend %s: computed %v, not [[6 42]]", spec, out.Value())
	}
	return note, nil
}
