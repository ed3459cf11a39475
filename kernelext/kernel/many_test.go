//go:build unix

package kernel

import (
	"fmt"
	"testing"
)

// Three hundred cells one after the other, and two hundred sent at once, come back in order with their outputs.
func TestManyCells(t *testing.T) {
	c := testKernel(t, t.TempDir())
	for i := range 300 {
		r, err := c.run(fmt.Sprintf("%%%%live\nsay cell %d", i), patience)
		if err != nil || text(t, r.output, "stdout") != fmt.Sprintf("cell %d\n", i) {
			t.Fatal(i, err, kinds(r.output))
		}
	}
	var ids []string
	for i := range 200 {
		id, err := c.send(c.shell, "execute_request", executeRequest{Code: fmt.Sprintf("%%%%live\nsay queued %d\nresult %d", i, i)}.whole())
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	for i, id := range ids {
		r, err := c.collect(id, patience)
		if err != nil || text(t, r.output, "stdout") != fmt.Sprintf("queued %d\n", i) {
			t.Fatal(i, err, kinds(r.output))
		}
		if n := content(t, r.reply)["execution_count"]; n != float64(301+i) {
			t.Errorf("cell %d is number %v", i, n)
		}
	}
}
