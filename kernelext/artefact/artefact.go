// Package artefact keeps results by what they were made from: the code, the settings and the inputs. A result is
// found again only where all of these are the same, so that none is ever stale.
//
//	distribution, err := artefact.Cached(ctx, "runs/artefacts", func(ctx context.Context) ([]float64, error) {
//		return slow(ctx, cfg, data)
//	}, "distribution", cfg, data)
//
// Results are files, written whole and renamed; processes that want the same one wait for the first.
package artefact

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/ddps-go/ddps/internal/atomicfile"
)

// Key returns what names a result: a hash of the code (see Code) and of the parts, to the last field, exported or
// not. The parts must be all that the result depends on. The error says which of them has no value to hash: a
// function, a channel.
func Key(code string, parts ...any) (string, error) {
	h := newHasher()
	h.text(code)
	for i, p := range parts {
		if err := h.add(p); err != nil {
			return "", fmt.Errorf("artefact: part %d: %w", i+1, err)
		}
	}
	return hex.EncodeToString(h.sum())[:40], nil
}

// File returns a part that stands for the content of a file.
func File(path string) (Content, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Content{}, fmt.Errorf("artefact: %w", err)
	}
	return Content{sha256.Sum256(data)}, nil
}

// Content is the content of a file, as a part of a key.
type Content struct{ sum [sha256.Size]byte }

// Cached returns the result of compute from the directory dir if it is there, and else computes and keeps it. T is
// stored by encoding/gob: it must be all exported fields, or know how to encode itself. Nothing is kept if compute
// fails. A damaged file counts as none. Processes and goroutines that want the same result compute it once; a wait
// ends with ctx.
func Cached[T any](ctx context.Context, dir string, compute func(context.Context) (T, error), parts ...any) (T, error) {
	if err := lossless[T](); err != nil {
		var zero T
		return zero, err
	}
	return CachedBy(ctx, dir, Gob[T](), compute, parts...)
}

// CachedBy is Cached for results that c stores.
func CachedBy[T any](ctx context.Context, dir string, c Codec[T], compute func(context.Context) (T, error),
	parts ...any) (T, error) {
	var zero T
	code, err := Code(compute)
	if err != nil {
		return zero, err
	}
	key, err := Key(code, append([]any{fmt.Sprintf("%T", zero)}, parts...)...)
	if err != nil {
		return zero, err
	}
	path := filepath.Join(dir, key+ending)
	if x, err := read(path, c); err == nil {
		return x, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return zero, fmt.Errorf("artefact: %w", err)
	}
	release, err := lock(ctx, filepath.Join(dir, key+lockEnding))
	if err != nil {
		return zero, err
	}
	defer release()
	if x, err := read(path, c); err == nil { // another was first
		return x, nil
	}
	begin := time.Now()
	x, err := compute(ctx)
	if err != nil {
		return zero, err
	}
	data, err := pack(x, c, Info{By: nameOf(compute), Took: time.Since(begin)})
	if err != nil {
		return zero, err
	}
	if err := atomicfile.WriteFile(path, data, 0o644); err != nil {
		return zero, fmt.Errorf("artefact: %w", err)
	}
	return x, nil
}

// Endings of the files of a result.
const (
	ending     = ".artefact"
	lockEnding = ".lock"
)

// lock takes a lock file until it is released. Whoever collects may remove the file while it is waited for; then
// another is the one to hold.
func lock(ctx context.Context, path string) (release func(), err error) {
	for {
		l := flock.New(path)
		ok, err := l.TryLockContext(ctx, 20*time.Millisecond)
		if err != nil {
			return nil, fmt.Errorf("artefact: lock: %w", err)
		}
		if !ok {
			return nil, fmt.Errorf("artefact: lock: %w", errors.New(path+" is held"))
		}
		if current(l, path) {
			return func() { l.Close() }, nil
		}
		l.Close()
	}
}

// current reports whether the file that l holds is still the one of that name.
func current(l *flock.Flock, path string) bool {
	held, err := l.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(held, named)
}

// Info tells of a result that is kept.
type Info struct {
	Dir  string        `json:"-"` // the directory that keeps it
	Key  string        `json:"-"`
	Size int64         `json:"-"`  // bytes
	Used time.Time     `json:"-"`  // when it was last read or made
	By   string        `json:"by"` // the function that made it
	Type string        `json:"type"`
	Made time.Time     `json:"made"`
	Took time.Duration `json:"took"`
	Sum  string        `json:"sha256"` // of what follows the header
}

// List returns what dir keeps; nothing if there is no such directory.
func List(dir string) ([]Info, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*"+ending))
	if err != nil {
		return nil, fmt.Errorf("artefact: %w", err)
	}
	var list []Info
	for _, name := range names {
		if info, err := header(name); err == nil {
			list = append(list, info)
		}
	}
	return list, nil
}
