package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/ddps-go/ddps/ddps/model"
)

// machine says where and with what the results were got.
type machine struct {
	CPU      string            `json:"cpu"`
	Cores    int               `json:"cores"`
	System   string            `json:"system"`
	Go       string            `json:"go"`
	GoMLX    string            `json:"gomlx"`
	Vectors  string            `json:"vectors"` // that the native engine uses: AVX-512, AVX2 or plain Go
	Revision string            `json:"revision"`
	Engines  map[string]string `json:"engines"` // what each says of itself
	Lacking  map[string]string `json:"lacking"` // by engine, why it did not run
	Before   string            `json:"load_before"`
	After    string            `json:"load_after"`
}

func newMachine() machine {
	m := machine{CPU: cpuName(), Cores: runtime.NumCPU(), System: runtime.GOOS + "/" + runtime.GOARCH,
		Go:      runtime.Version(),
		Vectors: model.Vectors(), Engines: map[string]string{}, Before: loadAverage(), Revision: "unknown"}
	if out, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output(); err == nil { // go run stamps none
		m.Revision = strings.TrimSpace(string(out))
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return m
	}
	for _, d := range info.Deps {
		if d.Path == "github.com/gomlx/gomlx" {
			m.GoMLX = d.Version
		}
	}
	return m
}

// cpuName returns what Linux calls the CPU, else the architecture.
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

// busy reports whether other work was waiting for the CPUs before the run.
func (m machine) busy() bool {
	var load float64
	_, err := fmt.Sscanf(m.Before, "%f", &load)
	return err == nil && load > float64(m.Cores)/2
}

// loadAverage returns those of the last 1, 5 and 15 minutes, "unknown" where the system does not report them.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if f := strings.Fields(string(text)); err == nil && len(f) >= 3 {
		return strings.Join(f[:3], ", ")
	}
	return "unknown"
}
