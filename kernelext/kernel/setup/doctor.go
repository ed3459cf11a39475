package setup

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Finding is what a check of the doctor found.
type Finding struct {
	Level  Level
	What   string // was looked at
	Detail string // what was found and, if it is bad, what to do
}

// Level says how bad a finding is.
type Level int

// Levels: all is well; something works less well; cells do not run.
const (
	OK Level = iota
	Warn
	Fail
)

// slowBuild is the time above which a build of one small program tells of a cold cache.
const slowBuild = 4 * time.Second

// Doctor looks whether notebooks can run in dir: Jupyter, Go, the tools, the kernelspec, the module, the build cache.
// goTool is the go command to prefer.
func Doctor(ctx context.Context, dir, goTool string) []Finding {
	list := []Finding{jupyterFinding(ctx, ownPython(dir))}
	goFound := goFinding(ctx, goTool)
	list = append(list, goFound)
	list = append(list, toolFindings(goTool)...)
	list = append(list, specFinding(ownPython(dir)))
	module, err := FindModule(dir)
	if err != nil {
		return append(list, Finding{Fail, "module", err.Error()})
	}
	list = append(list, Finding{OK, "module", module})
	if goFound.Level == Fail {
		return list
	}
	return append(list, cacheFinding(ctx, goTool, module))
}

// ownPython is the Python environment that make setup makes in the module of dir, "" if there is none.
func ownPython(dir string) string {
	module, err := FindModule(dir)
	if venv := filepath.Join(module, ".venv"); err == nil && isProgram(filepath.Join(venv, "bin", "jupyter")) {
		return venv
	}
	return ""
}

// jupyterFinding looks for Jupyter in PATH, then in the environment own, which may be "".
func jupyterFinding(ctx context.Context, own string) Finding {
	path, err := exec.LookPath("jupyter")
	switch {
	case err != nil && own != "":
		path = filepath.Join(own, "bin", "jupyter")
	case err != nil:
		return Finding{Warn, "jupyter", "not in PATH; install it, pip install jupyterlab, or activate the environment " +
			"that has it"}
	}
	text, err := exec.CommandContext(ctx, path, "kernelspec", "list", "--json").Output()
	if err != nil {
		return Finding{Warn, "jupyter", fmt.Sprintf("%s does not list its kernels (%v); install it anew", path, err)}
	}
	var specs struct {
		List map[string]struct {
			Dir string `json:"resource_dir"`
		} `json:"kernelspecs"`
	}
	if json.Unmarshal(text, &specs) != nil {
		return Finding{Warn, "jupyter", path + " does not list its kernels as JSON"}
	}
	if _, ok := specs.List[Name]; !ok {
		return Finding{Fail, "jupyter", path + " does not see the kernel; run: ddps kernel install (with --sys-prefix " +
			"inside a Python environment)"}
	}
	return Finding{OK, "jupyter", path + " sees the kernel in " + specs.List[Name].Dir}
}

func goFinding(ctx context.Context, goTool string) Finding {
	if goTool == "" {
		goTool = FindGo()
	}
	if goTool == "" {
		return Finding{Fail, "go", "not found; install Go 1.26 from https://go.dev/dl"}
	}
	text, err := exec.CommandContext(ctx, goTool, "version").Output()
	if err != nil {
		return Finding{Fail, "go", fmt.Sprintf("%s does not run: %v", goTool, err)}
	}
	version := strings.TrimSpace(string(text))
	if _, err := exec.LookPath("go"); err != nil {
		return Finding{Warn, "go", fmt.Sprintf("%s, at %s, not in PATH: the kernel finds it, lines such as !go do too, "+
			"but not your terminal", version, goTool)}
	}
	return Finding{OK, "go", version + ", " + goTool}
}

func toolFindings(goTool string) []Finding {
	t, err := FindTools(goTool, nil)
	row := func(what, path, without string, level Level) Finding {
		if path == "" {
			return Finding{level, what, "missing, " + without + "; run: ddps kernel install"}
		}
		return Finding{OK, what, path}
	}
	if err != nil && t.Go == "" {
		return nil
	}
	return []Finding{row("gonb", t.GoNB, "no cell is compiled", Fail), row("goimports", t.GoImports, "no cell is compiled",
		Fail),
		row("gopls", t.Gopls, "no completion in compiled cells", Warn)}
}

// specFinding looks at the user's kernelspec, and that of the environment own, which may be "".
func specFinding(own string) Finding {
	var dirs []string
	if data, err := UserData(); err == nil {
		dirs = append(dirs, specFolder(data))
	}
	if prefix, err := SysPrefix(); err == nil {
		dirs = append(dirs, specFolder(PrefixData(prefix)))
	}
	if own != "" {
		dirs = append(dirs, specFolder(PrefixData(own)))
	}
	for _, dir := range dirs {
		data, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
		if err != nil {
			continue
		}
		var spec Spec
		if json.Unmarshal(data, &spec) != nil || len(spec.Argv) == 0 {
			return Finding{Fail, "kernelspec", dir + " is damaged; run: ddps kernel install"}
		}
		if !isProgram(spec.Argv[0]) {
			return Finding{Fail, "kernelspec", fmt.Sprintf("%s names %s, which is not there; run: ddps kernel install", dir,
				spec.Argv[0])}
		}
		return Finding{OK, "kernelspec", dir + " runs " + spec.Argv[0]}
	}
	return Finding{Warn, "kernelspec", "none in " + strings.Join(dirs, " or ") + "; run: ddps kernel install"}
}

// cacheFinding builds a small program as a cell would be and takes the time.
func cacheFinding(ctx context.Context, goTool, module string) Finding {
	if goTool == "" {
		goTool = FindGo()
	}
	dir, err := os.MkdirTemp("", "ddps-doctor-")
	if err != nil {
		return Finding{Fail, "build cache", err.Error()}
	}
	defer os.RemoveAll(dir)
	main := "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println() }\n"
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(main), 0o600); err != nil {
		return Finding{Fail, "build cache", err.Error()}
	}
	run := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, goTool, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS="+CellFlags(os.Getenv("GOFLAGS")), "GOWORK=")
		return cmd.CombinedOutput()
	}
	start := time.Now()
	for _, args := range [][]string{{"mod", "init", "probe"}, {"work", "init", ".", module}, {"build", LinkFlags, "-o",
		"probe", "."}} {
		if text, err := run(args...); err != nil {
			return Finding{Fail, "build cache", "a program does not build in a workspace with the module: " +
				headLine(string(text))}
		}
	}
	took := time.Since(start)
	if took > slowBuild {
		return Finding{Warn, "build cache", fmt.Sprintf("cold: a small program took %.1f s to build; run: ddps kernel warm",
			took.Seconds())}
	}
	return Finding{OK, "build cache", fmt.Sprintf("a small program builds in %.2f s", took.Seconds())}
}

// headLine returns the first line of a text.
func headLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
