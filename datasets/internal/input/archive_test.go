package input_test

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/input"
)

// Zip files and workbooks are named, and what to do.
func TestArchive(t *testing.T) {
	packed := func(name string) string {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		z.Create(name)
		z.Close()
		return b.String()
	}
	for text, want := range map[string]string{packed("walks.csv"): "zip file: unpack it",
		packed("[Content_Types].xml"): "save the table as CSV", "\xd0\xcf\x11\xe0\xa1\xb1": "save the table as CSV",
		"A,B\n": ""} {
		err := input.Archive([]byte(text))
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.10q: %v", text, err)
		}
	}
}
