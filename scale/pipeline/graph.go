package pipeline

import (
	"fmt"
	"os"
	"sync"

	"github.com/ddps-go/ddps/ddps"
)

// graphs are the graphs that this worker has read, by file.
var graphs sync.Map

// loadGraph reads a graph once a worker.
func loadGraph(file string) (*ddps.LayeredGraph, error) {
	if g, ok := graphs.Load(file); ok {
		return g.(*ddps.LayeredGraph), nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("graph: %w", err)
	}
	defer f.Close()
	g, err := ddps.ReadGraph(f)
	if err != nil {
		return nil, fmt.Errorf("graph %s: %w", file, err)
	}
	first, _ := graphs.LoadOrStore(file, g)
	return first.(*ddps.LayeredGraph), nil
}
