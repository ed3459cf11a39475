package plugin

import (
	"github.com/ddps-go/ddps/ddps/internal/backend"
	"github.com/ddps-go/ddps/ddps/internal/probe"
)

// BuildCommand builds ddps with XLA, where its source is.
const BuildCommand = backend.BuildCommand

// Linked reports whether this program can open XLA at all.
const Linked = backend.Linked

// Report is what Probe found of a backend.
type Report = probe.Report

// Find returns the file of the plugin called name ("cpu", "cuda") that a backend would open.
func Find(name string) (string, error) { return backend.Find(name) }

// Check looks at a plugin file without loading it.
func Check(path string) error { return backend.Check(path) }

// Probe opens a backend ("go", "go:large", "xla:cpu", "xla:cuda", "xla:" and a plugin file's absolute path, "auto")
// and compares a matrix product and its gradients with plain Go. A plugin that crashes takes the process along.
func Probe(spec string) (Report, error) { return probe.Probe(spec) }

// API loads a plugin file and returns its version of the PJRT API. A plugin that crashes takes the process along.
func API(path string) (string, error) { return backend.API(path) }
