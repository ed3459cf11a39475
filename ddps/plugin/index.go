package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
)

// simpleJSON is the media type of the index's JSON pages (PEP 691).
const simpleJSON = "application/vnd.pypi.simple.v1+json"

// maxPage is the most that a page of the index may have, in bytes.
const maxPage = 64 << 20

// indexFile is a file on a package's page.
type indexFile struct {
	Filename string            `json:"filename"`
	URL      string            `json:"url"` // may be relative to the page's
	Hashes   map[string]string `json:"hashes"`
}

// lookUp asks the index for the wheel's page and returns where the wheel lies. What the index says of its sum must
// agree with what is pinned.
func (n network) lookUp(ctx context.Context, index string, w Wheel) (*url.URL, error) {
	page, err := webURL(strings.TrimRight(index, "/") + "/" + w.Package + "/")
	if err != nil {
		return nil, fmt.Errorf("package index: %w", err)
	}
	var files []indexFile
	err = n.get(ctx, page, simpleJSON, func(resp *http.Response) (err error) {
		page = resp.Request.URL // after redirections
		files, err = readPage(resp.Header.Get("Content-Type"), resp.Body)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("package index: %w", err)
	}
	for _, f := range files {
		if f.Filename != w.File {
			continue
		}
		if got := f.Hashes["sha256"]; got != "" && !strings.EqualFold(got, w.wheel.sha256) {
			return nil, fmt.Errorf("package index %s: it says that %s has the sha256 %s, this program expects %s: not installed",
				page.Redacted(), w.File, got, w.wheel.sha256)
		}
		u, err := page.Parse(f.URL)
		if err == nil {
			u, err = webURL(u.String())
		}
		if err != nil {
			return nil, fmt.Errorf("package index %s: address of %s: %w", page.Redacted(), w.File, err)
		}
		if u.Host == page.Host && u.Scheme == page.Scheme && u.User == nil {
			u.User = page.User
		}
		return u, nil
	}
	return nil, unreachablef("package index %s: it has no %s", page.Redacted(), w.File)
}

// readPage reads a package's page.
func readPage(contentType string, body io.Reader) ([]indexFile, error) {
	if kind, _, err := mime.ParseMediaType(contentType); err != nil || kind != simpleJSON && kind != "application/json" {
		return nil, unreachablef("it answers with %q: it does not speak the JSON of PEP 691", contentType)
	}
	var page struct {
		Meta struct {
			Version string `json:"api-version"`
		} `json:"meta"`
		Files []indexFile `json:"files"`
	}
	data, err := io.ReadAll(io.LimitReader(body, maxPage+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxPage {
		return nil, unreachablef("its page has more than %d bytes", maxPage)
	}
	if err := json.Unmarshal(data, &page); err != nil {
		return nil, unreachablef("its page is not the JSON of PEP 691: %w", err)
	}
	if major, _, _ := strings.Cut(page.Meta.Version, "."); major != "1" {
		return nil, unreachablef("its page is of version %q, not 1.x", page.Meta.Version)
	}
	return page.Files, nil
}

// webURL parses an address that must be http or https.
func webURL(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil {
		return nil, errors.Unwrap(err) // without s, which may hold a password
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%s is no http or https address", u.Redacted())
	}
	return u, nil
}
