package swingnn

import (
	"fmt"
	"io"

	"github.com/ddps-go/ddps/ddps/baselines"
)

// Kind is what files of this package's networks are called.
const Kind = "swingnn"

// fileConfig is what a file says of its network besides the weights. The backend is not in it: any runs them.
type fileConfig struct {
	Vertices int
	Network  Config
}

func (n *Model) file() fileConfig { return fileConfig{n.V, n.cfg} }

// Save writes the network in the safetensors format. The same network gives the same bytes.
func (n *Model) Save(w io.Writer) error { return baselines.Write(w, Kind, n.file(), n.params) }

// Load reads a network from its file, or from a checkpoint, of which it takes the averaged weights. It runs on the Go
// backend unless SetBackend says otherwise. The error says what is missing or damaged.
func Load(r io.Reader) (*Model, error) {
	f, err := baselines.Read(r, Kind)
	var c fileConfig
	if err == nil {
		err = f.Config(&c)
	}
	var n *Model
	if err == nil {
		n, err = New(c.Vertices, c.Network, 0)
	}
	if err == nil {
		err = f.Weights(n.params)
	}
	if err != nil {
		return nil, fmt.Errorf("swingnn: load: %w", err)
	}
	return n, nil
}

// SetBackend sets what the network runs on, before its first use.
func (n *Model) SetBackend(spec string) { n.cfg.Backend = spec }

// ReadWeights sets the weights to those of a file or checkpoint of a network with the same settings, the averaged ones
// of a checkpoint. After an error the weights may be of either.
func (n *Model) ReadWeights(r io.Reader) error {
	f, err := baselines.Read(r, Kind)
	if err == nil {
		err = f.Weights(n.params)
	}
	if err != nil {
		return fmt.Errorf("swingnn: weights: %w", err)
	}
	return nil
}
