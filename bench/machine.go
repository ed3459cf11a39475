package main

import (
	"bufio"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// machine says where and with what the results were got.
type machine struct {
	CPU      string            `json:"cpu"`
	Cores    int               `json:"cores"`
	System   string            `json:"system"`
	Go       string            `json:"go"`
	GoMLX    string            `json:"gomlx"`
	Revision string            `json:"revision"`
	Engines  map[string]string `json:"engines"` // what each says of itself
	Lacking  map[string]string `json:"lacking"` // by engine, why it did not run
	Before   string            `json:"load_before"`
	After    string            `json:"load_after"`
}

func newMachine() machine {
	m := machine{CPU: cpuName(), Cores: runtime.NumCPU(), System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(),
		Engines: map[string]string{}, Before: loadAverage()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return m
	}
	for _, d := range info.Deps {
		if d.Path == "github.com/gomlx/gomlx" {
			m.GoMLX = d.Version
		}
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			m.Revision = s.Value[:min(12, len(s.Value))]
		}
	}
	return m
}

// cpuName returns what Linux calls the processor, else the architecture.
func cpuName() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// loadAverage returns those of the last 1, 5 and 15 minutes, "unknown" where the system does not tell.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if f := strings.Fields(string(text)); err == nil && len(f) >= 3 {
		return strings.Join(f[:3], ", ")
	}
	return "unknown"
}
