package plugin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// source is an archive or a plugin that lies on this machine, open for reading.
type source struct {
	file   *os.File
	size   int64
	name   string // to call it by
	wheel  *Wheel // what it is, if pinned
	remove bool   // it is a download whose name exists until Close
}

// Close closes the file, and removes it if it was downloaded.
func (s *source) Close() {
	s.file.Close()
	if s.remove {
		os.Remove(s.file.Name())
	}
}

// fromIndex downloads the pinned wheel for this system from the package index that pip would ask.
func (i *installer) fromIndex(ctx context.Context, directory string) (*source, error) {
	w, ok := i.wheel()
	if !ok {
		return nil, unreachablef("package index: no wheel is known for %s", i.system)
	}
	index := pipSetting("index-url")
	if index == "" {
		index = defaultIndex
	}
	u, err := i.net.lookUp(ctx, index, w)
	if err != nil {
		return nil, err
	}
	s, err := i.download(ctx, u, directory, w.String(), w.wheel)
	if err != nil {
		return nil, err
	}
	s.wheel = &w
	return s, nil
}

// fromRelease downloads what go-xla's own installer would. The release states no sums, so that the caller must.
func (i *installer) fromRelease(ctx context.Context, fragment, directory string) (*source, error) {
	address := ""
	if i.Plugin == "cpu" {
		address = i.release
	}
	if address == "" {
		return nil, unreachablef("go-xla's releases: none has a plugin xla:%s for %s", i.Plugin, i.system)
	}
	u, err := webURL(address)
	if err != nil {
		return nil, err
	}
	name := "go-xla's release " + filepath.Base(filepath.Dir(u.Path))
	want, err := givenSum(fragment, FromGithub)
	if err != nil {
		return nil, err
	}
	s, err := i.download(ctx, u, directory, name, want)
	if err != nil {
		return nil, fmt.Errorf("go-xla's releases: %w", err)
	}
	return s, nil
}

// fromURL downloads a wheel, an archive or a plugin. Its fragment #sha256=… says what it must be, as on pages of the
// package index.
func (i *installer) fromURL(ctx context.Context, address, directory string) (*source, error) {
	u, err := webURL(address)
	if err != nil {
		return nil, err
	}
	fragment := u.Fragment
	u.Fragment = ""
	want, err := givenSum(fragment, u.Redacted())
	if err != nil {
		return nil, err
	}
	return i.download(ctx, u, directory, u.Redacted(), want)
}

// givenSum reads the fragment sha256=… of what a download comes from. A plugin is native code: without a sum nothing
// is downloaded.
func givenSum(fragment, from string) (sum, error) {
	if fragment == "" {
		return sum{}, fmt.Errorf("%s: a download needs #sha256=… at its end, so that what comes can be checked", from)
	}
	hash, ok := strings.CutPrefix(fragment, "sha256=")
	if raw, err := hex.DecodeString(hash); !ok || err != nil || len(raw) != sha256.Size {
		return sum{}, fmt.Errorf("%s: expected #sha256= and 64 hexadecimal digits after #", from)
	}
	return sum{sha256: strings.ToLower(hash)}, nil
}

// fromFile opens a wheel, an archive or a plugin.
func (i *installer) fromFile(path string) (*source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &source{file: f, size: info.Size(), name: path}, nil
}

// maxDownload is the most that a download of unknown size may have, in bytes.
const maxDownload = 1 << 30

// download gets u into a temporary file in directory, which goes with the process wherever the system can have files
// without a name. want is what it must be; its size is 0 if not known.
func (i *installer) download(ctx context.Context, u *url.URL, directory, name string, want sum) (*source, error) {
	f, err := temporary(directory)
	if err != nil {
		return nil, err
	}
	s := &source{file: f, name: name, remove: os.Remove(f.Name()) != nil}
	limit := want.size
	if limit == 0 {
		limit = maxDownload
	}
	var got sum
	err = i.net.get(ctx, u, "*/*", func(resp *http.Response) (err error) {
		got, err = i.receive(ctx, f, resp, name, limit)
		return err
	})
	if want.size == 0 {
		want.size = got.size
	}
	if err == nil {
		err = want.check(got, name)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	s.size = got.size
	return s, nil
}

// receive writes the answer to f from its start, at most limit bytes and one.
func (i *installer) receive(ctx context.Context, f *os.File, resp *http.Response, name string, limit int64) (sum,
	error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return sum{}, err
	}
	if err := f.Truncate(0); err != nil {
		return sum{}, err
	}
	h := sha256.New()
	total := max(resp.ContentLength, 0)
	tell := func(done int64) {
		if i.Progress != nil {
			i.Progress(name, done, max(total, done))
		}
	}
	n, err := copyTold(ctx, io.MultiWriter(f, h), io.LimitReader(resp.Body, limit+1), tell)
	if err != nil {
		return sum{}, err
	}
	if n > limit {
		return sum{}, fmt.Errorf("%s has more than the %d bytes that this program allows: not installed", name, limit)
	}
	return sum{hex.EncodeToString(h.Sum(nil)), n}, nil
}

// copyTold copies until the end or until ctx is done, and returns how many bytes it has copied.
func copyTold(ctx context.Context, w io.Writer, r io.Reader, tell func(int64)) (n int64, err error) {
	for buf := make([]byte, 1<<18); ; {
		if ctx.Err() != nil {
			return n, ctx.Err()
		}
		k, err := r.Read(buf)
		if _, werr := w.Write(buf[:k]); werr != nil {
			return n, werr
		}
		n += int64(k)
		tell(n)
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}
