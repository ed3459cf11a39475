package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/ddps-go/ddps/ddps/model"
)

// versionInfo is what a run depends on besides its settings: for --version,
// doctor and run directories.
type versionInfo struct {
	DDPS     string `json:"ddps" toml:"ddps"`
	Revision string `json:"revision,omitempty" toml:"revision,omitempty"` // of the source, +dirty where changed
	Go       string `json:"go" toml:"go"`
	GoMLX    string `json:"gomlx" toml:"gomlx"`
	GoXLA    string `json:"go_xla,omitempty" toml:"go_xla,omitempty"` // where it is linked
	Gonum    string `json:"gonum" toml:"gonum"`
	Platform string `json:"platform" toml:"platform"`
	Cgo      bool   `json:"cgo" toml:"cgo"`
	Tags     string `json:"tags,omitempty" toml:"tags,omitempty"` // of the build
	Vectors  string `json:"vectors" toml:"vectors"`               // what sampling and the native networks work in here
}

// Versions reads what the toolchain put into the program.
func Versions() versionInfo {
	v := versionInfo{DDPS: "unknown", Go: runtime.Version(), GoMLX: "unknown", Gonum: "unknown",
		Platform: runtime.GOOS + "/" + runtime.GOARCH, Vectors: model.Vectors()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if v.DDPS = info.Main.Version; v.DDPS == "" {
		v.DDPS = "(devel)"
	}
	for _, m := range info.Deps {
		switch m.Path {
		case "github.com/gomlx/gomlx":
			v.GoMLX = m.Version
		case "github.com/gomlx/go-xla":
			v.GoXLA = m.Version
		case "gonum.org/v1/gonum":
			v.Gonum = m.Version
		}
	}
	dirty := ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				dirty = "+dirty"
			}
		case "CGO_ENABLED":
			v.Cgo = s.Value == "1"
		case "-tags":
			v.Tags = s.Value
		}
	}
	if v.Revision != "" {
		v.Revision += dirty
	}
	return v
}

// Build says how the program was built.
func (v versionInfo) Build() string {
	s := "without cgo"
	if v.Cgo {
		s = "with cgo"
	}
	if v.Tags != "" {
		s += ", tags " + v.Tags
	}
	return s
}

// String returns the text of --version.
func (v versionInfo) String() string {
	s := "ddps " + v.DDPS
	if v.Revision != "" {
		s += " (" + v.Revision + ")"
	}
	s += fmt.Sprintf("\n%s, %s, %s, sampling in %s\ngomlx %s, gonum %s", v.Go, v.Platform, v.Build(), v.Vectors, v.GoMLX,
		v.Gonum)
	if v.GoXLA != "" {
		s += ", go-xla " + v.GoXLA
	}
	return s + "\n"
}
