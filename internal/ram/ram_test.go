package ram

import (
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	if Machine() < 1<<20 {
		t.Skip("the machine's memory is not known")
	}
	for _, limit := range []int64{0, 1e9, 2e9} {
		if err := Check(limit, "paths", "-n", 1e6, 1e3); err != nil {
			t.Errorf("%d: %v", limit, err)
		}
	}
	err := Check(1e9, "paths", "-n", 1e9, 100)
	if err == nil || !strings.Contains(err.Error(), "1e+09 paths take about 93.1 GiB of memory, of which there are 954 "+
		"MiB: -n 5000000 fits") {
		t.Error(err)
	}
}
