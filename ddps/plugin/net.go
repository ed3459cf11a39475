package plugin

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"
)

// Unreachable is the error of a place that cannot be reached or does not have what is sought. Another place, or
// another day, may serve.
type Unreachable struct{ err error }

func (e *Unreachable) Error() string { return e.err.Error() }
func (e *Unreachable) Unwrap() error { return e.err }

func unreachablef(format string, args ...any) error { return &Unreachable{fmt.Errorf(format, args...)} }

// passing is an error that another try may not meet.
type passing struct{ error }

func (e *passing) Unwrap() error { return e.error }

// network gets things by HTTP, with a few tries each.
type network struct {
	client *http.Client
	tries  int
	pause  time.Duration // before the second try, twice that before the third
	stall  time.Duration // how long nothing may come
}

// newNetwork trusts the system's certificates and, as pip does, those of pip's setting cert. Proxies are taken
// from the environment.
func newNetwork() (network, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if file := pipSetting("cert"); file != "" {
		pem, err := os.ReadFile(file)
		if err != nil {
			return network{}, fmt.Errorf("pip's setting cert: %w", err)
		}
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(pem) {
			return network{}, fmt.Errorf("pip's setting cert: %s holds no certificate", file)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
	return network{&http.Client{Transport: transport, CheckRedirect: keepTLS}, 3, time.Second, time.Minute}, nil
}

// keepTLS refuses to be led from https to http, and after ten redirects.
func keepTLS(req *http.Request, via []*http.Request) error {
	if last := via[len(via)-1].URL; last.Scheme == "https" && req.URL.Scheme != "https" {
		return fmt.Errorf("%s redirects to %s, without encryption", last.Host, req.URL.Redacted())
	}
	if len(via) >= 10 {
		return errors.New("more than ten redirects")
	}
	return nil
}

// get asks for u and hands the answer to use, again when the network fails and when use returns a *passing.
func (n network) get(ctx context.Context, u *url.URL, accept string, use func(*http.Response) error) error {
	for try := 1; ; try++ {
		err := n.once(ctx, u, accept, use)
		var again *passing
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case !errors.As(err, &again):
			return err
		case try == n.tries:
			return unreachablef("%s: %w", u.Redacted(), again.error)
		}
		select {
		case <-ctx.Done():
		case <-time.After(n.pause << (try - 1)):
		}
	}
}

// once is one try of get.
func (n network) once(ctx context.Context, u *url.URL, accept string, use func(*http.Response) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stalled := fmt.Errorf("nothing came for %v", n.stall)
	timer := time.AfterFunc(n.stall, func() { cancel(stalled) })
	defer timer.Stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", accept)
	resp, err := n.client.Do(req)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		if resp != nil { // of a redirect that was refused
			return fmt.Errorf("%s: %w", u.Redacted(), plain(err))
		}
		return &passing{plain(err)}
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests:
		return &passing{fmt.Errorf("answers %s", resp.Status)}
	case resp.StatusCode != http.StatusOK:
		return unreachablef("%s: answers %s", u.Redacted(), resp.Status)
	}
	resp.Body = &watched{resp.Body, ctx, func() { timer.Reset(n.stall) }}
	return use(resp)
}

// watched is a body whose reads say that something came, and whose errors are passing.
type watched struct {
	io.ReadCloser
	ctx  context.Context
	came func()
}

func (w *watched) Read(p []byte) (int, error) {
	k, err := w.ReadCloser.Read(p)
	if k > 0 {
		w.came()
	}
	if err != nil && err != io.EOF {
		if cause := context.Cause(w.ctx); cause != nil {
			err = cause
		}
		err = &passing{plain(err)}
	}
	return k, err
}

// plain takes what is noise out of an error of the network, and says what may help.
func plain(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	switch {
	case errors.As(err, &dns):
		return fmt.Errorf("no address for %s: is there a network?", dns.Name)
	case errors.As(err, &cert):
		return fmt.Errorf("%w: SSL_CERT_FILE or pip's setting cert may name the right certificates", err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the connection ended early")
	}
	return err
}
