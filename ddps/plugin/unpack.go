package plugin

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// maxPlugin is the most that a plugin may have, in bytes, so that a small archive cannot fill a disk.
const maxPlugin = 1 << 30

// unpack writes the plugin that s is or holds to w. Of a pinned wheel it must be the one that is pinned.
func (s *source) unpack(ctx context.Context, w io.Writer) (sum, error) {
	limit := int64(maxPlugin)
	if s.wheel != nil {
		limit = s.wheel.plugin.size
	}
	r, err := s.plugin()
	if err != nil {
		return sum{}, err
	}
	h := sha256.New()
	n, err := copyTold(ctx, io.MultiWriter(w, h), io.LimitReader(r, limit+1), func(int64) {})
	if err != nil {
		return sum{}, err
	}
	if n > limit {
		return sum{}, fmt.Errorf("the plugin in it has more than %d bytes", limit)
	}
	got := sum{hex.EncodeToString(h.Sum(nil)), n}
	if s.wheel != nil {
		return got, s.wheel.plugin.check(got, "the plugin in it")
	}
	return got, nil
}

// plugin reads the plugin of a wheel (a zip archive), of a .tar.gz archive, or the file itself. What it is shows in
// its first bytes, whatever its name.
func (s *source) plugin() (io.Reader, error) {
	head := make([]byte, 4)
	if _, err := s.file.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	switch {
	case string(head) == "PK\x03\x04":
		return s.zipMember()
	case strings.HasPrefix(string(head), "\x1f\x8b"):
		return tarMember(s.file)
	}
	return s.file, nil
}

// zipMember opens the plugin in a wheel: the pinned one, or the only one.
func (s *source) zipMember() (io.Reader, error) {
	archive, err := zip.NewReader(s.file, s.size)
	if err != nil {
		return nil, fmt.Errorf("it is a damaged or truncated wheel: %w", err)
	}
	var found []*zip.File
	var names []string
	for _, f := range archive.File {
		switch {
		case s.wheel != nil && f.Name == s.wheel.member:
			return f.Open()
		case s.wheel == nil && isPlugin(f.Name):
			found, names = append(found, f), append(names, f.Name)
		}
	}
	switch {
	case s.wheel != nil:
		return nil, fmt.Errorf("it has no %s", s.wheel.member)
	case len(found) == 0:
		return nil, errors.New("it has no PJRT plugin: no library with pjrt or xla in its name")
	case len(found) > 1:
		return nil, fmt.Errorf("it has several libraries that may be the plugin, give the right one itself: %s",
			strings.Join(names, ", "))
	case found[0].UncompressedSize64 > maxPlugin:
		return nil, fmt.Errorf("%s in it has %d bytes, more than %d", names[0], found[0].UncompressedSize64, maxPlugin)
	}
	return found[0].Open()
}

// tarMember returns the first plugin of a .tar.gz archive.
func tarMember(r io.Reader) (io.Reader, error) {
	g, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("it is a damaged archive: %w", err)
	}
	archive := tar.NewReader(io.LimitReader(g, 2*maxPlugin))
	for {
		h, err := archive.Next()
		if err == io.EOF {
			return nil, errors.New("it has no PJRT plugin: no library with pjrt or xla in its name")
		}
		if err != nil {
			return nil, fmt.Errorf("it is a damaged or truncated archive: %w", err)
		}
		if h.Typeflag == tar.TypeReg && isPlugin(h.Name) {
			return archive, nil
		}
	}
}

// isPlugin reports whether a file of that name in an archive may be a plugin.
func isPlugin(name string) bool {
	base := path.Base(name)
	library := strings.HasSuffix(base, ".so") || strings.HasSuffix(base, ".dylib")
	return library && (strings.Contains(base, "pjrt") || strings.Contains(base, "xla"))
}
