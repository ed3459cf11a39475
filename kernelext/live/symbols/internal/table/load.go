// Package table makes the symbol tables by which live cells know compiled packages. Types come from export data, which
// takes a second; a table is a function that is called when a session starts instead of a global that init fills.
package table

import (
	"bytes"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
)

// load returns the types of the packages, from the Go command's export data; it builds what is not in its cache.
func load(paths []string) (map[string]*types.Package, error) {
	cmd := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"},
		paths...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0") // the tables must hold everywhere
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("table: go list: %w: %s", err, stderr.String())
	}
	export := map[string]string{}
	for line := range strings.Lines(string(out)) {
		p, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		export[p] = file
	}
	imp := importer.ForCompiler(token.NewFileSet(), "gc", func(p string) (io.ReadCloser, error) {
		if export[p] == "" {
			return nil, fmt.Errorf("no export data of %s", p)
		}
		return os.Open(export[p])
	})
	pkgs := map[string]*types.Package{}
	for _, p := range paths {
		if pkgs[p], err = imp.Import(p); err != nil {
			return nil, fmt.Errorf("table: %w", err)
		}
	}
	return pkgs, nil
}
