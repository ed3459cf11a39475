package modelcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/plots/page"
)

// servePage serves the file to this machine, at an address that it prints, until ctx ends.
func servePage(a *cli.App, ctx context.Context, file []byte) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("serving the page: %w", err)
	}
	address := l.Addr().String()
	if _, err := fmt.Fprintf(a.Stdout, "http://%s/\n", address); err != nil {
		l.Close()
		return err
	}
	a.Notef("open this address in a browser; Ctrl-C ends")
	srv := &http.Server{Handler: pageHandler(file, address), ReadHeaderTimeout: 10 * time.Second}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		ends, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		stopped <- errors.Join(srv.Shutdown(ends), srv.Close())
	})
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		stop()
		return fmt.Errorf("serving the page: %w", err)
	}
	if err := <-stopped; err != nil && !errors.Is(err, context.DeadlineExceeded) { // then a browser held on
		return fmt.Errorf("serving the page: %w", err)
	}
	return nil
}

// pageHandler answers GET / under its own address alone: a name that a foreign page resolves to this machine is
// refused.
func pageHandler(file []byte, address string) http.Handler {
	_, port, _ := net.SplitHostPort(address)
	made := time.Now()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != address && r.Host != "localhost:"+port {
			http.Error(w, "wrong host", http.StatusMisdirectedRequest)
			return
		}
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "want GET", http.StatusMethodNotAllowed)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", page.Policy()+"; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		http.ServeContent(w, r, "", made, bytes.NewReader(file))
	})
}
