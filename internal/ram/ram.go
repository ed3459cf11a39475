// Package ram says how much memory the process may take, and refuses work that would take more.
package ram

import (
	"fmt"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// Machine returns the bytes that the process may take, the least of the machine's memory, the limit of its control
// group and that of its address space; 0 where none is known.
func Machine() int64 {
	least := uint64(0)
	for _, of := range []memlimit.Provider{memlimit.FromSystem, memlimit.FromCgroup, addressSpace} {
		if n, err := of(); err == nil && n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	return int64(min(least, 1<<62))
}

// PathBytes is about what a path of so many layers takes in a list.
func PathBytes(layers int) float64 { return float64(8*layers) + 24 + 8 }

// Check returns an error if n of what are more than fits into so many bytes, 0 for no limit, each being about so many.
// It says how many fit: flag is what they are given by.
func Check(limit int64, what, flag string, n, each float64) error {
	if limit <= 0 || n*each <= float64(limit) {
		return nil
	}
	return fmt.Errorf("%.3g %s take about %s of memory, of which there are %s: %s %.0f fits",
		n, what, gib(n*each), gib(float64(limit)), flag, fit(float64(limit)/each/2))
}

// fit rounds down to two digits.
func fit(n float64) float64 {
	unit := 1.0
	for n/unit >= 100 {
		unit *= 10
	}
	return float64(int64(n/unit)) * unit
}

func gib(bytes float64) string {
	if bytes < 1<<30 {
		return fmt.Sprintf("%.0f MiB", bytes/(1<<20))
	}
	return fmt.Sprintf("%.3g GiB", bytes/(1<<30))
}
