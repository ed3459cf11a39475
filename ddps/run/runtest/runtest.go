// Package runtest has what the tests of runs and of what stands on them share.
package runtest

import (
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
)

// Example is every path of the example graph, the first twice.
func Example(t testing.TB) *datasets.Data {
	t.Helper()
	data, err := datasets.All(ddps.Example(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	data.Counts[0] = 2
	return data
}

// Has fails the test unless err says each of parts.
func Has(t testing.TB, what string, err error, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if err == nil || !strings.Contains(err.Error(), p) {
			t.Errorf("%s: error %v lacks %q", what, err, p)
		}
	}
}
