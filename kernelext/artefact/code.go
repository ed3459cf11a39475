package artefact

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// Code identifies f and the code that it and all that it calls was built from:
//
//   - the sources of this module and of f's own, if they are there and no newer than the program. Of a package main,
//     as a compiled cell is one, only the declarations that f reaches count, so that another cell's change costs
//     nothing;
//   - with them the Go version and those of all modules in go.mod and go.sum, and of what else is linked;
//   - otherwise the program itself, byte for byte.
func Code(f any) (string, error) {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() {
		return "", fmt.Errorf("artefact: code of a %T", f)
	}
	exe, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("artefact: %w", err)
	}
	built, err := os.Stat(exe)
	if err != nil {
		return "", fmt.Errorf("artefact: %w", err)
	}
	name := nameOf(f) + " in "
	if s, err := sources(v.Pointer(), built.ModTime()); err == nil {
		return name + s, nil
	}
	s, err := program(exe)
	return name + s, err
}

// nameOf returns the name of a function.
func nameOf(f any) string { return runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name() }

// program hashes the executable.
func program(exe string) (string, error) {
	file, err := os.Open(exe)
	if err != nil {
		return "", fmt.Errorf("artefact: %w", err)
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", fmt.Errorf("artefact: %w", err)
	}
	return "program " + hex.EncodeToString(h.Sum(nil)), nil
}

// sources hashes the sources of this module, of the module of the function at pc, and the versions of all others.
func sources(pc uintptr, built time.Time) (string, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", fmt.Errorf("artefact: no build information")
	}
	h := newHasher()
	h.text(runtime.Version() + " " + runtime.GOOS + " " + runtime.GOARCH)
	for _, s := range info.Settings {
		if strings.HasPrefix(s.Key, "-") || s.Key == "CGO_ENABLED" || strings.HasPrefix(s.Key, "GO") {
			h.text(s.Key + "=" + s.Value)
		}
	}
	_, here, _, _ := runtime.Caller(0)
	own, err := moduleRoot(here)
	if err != nil {
		return "", err
	}
	if err := h.versions(own, info.Deps); err != nil {
		return "", err
	}
	if err := h.scratch(own, built); err != nil {
		return "", err
	}
	fn := runtime.FuncForPC(pc)
	file, line := fn.FileLine(pc)
	if root, err := moduleRoot(file); err == nil && root == own {
		return "sources " + hex.EncodeToString(h.sum()), nil
	}
	if !strings.HasPrefix(fn.Name(), "main.") {
		return "", fmt.Errorf("artefact: %s belongs to neither this module nor a package main", fn.Name())
	}
	if err := h.reached(file, line, built); err != nil {
		return "", err
	}
	return "sources " + hex.EncodeToString(h.sum()), nil
}

// moduleRoot returns the directory above file that holds go.mod.
func moduleRoot(file string) (string, error) {
	if !filepath.IsAbs(file) {
		return "", fmt.Errorf("artefact: built with -trimpath")
	}
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("artefact: no go.mod above %s", file)
		}
	}
}

// versions hashes those of all modules that this one may use, as its go.mod and go.sum have them, and of what else is
// in the program. The program itself lists only what it links: of two cells with the same f each may link other
// modules.
func (h *hasher) versions(root string, deps []*debug.Module) error {
	var known string
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return fmt.Errorf("artefact: %w", err)
		}
		known += string(data)
	}
	h.text(known)
	for _, d := range deps {
		if d.Replace != nil || !strings.Contains(known, "\n"+d.Path+" "+d.Version+" ") {
			h.text(fmt.Sprint(d.Path, " ", d.Version, " ", d.Sum, d.Replace))
		}
	}
	return nil
}

// directory hashes the Go files and embedded ones below a module's root. A file newer than the program is an error: the
// program was built from another.
func (h *hasher) scratch(root string, built time.Time) error {
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || slices.Contains([]string{"testdata", "runs", "out", "docs",
				"notebooks"}, name)) {
				return fs.SkipDir
			}
			return nil
		}
		if (strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")) || strings.HasSuffix(name, ".pbf") ||
			strings.HasSuffix(name, ".go.txt") {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("artefact: %w", err)
	}
	for _, path := range files {
		data, err := readOld(path, built)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return fmt.Errorf("artefact: %w", err)
		}
		h.text(filepath.ToSlash(rel))
		h.text(string(data))
	}
	return nil
}

// readOld reads a file that is not newer than the program.
func readOld(path string, built time.Time) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("artefact: %w", err)
	}
	if st.ModTime().After(built) {
		return nil, fmt.Errorf("artefact: %s is newer than the program", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("artefact: %w", err)
	}
	return data, nil
}

// reached hashes the declarations of the package of file that the function at line uses, directly or not.
func (h *hasher) reached(file string, line int, built time.Time) error {
	names, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*.go"))
	if err != nil {
		return fmt.Errorf("artefact: %w", err)
	}
	p := newMain()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, err := readOld(name, built)
		if err != nil {
			return err
		}
		if err := p.parse(name, data); err != nil {
			return fmt.Errorf("artefact: %w", err)
		}
	}
	texts, err := p.reach(file, line)
	if err != nil {
		return err
	}
	for _, t := range texts {
		h.text(t)
	}
	return nil
}
