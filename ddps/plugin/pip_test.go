package plugin

import (
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// pip's settings: the variable, then PIP_CONFIG_FILE, the virtual environment, the user's file, all users' files.
func TestPipSetting(t *testing.T) {
	dir := t.TempDir()
	write := func(name, value string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("[global]\nindex-url = "+value+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, name := range []string{"PIP_INDEX_URL", "PIP_CONFIG_FILE", "VIRTUAL_ENV"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", filepath.Join(dir, "home"))
	t.Setenv("XDG_CONFIG_DIRS", filepath.Join(dir, "xdg"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	want := func(value string) {
		t.Helper()
		if got := pipSetting("index-url"); got != value {
			t.Errorf("%q, want %q", got, value)
		}
	}
	if _, err := os.Stat("/etc/pip.conf"); err != nil {
		want("")
		write("xdg/pip/pip.conf", "all")
		want("all")
	}
	write("home/.pip/pip.conf", "old")
	want("old")
	write("config/pip/pip.conf", "user")
	want("user")
	write("venv/pip.conf", "venv")
	t.Setenv("VIRTUAL_ENV", filepath.Join(dir, "venv"))
	want("venv")
	t.Setenv("PIP_CONFIG_FILE", filepath.Join(dir, "none"))
	want("venv")
	t.Setenv("PIP_CONFIG_FILE", write("named", "named"))
	want("named")
	t.Setenv("PIP_INDEX_URL", "variable")
	want("variable")
	t.Setenv("PIP_INDEX_URL", "")
	t.Setenv("PIP_CONFIG_FILE", os.DevNull)
	want("")
}

func TestIniValue(t *testing.T) {
	for text, want := range map[string]string{
		"[global]\nindex-url = https://a/simple\n":              "https://a/simple",
		"\ufeff[global]\r\nIndex_URL:https://a/s=1\r\n":         "https://a/s=1",
		"[install]\nindex-url = no\n[global]\nindex-url = yes":  "yes",
		"[global]\nindex-url = a\nindex-url = b":                "b",
		"[global]\nindex-url =\n  # no\n\n  https://a\nx = y\n": "https://a",
		"[global]\nextra-index-url = x\n; index-url = y":        "",
		"index-url = x\n[other]\nindex-url = y":                 "",
		"[global]\nindex-url":                                   "",
		"[global]\n= x\n[\n]":                                   "",
	} {
		if got, ok := iniValue(text, "global", "index-url"); got != want || ok != (want != "") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// pip's setting cert is trusted besides the system's certificates.
func TestCert(t *testing.T) {
	t.Setenv("PIP_CONFIG_FILE", os.DevNull)
	for file, want := range map[string]string{filepath.Join(t.TempDir(), "none"): "no such file",
		store(t, "bad.pem", []byte("x")): "holds no certificate"} {
		t.Setenv("PIP_CERT", file)
		if _, err := newNetwork(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	u, err := webURL(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	own := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	for file, want := range map[string]string{"": "SSL_CERT_FILE", store(t, "own.pem", own): "answers 404"} {
		t.Setenv("PIP_CERT", file)
		n, err := newNetwork()
		if err != nil {
			t.Fatal(err)
		}
		n.pause = time.Millisecond
		if err := n.get(t.Context(), u, "", nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", file, err, want)
		}
	}
}

// Whatever the file, the value is a part of it.
func FuzzIniValue(f *testing.F) {
	f.Add("[global]\nindex-url = https://a/simple\n  and more\n")
	f.Add("[global]\r\nINDEX_URL: x")
	f.Fuzz(func(t *testing.T, text string) {
		v, ok := iniValue(text, "global", "index-url")
		for _, line := range strings.Split(v, "\n") {
			if !strings.Contains(text, line) || !ok && v != "" {
				t.Errorf("%q out of %q", v, text)
			}
		}
	})
}
