package setup

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Tools are the programs that compiled cells need, by path.
type Tools struct {
	Go        string   // the go command
	GoNB      string   // the compiler behind the kernel
	GoImports string   // without it no cell is compiled
	Gopls     string   // completes and explains; "" does without
	Shim      []string // the command line prefix that runs Shim
}

// FindModule returns the directory of the go.mod that dir belongs to.
func FindModule(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return "", err
	}
	for d := abs; ; d = filepath.Dir(d) {
		if info, err := os.Stat(filepath.Join(d, "go.mod")); err == nil && info.Mode().IsRegular() {
			return d, nil
		}
		if d == filepath.Dir(d) {
			return "", fmt.Errorf("the notebook's directory %s belongs to no Go module, so that compiled cells have no "+
				"packages to import. "+
				"Move the notebook into one, or make one there: go mod init example, then go get github.com/ddps-go/ddps", abs)
		}
	}
}

// errTools is what a missing tool comes down to.
var errTools = errors.New("run: ddps kernel install")

// FindTools looks for the tools: in the directory that Setup fills and, for those it lacks, in PATH. goTool is the go
// command to prefer, "" for that of PATH or of the usual places.
func FindTools(goTool string, shim []string) (Tools, error) {
	t := Tools{Go: goTool, Shim: shim}
	if t.Go == "" || !isProgram(t.Go) {
		t.Go = FindGo()
	}
	if t.Go == "" {
		return t, errors.New("there is no go command, neither in PATH nor in the usual places; install Go 1.26 from " +
			"https://go.dev/dl, then run: ddps kernel install")
	}
	bin, err := ToolFolder()
	if err != nil {
		return t, err
	}
	for name, to := range map[string]*string{"gonb": &t.GoNB, "goimports": &t.GoImports, "gopls": &t.Gopls} {
		if *to = filepath.Join(bin, name); !isProgram(*to) {
			*to, _ = exec.LookPath(name)
		}
	}
	if t.GoNB == "" {
		return t, fmt.Errorf("GoNB, which compiles the cells, is missing; %w", errTools)
	}
	if t.GoImports == "" {
		return t, fmt.Errorf("goimports, which every cell goes through, is missing; %w", errTools)
	}
	return t, nil
}

// FindGo looks for the go command in PATH and where installers put it.
func FindGo() string {
	if path, err := exec.LookPath("go"); err == nil {
		if path, err = filepath.Abs(path); err == nil {
			return path
		}
	}
	home, _ := os.UserHomeDir()
	for _, path := range []string{os.Getenv("GOROOT") + "/bin/go", "/usr/local/go/bin/go", "/opt/homebrew/bin/go",
		"/usr/lib/go/bin/go",
		home + "/go/bin/go", home + "/.local/go/bin/go", "/snap/bin/go"} {
		if isProgram(path) {
			return path
		}
	}
	return ""
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
