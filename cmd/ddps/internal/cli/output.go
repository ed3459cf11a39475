package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ddps-go/ddps/internal/atomicfile"
)

// OutFile is a file to write and what writes it.
type OutFile struct {
	Path  string // "" or "-" is standard output
	Write func(io.Writer) error
}

// WriteFile writes a file whole or not at all: to a temporary file beside it,
// synced to the disk, that then takes its name. "" and "-" are standard output,
// and what is no regular file (a device, a pipe) is written as it comes.
func (a *App) WriteFile(path string, write func(io.Writer) error) error {
	return a.WriteFiles(OutFile{path, write})
}

// WriteFiles writes all of several files, or none of them if any fails.
func (a *App) WriteFiles(list ...OutFile) error {
	var all []*pending
	defer func() {
		for _, p := range all {
			p.drop()
		}
	}()
	for _, f := range list {
		p, err := a.open(f.Path)
		if err != nil {
			return err
		}
		all = append(all, p)
		w, found := watch(f.Path, p.w)
		buf := bufio.NewWriterSize(w, 1<<16)
		if err = f.Write(buf); err == nil {
			err = buf.Flush()
		}
		if err == nil {
			err = p.done()
			a.noteFormulas(f.Path, found)
		}
		if err != nil {
			return fmt.Errorf("writing %s: %w", OutName(f.Path), Reason(err))
		}
	}
	for k, p := range all {
		if err := p.take(); err != nil {
			return fmt.Errorf("writing %s: %w", OutName(list[k].Path), Reason(err))
		}
	}
	return nil
}

// pending is an output on its way.
type pending struct {
	w    io.Writer
	file *os.File         // written in place, nil otherwise
	temp *atomicfile.File // to take its name at the end, nil otherwise
}

// open returns where to write path's contents.
func (a *App) open(path string) (*pending, error) {
	if path == "" || path == "-" {
		return &pending{w: stoppable{a.context(), a.Stdout}}, nil
	}
	target, info, err := lookOut(path)
	if err != nil {
		return nil, err
	}
	if info != nil && !info.Mode().IsRegular() {
		f, err := openDevice(a.context(), target)
		if err != nil {
			return nil, fmt.Errorf("cannot write %s: %w", path, Reason(err))
		}
		return &pending{w: stoppable{a.context(), f}, file: f}, nil
	}
	atomicfile.Sweep(filepath.Dir(target)) // what killed processes left
	t, err := atomicfile.Create(target, 0o644)
	if err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", path, Reason(err))
	}
	return &pending{w: t, temp: t}, nil
}

// done ends the writing: what a disk refuses shows here at the latest.
func (p *pending) done() error {
	switch {
	case p.temp != nil:
		return p.temp.Sync()
	case p.file != nil:
		return p.file.Close()
	}
	return nil
}

// take gives a temporary file its name.
func (p *pending) take() error {
	if p.temp == nil {
		return nil
	}
	return p.temp.Commit()
}

// drop removes what did not take its name; nothing after take.
func (p *pending) drop() {
	if p.temp != nil {
		p.temp.Discard()
	}
	if p.file != nil {
		p.file.Close()
	}
}

// lookOut follows links and says what is at path; info is nil if nothing.
func lookOut(path string) (target string, info fs.FileInfo, err error) {
	target, err = atomicfile.Target(path)
	if err == nil {
		info, err = os.Stat(target)
	}
	switch {
	case err == nil && info.IsDir():
		err = errors.New("it is a directory")
	case errors.Is(err, fs.ErrNotExist):
		info, err = nil, nil
		if dir, e := os.Stat(filepath.Dir(target)); e != nil {
			err = fmt.Errorf("directory %s: %w", filepath.Dir(target), Reason(e))
		} else if !dir.IsDir() {
			err = fmt.Errorf("%s is no directory", filepath.Dir(target))
		}
	}
	if err != nil {
		return "", nil, fmt.Errorf("cannot write %s: %w", path, Reason(err))
	}
	return target, info, nil
}

// Reason drops the operation and the temporary name from an error of a file.
func Reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

// OutName returns what messages call an output: its path, or standard output.
func OutName(path string) string {
	if path == "" || path == "-" {
		return "standard output"
	}
	return path
}

// WriteJSON writes v as indented JSON.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
