package shard

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"

	"gocloud.dev/gcerrors"
)

// An object is a line of JSON, the header; the payload; and a line feed, the SHA-256 of header and payload in
// hexadecimal digits, and a line feed.
const (
	ending     = ".shard"
	format     = 1
	trailerLen = 1 + 2*sha256.Size + 1
)

// header is the first line of an object.
type header struct {
	Format int  `json:"ddps_shard"`
	Job    Job  `json:"job"`
	Part   Part `json:"part"` // 0-0 for the job's head
}

// Object is an object of a store.
type Object struct {
	Name string // in the store
	Job  Job
	Part Part
	size int64 // of the whole object
	head int64 // of the header
}

// ErrDamaged is the error of an object that is cut off or changed.
var ErrDamaged = errors.New("damaged: its checksum does not fit its content")

// name returns the name of a part's object.
func name(j Job, p Part) string {
	if p == (Part{}) {
		return j.Key() + "/head" + ending
	}
	return fmt.Sprintf("%s/%07d-%07d-of-%07d%s", j.Key(), p.From, p.To, p.Of, ending)
}

// Put writes the object of a part, whose payload write writes, unless it is there and undamaged; it reports whether it
// was there. write may be called again after a fault of the store and then must write the same bytes. Errors of write
// are returned as they are.
func (s *Store) Put(ctx context.Context, j Job, p Part, write func(io.Writer) error) (there bool, err error) {
	if !p.valid() && p != (Part{}) {
		return false, fmt.Errorf("shard: %v is no part", p)
	}
	key := name(j, p)
	if _, err := s.stat(ctx, key, true); err == nil {
		return true, nil
	} else if gcerrors.Code(err) != gcerrors.NotFound && !errors.Is(err, ErrDamaged) {
		return false, fmt.Errorf("shard: %s: %s: %w", s.name, key, err)
	}
	own := false
	err = s.retry(ctx, func() error {
		return s.write(ctx, key, func(w io.Writer) error {
			sum := sha256.New()
			both := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16)
			text, err := json.Marshal(header{format, j, p})
			if err != nil {
				return err
			}
			if _, err := both.Write(append(text, '\n')); err != nil {
				return err
			}
			to := &sink{w: both}
			if err := write(to); err != nil && to.err == nil {
				own = true
				return &ownError{err}
			}
			if to.err == nil {
				to.err = both.Flush()
			}
			if to.err == nil {
				_, to.err = fmt.Fprintf(w, "\n%x\n", sum.Sum(nil))
			}
			return to.err
		})
	})
	if err != nil && !own {
		err = fmt.Errorf("shard: %s: writing %s: %w", s.name, key, err)
	}
	return false, err
}

// sink keeps the first error of what it writes to.
type sink struct {
	w   io.Writer
	err error
}

func (s *sink) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(p)
	s.err = err
	return n, err
}

// PutHead writes what all parts of a job need to be merged.
func (s *Store) PutHead(ctx context.Context, j Job, write func(io.Writer) error) error {
	_, err := s.Put(ctx, j, Part{}, write)
	return err
}

// stat reads an object's header and, where all is wanted, checks its content.
func (s *Store) stat(ctx context.Context, key string, all bool) (*Object, error) {
	var o *Object
	err := s.retry(ctx, func() error {
		r, err := s.bucket.NewReader(ctx, key, nil)
		if err != nil {
			return err
		}
		defer r.Close()
		in := bufio.NewReaderSize(r, 1<<16)
		line, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return err
		}
		var h header
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if d.Decode(&h) != nil || r.Size() < int64(len(line))+trailerLen {
			return ErrDamaged
		}
		if h.Format != format {
			return fmt.Errorf("an object of format %d: this program reads %d", h.Format, format)
		}
		if key != name(h.Job, h.Part) {
			return fmt.Errorf("%w: it is %s", ErrDamaged, name(h.Job, h.Part))
		}
		o = &Object{Name: key, Job: h.Job, Part: h.Part, size: r.Size(), head: int64(len(line))}
		if !all {
			return nil
		}
		sum := sha256.New()
		sum.Write(line)
		_, err = io.Copy(io.Discard, &payload{in: in, left: o.size - o.head - trailerLen, sum: sum})
		return err
	})
	if err != nil {
		return nil, err
	}
	return o, nil
}

// payload reads an object's payload; at its end it returns ErrDamaged where the checksum does not fit.
type payload struct {
	in   io.Reader
	left int64
	sum  hash.Hash
	done bool
}

func (p *payload) Read(b []byte) (int, error) {
	if p.left > 0 {
		n, err := p.in.Read(b[:min(int64(len(b)), p.left)])
		p.sum.Write(b[:n])
		if p.left -= int64(n); err == io.EOF && p.left > 0 {
			err = ErrDamaged
		} else if err == io.EOF {
			err = nil
		}
		return n, err
	}
	if p.done {
		return 0, io.EOF
	}
	p.done = true
	trailer := make([]byte, trailerLen)
	if _, err := io.ReadFull(p.in, trailer); err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return 0, err
	}
	if string(trailer) != "\n"+hex.EncodeToString(p.sum.Sum(nil))+"\n" {
		p.done = false // again the next time
		return 0, ErrDamaged
	}
	return 0, io.EOF
}

// Read calls do with the payload of an object; do reads it to its end. The error is do's as it is, or names the object.
func (s *Store) Read(ctx context.Context, o *Object, do func(io.Reader) error) error {
	r, err := s.bucket.NewReader(ctx, o.Name, nil)
	if err != nil {
		return fmt.Errorf("shard: %s: %s: %w", s.name, o.Name, err)
	}
	defer r.Close()
	in := bufio.NewReaderSize(r, 1<<16)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("shard: %s: %s: %w", s.name, o.Name, err)
	}
	sum := sha256.New()
	sum.Write(line)
	p := &payload{in: in, left: r.Size() - int64(len(line)) - trailerLen, sum: sum}
	if err := do(p); err != nil {
		return fmt.Errorf("shard: %s: %s: %w", s.name, o.Name, err)
	}
	if _, err := io.Copy(io.Discard, p); err != nil {
		return fmt.Errorf("shard: %s: %s: %w", s.name, o.Name, err)
	}
	return nil
}

// ReadHead calls do with the payload that PutHead wrote.
func (s *Store) ReadHead(ctx context.Context, j Job, do func(io.Reader) error) error {
	return s.Read(ctx, &Object{Name: name(j, Part{})}, do)
}

// isObject reports whether a name is that of a part's object.
func isObject(key string) bool {
	return strings.HasSuffix(key, ending) && !strings.HasSuffix(key, "/head"+ending)
}
