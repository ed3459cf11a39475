package run

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/ddps-go/ddps/ddps/model"
)

// The models of Toy, Heights and first names that come with the program, and the settings of the runs that they are
// from.
//
//go:generate sh weights/make.sh
//go:embed weights/*.safetensors weights/*.toml
var weights embed.FS

// ShippedPrefix begins the names by which shipped models stand where a run directory may: "shipped:toy".
const ShippedPrefix = "shipped:"

// ShippedNames lists the models that come with the program: trained on what MakeData makes of that name at PresetPaper.
func ShippedNames() []string { return []string{"toy", "heights", "names"} }

// Shipped returns the shipped model of a name, a copy of its own.
func Shipped(name string) (*model.Model, error) {
	data, err := weights.ReadFile("weights/" + name + ".safetensors")
	if err != nil {
		return nil, fmt.Errorf("run: there is no shipped model %q, but of %s", name, strings.Join(ShippedNames(), ", "))
	}
	return model.Load(bytes.NewReader(data))
}

// openShipped returns the run of a shipped model, with its data made anew.
func openShipped(name string) (*Run, error) {
	if _, err := Shipped(name); err != nil {
		return nil, err
	}
	cfg, err := ShippedConfig(name)
	if err != nil {
		return nil, err
	}
	data, err := MakeData(name, PresetPaper)
	return &Run{Dir: ShippedPrefix + name, Config: cfg, Data: data}, err
}

// ShippedConfig returns the settings of the run that a shipped model is from.
func ShippedConfig(name string) (cfg Config, err error) {
	if _, err = toml.DecodeFS(weights, "weights/"+name+".toml", &cfg); err != nil {
		err = fmt.Errorf("run: settings of %s%s: %w", ShippedPrefix, name, err)
	}
	return cfg, err
}

// shipped reports whether the run is that of a shipped model, and of which.
func (r *Run) shipped() (name string, ok bool) { return strings.CutPrefix(r.Dir, ShippedPrefix) }

// OpenModel returns the model of a run directory, with its run, or that of a file of weights or of "shipped:" and a
// name (ShippedNames), without one. Run.Warn of the run is warn.
func OpenModel(path string, warn func(string)) (*model.Model, *Run, error) {
	if name, ok := strings.CutPrefix(path, ShippedPrefix); ok {
		m, err := Shipped(name)
		return m, nil, err
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		m, err := loadModel(path)
		return m, nil, err
	}
	r, err := Open(path)
	if err != nil {
		return nil, nil, err
	}
	r.Warn = warn
	m, err := r.Model()
	return m, r, err
}
