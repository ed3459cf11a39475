package shard

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/driver"
	"gocloud.dev/gcerrors"
)

// faulty is a bucket in memory whose faults a test chooses.
type faulty struct {
	driver.Bucket // nil: what is not below is not called
	mu            sync.Mutex
	data          map[string][]byte
	opens, closes int             // of writers
	read          func(int) error // of the n-th read, from 1
	reads         int
	open, close   func(int) error // of the n-th writer
	room          int             // bytes of a writer, 0: no limit
	full          error           // what is said behind them
}

var (
	errBusy  = errors.New("503 Service Unavailable")
	errThere = errors.New("404 Not Found")
)

func (f *faulty) ErrorCode(err error) gcerrors.ErrorCode {
	switch {
	case errors.Is(err, errThere):
		return gcerrors.NotFound
	case errors.Is(err, errBusy):
		return gcerrors.Internal
	case errors.Is(err, fs.ErrPermission):
		return gcerrors.PermissionDenied
	}
	return gcerrors.Unknown
}
func (f *faulty) As(any) bool             { return false }
func (f *faulty) ErrorAs(error, any) bool { return false }
func (f *faulty) Close() error            { return nil }

func (f *faulty) ListPaged(context.Context, *driver.ListOptions) (*driver.ListPage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	page := &driver.ListPage{}
	for k, v := range f.data {
		page.Objects = append(page.Objects, &driver.ListObject{Key: k, Size: int64(len(v))})
	}
	slices.SortFunc(page.Objects, func(a, b *driver.ListObject) int { return strings.Compare(a.Key, b.Key) })
	return page, nil
}

type reader struct {
	*bytes.Reader
	size int64
}

func (r *reader) Close() error                         { return nil }
func (r *reader) As(any) bool                          { return false }
func (r *reader) Attributes() *driver.ReaderAttributes { return &driver.ReaderAttributes{Size: r.size} }

func (f *faulty) NewRangeReader(_ context.Context, key string, _, _ int64, _ *driver.ReaderOptions) (driver.Reader,
	error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reads++
	if f.read != nil {
		if err := f.read(f.reads); err != nil {
			return nil, err
		}
	}
	data, ok := f.data[key]
	if !ok {
		return nil, errThere
	}
	return &reader{bytes.NewReader(data), int64(len(data))}, nil
}

type writer struct {
	bytes.Buffer
	f   *faulty
	ctx context.Context
	key string
}

func (w *writer) Write(p []byte) (int, error) {
	if w.f.room > 0 && w.Len()+len(p) > w.f.room {
		return 0, &fs.PathError{Op: "write", Path: w.key, Err: w.f.full}
	}
	return w.Buffer.Write(p)
}

func (w *writer) Close() error {
	w.f.mu.Lock()
	defer w.f.mu.Unlock()
	w.f.closes++
	if w.ctx.Err() != nil {
		return w.ctx.Err()
	}
	if w.f.close != nil {
		if err := w.f.close(w.f.closes); err != nil {
			return err
		}
	}
	w.f.data[w.key] = w.Bytes()
	return nil
}

func (f *faulty) NewTypedWriter(ctx context.Context, key, _ string, _ *driver.WriterOptions) (driver.Writer, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.opens++
	if f.open != nil {
		if err := f.open(f.opens); err != nil {
			return nil, err
		}
	}
	return &writer{f: f, ctx: ctx, key: key}, nil
}

// upTo is a fault of the first n.
func upTo(n int, err error) func(int) error {
	return func(k int) error {
		if k <= n {
			return err
		}
		return nil
	}
}

func TestFaults(t *testing.T) {
	const always = 1 << 30
	for name, c := range map[string]struct {
		f     *faulty
		ok    bool
		tries int // writers
		says  string
	}{
		"busy for a while, at the end": {f: &faulty{close: upTo(3, errBusy)}, ok: true, tries: 4},
		"busy for a while, opening":    {f: &faulty{open: upTo(2, errBusy)}, ok: true, tries: 3},
		"busy for a while, reading":    {f: &faulty{read: upTo(2, errBusy)}, ok: true, tries: 1},
		"busy for good":                {f: &faulty{close: upTo(always, errBusy)}, tries: 5, says: "503"},
		"read-only":                    {f: &faulty{open: upTo(always, fs.ErrPermission)}, tries: 1, says: "permission"},
		"full":                         {f: &faulty{room: 1000, full: syscall.ENOSPC}, tries: 1, says: "no space left"},
		"over the quota":               {f: &faulty{room: 1000, full: syscall.EDQUOT}, tries: 1, says: "quota"},
		"file too large":               {f: &faulty{room: 1000, full: syscall.EFBIG}, tries: 1, says: "too large"},
	} {
		t.Run(name, func(t *testing.T) {
			c.f.data = map[string][]byte{}
			s := New(blob.NewBucket(c.f), "bucket")
			s.Wait = time.Microsecond
			p, job := One(2, 3), Job{Command: "test"}
			_, err := s.Put(t.Context(), job, p, func(w io.Writer) error {
				_, err := w.Write(bytes.Repeat([]byte("x"), 1<<18))
				return err
			})
			if c.ok != (err == nil) || c.f.opens != c.tries {
				t.Errorf("error %v after %d tries", err, c.f.opens)
			}
			if !c.ok && (!strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "bucket")) {
				t.Errorf("error %q does not say %q", err, c.says)
			}
			c.f.read = nil
			sets, damaged, err := s.Sets(t.Context())
			if err != nil || len(damaged) > 0 || (len(sets) == 1) != c.ok {
				t.Error(sets, damaged, err)
			}
		})
	}
}
