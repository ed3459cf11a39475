// Package plugin installs and removes the PJRT plugins that XLA runs on, and says of GoMLX's backends what the
// programs above need to know: where their plugins are and whether they work.
//
// A plugin comes out of a pinned wheel of the Python package index (by its JSON API, PEP 691, without Python), or from
// a file, an address or the release that go-xla's own installer uses; downloads are checked against a SHA-256 that is
// pinned here or given. It is there whole or not at all:
// it is downloaded and unpacked to temporary files beside its place, checked, synced to the disk and renamed. One
// process at a time works in a directory; what one that was killed left there is removed by the next.
package plugin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/ddps-go/ddps/ddps/internal/backend"
)

// Where a plugin may come from, besides a file's path and an address.
const (
	FromAuto   = "auto"   // the package index
	FromIndex  = "index"  // a pinned wheel of the package index
	FromGithub = "github" // "github#sha256=…": the release that go-xla's own installer uses, CPU only
)

// Config says what to install.
type Config struct {
	Plugin   string                               // cpu or cuda
	From     string                               // FromAuto (also if empty), FromIndex, FromGithub, a file or an address
	Dir      string                               // directory of plugins, by default backend.DefaultDir
	Progress func(what string, done, total int64) // told while a download comes, in bytes; may be nil
	Wait     func()                               // told once if another process is at work in the directory; may be nil
}

// Result is what was installed.
type Result struct {
	File    string // the plugin's
	From    string // wheel, file or address that it came from
	SHA256  string // of the plugin
	Size    int64  // of the plugin, in bytes
	API     string // its version of the PJRT API, "" if not known
	Pinned  bool   // it is a plugin whose sum this program knows
	Already bool   // it was there before, and nothing was done
}

// installer is a Config with what it depends on.
type installer struct {
	Config
	system  string // GOOS/GOARCH
	wheels  []Wheel
	release string
	net     network
}

// Install installs a plugin. Errors of places that cannot be reached are *Unreachable.
func Install(ctx context.Context, cfg Config) (Result, error) {
	n, err := newNetwork()
	if err != nil {
		return Result{}, fmt.Errorf("plugin: install xla:%s: %w", cfg.Plugin, err)
	}
	system := runtime.GOOS + "/" + runtime.GOARCH
	i := installer{cfg, system, pinned(), releaseURL(system), n}
	return i.run(ctx)
}

// run downloads, checks and installs the plugin.
func (i *installer) run(ctx context.Context) (r Result, err error) {
	defer func() {
		if err != nil && ctx.Err() != nil {
			err = ctx.Err()
		}
		if err != nil {
			r, err = Result{}, fmt.Errorf("plugin: install xla:%s: %w", i.Plugin, err)
		}
	}()
	file, err := place(i.Plugin, i.Dir)
	if err != nil {
		return r, err
	}
	if os, _, _ := strings.Cut(i.system, "/"); os != "darwin" && i.system != "linux/amd64" {
		return r, fmt.Errorf("XLA runs on linux/amd64 and darwin only, this is %s", i.system)
	}
	directory := filepath.Dir(file)
	unlock, err := lock(ctx, directory, i.Wait)
	if err != nil {
		return r, err
	}
	defer unlock()
	sweep(directory)
	if w, ok := i.wheel(); ok && (i.From == "" || i.From == FromAuto || i.From == FromIndex) {
		if there, ok := known(file, []Wheel{w}); ok {
			return Result{file, there.String(), there.plugin.sha256, there.plugin.size, there.API, true, true}, nil
		}
	}
	s, err := i.source(ctx, directory)
	if err != nil {
		return r, i.roomFor(err, directory)
	}
	defer s.Close()
	r, err = i.put(ctx, s, file)
	return r, i.roomFor(err, directory)
}

// place returns where the plugin belongs.
func place(plugin, dir string) (string, error) {
	if plugin != "cpu" && plugin != "cuda" {
		return "", fmt.Errorf("unknown plugin %q: expected cpu or cuda", plugin)
	}
	var err error
	if dir == "" {
		if dir, err = backend.DefaultDir(); err != nil {
			return "", err
		}
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", err
	}
	if strings.Contains(dir, ",") {
		return "", fmt.Errorf("directory %s: GoMLX cannot take a path with a comma", dir)
	}
	return backend.File(dir, plugin), nil
}

// wheel is the pinned wheel for this system.
func (i *installer) wheel() (Wheel, bool) {
	for _, w := range i.wheels {
		if w.Plugin == i.Plugin && w.System == i.system {
			return w, true
		}
	}
	return Wheel{}, false
}

// source opens what to install from, after a download into directory if need be.
func (i *installer) source(ctx context.Context, directory string) (*source, error) {
	from, fragment, _ := strings.Cut(i.From, "#")
	switch {
	case from == "" || from == FromAuto || from == FromIndex:
		return i.fromIndex(ctx, directory)
	case from == FromGithub:
		return i.fromRelease(ctx, fragment, directory)
	case strings.Contains(from, "://"):
		return i.fromURL(ctx, i.From, directory)
	default:
		return i.fromFile(i.From)
	}
}

// put unpacks the source beside file, checks what came, and gives it its name.
func (i *installer) put(ctx context.Context, s *source, file string) (Result, error) {
	part, err := temporary(filepath.Dir(file))
	if err != nil {
		return Result{}, err
	}
	defer os.Remove(part.Name()) // nothing once it has its name
	defer part.Close()
	got, err := s.unpack(ctx, part)
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", s.name, err)
	}
	for _, end := range []func() error{func() error { return part.Chmod(0o644) }, part.Sync, part.Close} {
		if err := end(); err != nil {
			return Result{}, err
		}
	}
	if err := backend.Check(part.Name()); err != nil { // its name says nothing to anyone
		return Result{}, errors.New(strings.ReplaceAll(err.Error(), part.Name(), "of "+s.name))
	}
	r := Result{File: file, From: s.name, SHA256: got.sha256, Size: got.size}
	for _, w := range i.wheels {
		if w.plugin != got {
			continue
		}
		if r.API, r.Pinned = w.API, true; w.Plugin != i.Plugin {
			return Result{}, fmt.Errorf("%s is the plugin of xla:%s", s.name, w.Plugin)
		}
	}
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	if err := os.Rename(part.Name(), file); err != nil {
		return Result{}, err
	}
	syncDir(filepath.Dir(file))
	return r, nil
}

// roomFor says how much room is wanted if err is that there is none.
func (i *installer) roomFor(err error, directory string) error {
	if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT) {
		return err
	}
	err = reason(err)
	if w, ok := i.wheel(); ok {
		return fmt.Errorf("writing into %s: %w: %d MiB are wanted there", directory, err, (w.wheel.size+w.plugin.size)>>20+1)
	}
	return fmt.Errorf("writing into %s: %w", directory, err)
}
