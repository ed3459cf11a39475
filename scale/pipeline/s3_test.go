package pipeline

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	_ "gocloud.dev/blob/s3blob"

	"github.com/ddps-go/ddps/ddps/shard"
)

// s3 serves a bucket by S3's protocol, and returns its URL. before may answer a request in its place.
func s3(t *testing.T, before func(http.ResponseWriter, *http.Request) bool) (url string) {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("shards"); err != nil {
		t.Fatal(err)
	}
	serve := gofakes3.New(backend).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !before(w, r) {
			serve.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b",
		"AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true"} {
		t.Setenv(name, value)
	}
	return "s3://shards?use_path_style=true&endpoint=" + server.URL
}

// Shards in a bucket that is spoken to by S3's protocol, and answers 503 to every third request, are those of a
// directory: the paths of one run.
func TestSampleS3(t *testing.T) {
	var asked atomic.Int64
	place := s3(t, func(w http.ResponseWriter, r *http.Request) bool {
		if asked.Add(1)%3 != 0 {
			return false
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	sampleInto(t, place)
	if asked.Load() < 15 {
		t.Errorf("%d requests", asked.Load())
	}
}

// A bucket that may not be written to is one error that names it.
func TestReadOnlyS3(t *testing.T) {
	var puts atomic.Int64
	place := s3(t, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			return false
		}
		puts.Add(1)
		w.WriteHeader(http.StatusForbidden)
		io.WriteString(w, "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>")
		return true
	})
	store, err := shard.Open(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	_, err = store.Put(context.Background(), shard.Job{Command: "test"}, shard.One(1, 2), func(w io.Writer) error {
		_, err := io.WriteString(w, "x")
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "s3://shards") || !strings.Contains(err.Error(), "Access Denied") {
		t.Error(err)
	}
	if puts.Load() != 1 {
		t.Errorf("tried %d times", puts.Load())
	}
}
