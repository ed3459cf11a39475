package backend

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// Check looks at a PJRT plugin file before anything loads it: it must be a regular, non-empty file and, on
// Linux, a whole ELF shared library for this machine that exports GetPjrtApi. (go-xla v0.1.4 dereferences a
// nil handle when a plugin cannot be loaded, and a half-written library may crash the loader itself.)
func Check(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("plugin file %s does not exist", path)
	case err != nil:
		return fmt.Errorf("plugin file: %w", err)
	case info.IsDir():
		return fmt.Errorf("plugin file %s is a directory", path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("plugin file %s is not a regular file", path)
	case info.Size() == 0:
		return fmt.Errorf("plugin file %s is empty", path)
	case strings.Contains(path, ","):
		return fmt.Errorf("plugin file %s: GoMLX cannot take a path with a comma", path)
	}
	if runtime.GOOS != "linux" {
		return nil
	}
	return checkELF(path, info.Size())
}

func checkELF(path string, size int64) (err error) {
	defer func() { // debug/elf is not promised to survive every malformed file
		if r := recover(); r != nil {
			err = fmt.Errorf("plugin file %s is damaged: %v", path, r)
		}
	}()
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("plugin file: %w", err)
	}
	defer file.Close()
	magic := make([]byte, 4)
	if _, err := file.ReadAt(magic, 0); err != nil || string(magic) != elf.ELFMAG {
		return fmt.Errorf("plugin file %s is not an ELF shared library", path)
	}
	f, err := elf.NewFile(file)
	if err != nil {
		return fmt.Errorf("plugin file %s is damaged or truncated: %w", path, err)
	}
	for _, p := range f.Progs {
		if p.Off+p.Filesz > uint64(size) || p.Off+p.Filesz < p.Off {
			return fmt.Errorf("plugin file %s is truncated: %d bytes, a segment ends at %d", path, size, p.Off+p.Filesz)
		}
	}
	if f.Type != elf.ET_DYN {
		return fmt.Errorf("plugin file %s is not a shared library (%s)", path, f.Type)
	}
	if want, known := machines[runtime.GOARCH]; known && f.Machine != want {
		return fmt.Errorf("plugin file %s is for %s, this program for %s", path, f.Machine, want)
	}
	symbols, err := f.DynamicSymbols()
	if err != nil {
		return fmt.Errorf("plugin file %s is damaged: %w", path, err)
	}
	for _, s := range symbols {
		if s.Name == "GetPjrtApi" && s.Section != elf.SHN_UNDEF {
			return nil
		}
	}
	return fmt.Errorf("plugin file %s is a shared library but no PJRT plugin: it does not export GetPjrtApi", path)
}

var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}
