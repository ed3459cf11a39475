//go:build unix

package kernel

import (
	"fmt"
	"testing"

	"github.com/ddps-go/ddps/kernelext/kernel/internal/proctest"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// Three hundred cells one after the other, and two hundred sent at once, come back in order with their outputs.
func TestManyCells(t *testing.T) {
	c := testKernel(t, t.TempDir())
	for i := range 300 {
		r, err := c.Run(fmt.Sprintf("%%%%live\nsay cell %d", i), proctest.Patience)
		if err != nil || text(t, r.Output, "stdout") != fmt.Sprintf("cell %d\n", i) {
			t.Fatal(i, err, kinds(r.Output))
		}
	}
	var ids []string
	for i := range 200 {
		id, err := c.Send(c.Shell, "execute_request",
			jupyter.ExecuteRequest{Code: fmt.Sprintf("%%%%live\nsay queued %d\nresult %d", i, i)}.Whole())
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	for i, id := range ids {
		r, err := c.Collect(id, proctest.Patience)
		if err != nil || text(t, r.Output, "stdout") != fmt.Sprintf("queued %d\n", i) {
			t.Fatal(i, err, kinds(r.Output))
		}
		if n := content(t, r.Reply)["execution_count"]; n != float64(301+i) {
			t.Errorf("cell %d is number %v", i, n)
		}
	}
}
