package shard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	_ "gocloud.dev/blob/memblob" // mem://
	"gocloud.dev/gcerrors"
)

// Store is a directory or a bucket of objects. Several processes may use one at once.
type Store struct {
	bucket *blob.Bucket
	name   string
	// Tries is how often a read or a write that failed by a fault that may pass (HTTP 503, a time-out) is tried in all;
	// Wait is the time before the second try, doubled for each more.
	Tries int
	Wait  time.Duration
}

// Open opens a directory, which is made if it does not exist, or a bucket by its URL: s3://… and gs://… where their
// drivers are linked, file:///…, mem://. Close it.
func Open(ctx context.Context, place string) (*Store, error) {
	if place == "" {
		return nil, errors.New("shard: the store has no name: expected a directory, or a URL like s3://bucket/prefix")
	}
	if !strings.Contains(place, "://") {
		// temporary files beside the objects: a rename across file systems is none
		b, err := fileblob.OpenBucket(place, &fileblob.Options{CreateDir: true, NoTempDir: true,
			Metadata: fileblob.MetadataDontWrite})
		if err != nil {
			return nil, fmt.Errorf("shard: store %s: %w", place, err)
		}
		return New(b, place), nil
	}
	b, err := blob.OpenBucket(ctx, place)
	if err != nil {
		return nil, fmt.Errorf("shard: store %s: %w", place, err)
	}
	return New(b, place), nil
}

// New returns the store of an open bucket, which it closes; name serves the messages.
func New(b *blob.Bucket, name string) *Store {
	return &Store{bucket: b, name: name, Tries: 5, Wait: 200 * time.Millisecond}
}

// Close closes the bucket.
func (s *Store) Close() error { return s.bucket.Close() }

// String returns the store's name.
func (s *Store) String() string { return s.name }

// ownError is an error of what writes or reads a payload, not of the store.
type ownError struct{ error }

func (e *ownError) Unwrap() error { return e.error }

// passing reports whether a fault of the store may pass.
func passing(err error) bool {
	var own *ownError
	if errors.As(err, &own) {
		return false
	}
	for _, lasting := range []error{ErrDamaged, context.Canceled, fs.ErrPermission, syscall.ENOSPC, syscall.EDQUOT,
		syscall.EFBIG, syscall.EROFS, syscall.ENOTDIR, syscall.ENAMETOOLONG} {
		if errors.Is(err, lasting) {
			return false
		}
	}
	switch gcerrors.Code(err) {
	case gcerrors.NotFound, gcerrors.PermissionDenied, gcerrors.InvalidArgument, gcerrors.Unimplemented,
		gcerrors.FailedPrecondition:
		return false
	}
	return true
}

// retry calls do until it succeeds, fails for good, or was tried s.Tries times.
func (s *Store) retry(ctx context.Context, do func() error) error {
	wait := s.Wait
	for try := 1; ; try++ {
		err := do()
		if err == nil || try >= s.Tries || !passing(err) {
			var own *ownError
			if errors.As(err, &own) {
				return own.error
			}
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
		wait *= 2
	}
}

// write writes one object, whole or not at all.
func (s *Store) write(ctx context.Context, key string, write func(io.Writer) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := s.bucket.NewWriter(ctx, key, &blob.WriterOptions{ContentType: "application/x-ddps-shard",
		DisableContentTypeDetection: true})
	if err != nil {
		return err
	}
	if err := write(w); err != nil {
		cancel() // before Close: then nothing is made
		w.Close()
		return err
	}
	return w.Close()
}
