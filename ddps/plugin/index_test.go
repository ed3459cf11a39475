package plugin

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// What the index or the way to it may do wrong.
func TestIndexFails(t *testing.T) {
	page := func(mutate func(*indexFile)) func(http.ResponseWriter, []indexFile) {
		return func(w http.ResponseWriter, files []indexFile) { mutate(&files[1]); writePage(w, files) }
	}
	say := func(kind, text string) func(http.ResponseWriter, []indexFile) {
		return func(w http.ResponseWriter, _ []indexFile) {
			w.Header().Set("Content-Type", kind)
			w.Write([]byte(text))
		}
	}
	for name, c := range map[string]struct {
		make        func(t *testing.T, x *index)
		want        []string
		unreachable bool
	}{
		"other sum": {func(t *testing.T, x *index) { x.page = page(func(f *indexFile) { f.Hashes["sha256"] = "00ff" }) },
			[]string{"it says", "00ff"}, false},
		"bad contents": {func(t *testing.T, x *index) { x.data[100] ^= 1 }, []string{"some-plugin 1.0 has the sha256",
			"not installed"}, false},
		"truncated": {func(t *testing.T, x *index) { x.data = x.data[:len(x.data)-7] }, []string{"bytes, not the",
			"not installed"}, false},
		"too long": {func(t *testing.T, x *index) { x.data = append(x.data, make([]byte, 1<<20)...) },
			[]string{"more than the", "bytes"}, false},
		"cut off": {func(t *testing.T, x *index) { x.file = cutOff },
			[]string{"/files/it.whl: the connection ended early"}, true},
		"broken": {func(t *testing.T, x *index) { x.file = broken }, []string{"/files/it.whl: answers 503"}, true},
		"no file": {func(t *testing.T, x *index) { x.file = http.NotFound }, []string{"/files/it.whl: answers 404"},
			true},
		"no package": {func(t *testing.T, x *index) { x.wheel.Package = "other" }, []string{"package index: ",
			"/simple/other/: answers 404"}, true},
		"other system": {func(t *testing.T, x *index) { x.wheel.System = "plan9/mips" },
			[]string{"no wheel is known for linux/amd64"}, true},
		"no such wheel": {func(t *testing.T, x *index) {
			x.page = page(func(f *indexFile) { f.Filename = "some_plugin-2.0.whl" })
		}, []string{"it has no some_plugin-1.0-manylinux_x86_64.whl"}, true},
		"HTML": {func(t *testing.T, x *index) { x.page = say("text/html", "<a href=x>x</a>") },
			[]string{"text/html", "PEP 691"}, true},
		"no JSON": {func(t *testing.T, x *index) { x.page = say(simpleJSON, `{"files": [`) }, []string{"not the JSON"},
			true},
		"version 2": {func(t *testing.T, x *index) { x.page = say(simpleJSON, `{"meta": {"api-version": "2.0"}}`) },
			[]string{`"2.0"`}, true},
		"file address": {func(t *testing.T, x *index) { x.page = page(func(f *indexFile) { f.URL = "file:///etc/passwd" }) },
			[]string{"no http or https"}, false},
		"bad address": {func(t *testing.T, x *index) { x.page = page(func(f *indexFile) { f.URL = "http://[" }) },
			[]string{"address of some_plugin"}, false},
		"no index": {func(t *testing.T, x *index) { t.Setenv("PIP_INDEX_URL", "ftp://x/simple") },
			[]string{"ftp://x", "no http or https"}, false},
		"no server": {func(t *testing.T, x *index) { x.Close() }, []string{"connection refused"}, true},
		"other member": {func(t *testing.T, x *index) { x.wheel.member = "some/other.so" },
			[]string{"it has no some/other.so"}, false},
		"other plugin": {func(t *testing.T, x *index) { x.wheel.plugin.sha256 = "00" },
			[]string{"the plugin in it has the sha256"}, false},
		"longer plugin": {func(t *testing.T, x *index) { x.wheel.plugin.size-- },
			[]string{"the plugin in it has more than 463 bytes"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			x := newIndex(t)
			c.make(t, x)
			err := fails(t, t.Context(), x.installer(t, Config{From: FromIndex}), c.want...)
			if u := new(Unreachable); errors.As(err, &u) != c.unreachable {
				t.Errorf("unreachable: %v (%v)", !c.unreachable, err)
			}
		})
	}
}

func cutOff(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	w.Write(make([]byte, 10))
}

func broken(w http.ResponseWriter, _ *http.Request) { http.Error(w, "", http.StatusServiceUnavailable) }

// Failures of the network that pass are got over: the download begins anew.
func TestIndexTries(t *testing.T) {
	x := newIndex(t)
	failures := 0
	x.file = func(w http.ResponseWriter, r *http.Request) {
		switch failures++; failures {
		case 1:
			broken(w, r)
		case 2:
			cutOff(w, r)
		default:
			w.Write(x.data)
		}
	}
	if r, err := x.installer(t, Config{}).run(t.Context()); err != nil || !r.Pinned || failures != 3 {
		t.Fatalf("%+v, error %v, %d tries", r, err, failures)
	}
}

// A server that falls silent is given up, before its answer and within.
func TestIndexStalls(t *testing.T) {
	for name, begin := range map[string]func(http.ResponseWriter){"before": func(http.ResponseWriter) {},
		"within": func(w http.ResponseWriter) {
			w.Write(make([]byte, 10))
			w.(http.Flusher).Flush()
		}} {
		t.Run(name, func(t *testing.T) {
			x := newIndex(t)
			x.file = func(w http.ResponseWriter, r *http.Request) {
				begin(w)
				<-r.Context().Done()
			}
			i := x.installer(t, Config{})
			i.net.stall, i.net.tries = 50*time.Millisecond, 2
			fails(t, t.Context(), i, "/files/it.whl: nothing came for 50ms")
		})
	}
}

// Interrupted in the middle of a download, nothing is left.
func TestIndexInterrupted(t *testing.T) {
	x := newIndex(t)
	ctx, cancel := context.WithCancel(t.Context())
	x.file = func(w http.ResponseWriter, r *http.Request) {
		w.Write(x.data[:100])
		w.(http.Flusher).Flush()
		cancel()
		<-r.Context().Done()
	}
	if err := fails(t, ctx, x.installer(t, Config{})); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A user and a password of the index go to the index and its files, and into no error.
func TestIndexPassword(t *testing.T) {
	x := newIndex(t)
	given := "Basic " + base64.StdEncoding.EncodeToString([]byte("ann:secret"))
	guard := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != given {
				http.Error(w, "", http.StatusUnauthorized)
				return
			}
			h.ServeHTTP(w, r)
		})
	}
	x.Config.Handler = guard(x.Config.Handler)
	with := strings.Replace(x.URL, "//", "//ann:secret@", 1) + "/simple"
	t.Setenv("PIP_INDEX_URL", with)
	if r, err := x.installer(t, Config{}).run(t.Context()); err != nil || !r.Pinned {
		t.Fatalf("%+v, error %v", r, err)
	}
	x.wheel.Package = "other"
	for _, index := range []string{with, strings.Replace(with, "secret", "wrongsecret", 1), strings.Replace(with, "http",
		"ftp", 1), with + "%zz"} {
		t.Setenv("PIP_INDEX_URL", index)
		if err := fails(t, t.Context(), x.installer(t, Config{From: FromIndex})); strings.Contains(err.Error(), "secret") {
			t.Error(err)
		}
	}
}

// The release states no sum, so that it is installed only by one that is given; auto does not fall back to it.
func TestRelease(t *testing.T) {
	x := newIndex(t)
	so := plugin(t)
	archive := tarred(t, "LICENSE", "x", "pjrt_c_api_cpu_v0.1_plugin.so", string(so))
	x.file = http.NotFound
	handler := x.Config.Handler
	x.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v0.1/pjrt.tar.gz" {
			w.Write(archive)
			return
		}
		handler.ServeHTTP(w, r)
	})
	release := func(from string) *installer {
		i := x.installer(t, Config{From: from})
		i.release = x.URL + "/v0.1/pjrt.tar.gz"
		return i
	}
	r, err := release(FromGithub + "#sha256=" + summed(archive).sha256).run(t.Context())
	if err != nil || r.From != "go-xla's release v0.1" || r.SHA256 != summed(so).sha256 {
		t.Errorf("%+v, error %v", r, err)
	}
	fails(t, t.Context(), release(FromGithub), "needs #sha256=")
	fails(t, t.Context(), release(FromGithub+"#sha256="+strings.Repeat("0", 64)), "not installed")
	for _, from := range []string{"", FromAuto, FromIndex} {
		fails(t, t.Context(), release(from), "answers 404")
	}
	cuda := release(FromGithub)
	cuda.Plugin = "cuda"
	fails(t, t.Context(), cuda, "none has a plugin xla:cuda")
}

// A server that redirects from https to http is not followed, whatever the sum.
func TestRedirectWithoutTLS(t *testing.T) {
	x := newIndex(t)
	secure := httptest.NewTLSServer(http.RedirectHandler(x.URL+"/files/it.whl", http.StatusFound))
	t.Cleanup(secure.Close)
	i := x.installer(t, Config{From: secure.URL + "/it.whl#sha256=" + x.wheel.wheel.sha256})
	i.net.client = secure.Client()
	i.net.client.CheckRedirect = keepTLS
	fails(t, t.Context(), i, "without encryption")
	if len(x.asked) > 0 {
		t.Errorf("%q were fetched", x.asked)
	}
}

// The wheels pinned here are of the form that the index gives, and the release has an address.
func TestPinned(t *testing.T) {
	for _, w := range pinned() {
		for _, s := range []sum{w.wheel, w.plugin} {
			if len(s.sha256) != 64 || s.size <= 0 || s.size > maxPlugin {
				t.Errorf("%s: %+v", w, s)
			}
		}
		if !strings.HasPrefix(w.File, strings.ReplaceAll(w.Package, "-", "_")+"-"+w.Version+"-") || !isPlugin(w.member) {
			t.Errorf("%s: file %s, member %s", w, w.File, w.member)
		}
	}
	if u, err := url.Parse(releaseURL("linux/amd64")); err != nil || u.Scheme != "https" ||
		releaseURL("plan9/mips") != "" {
		t.Errorf("%v, error %v", u, err)
	}
	if _, ok := Known("../internal/backend/testdata/plugin.so"); ok {
		t.Error("testdata is known")
	}
}

// What an index may send as a page is read or refused.
func FuzzPage(f *testing.F) {
	f.Add("application/vnd.pypi.simple.v1+json; charset=utf-8",
		`{"meta": {"api-version": "1.1"}, "files": [{"filename": "x.whl", "url": "../x", "hashes": {"sha256": "00"}}]}`)
	f.Add("text/html", "<html>")
	f.Add(simpleJSON, `{"meta": {"api-version": "2.0"}}`)
	f.Fuzz(func(t *testing.T, kind, body string) {
		if files, err := readPage(kind, strings.NewReader(body)); err == nil && !json.Valid([]byte(body)) || err != nil &&
			files != nil {
			t.Errorf("%v, error %v", files, err)
		}
	})
}
