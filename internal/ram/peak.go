package ram

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// PeakOf calls do and returns the most bytes that the process held meanwhile, as seen every few milliseconds: on Linux
// all that is resident, elsewhere what Go's runtime has from the system.
func PeakOf(do func() error) (bytes int64, err error) {
	debug.FreeOSMemory() // what was held before
	done, peak := make(chan struct{}), make(chan int64)
	go func() {
		most, tick := held(), time.NewTicker(5*time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				most = max(most, held())
			case <-done:
				peak <- max(most, held())
				return
			}
		}
	}()
	err = do()
	close(done)
	return <-peak, err
}

// held returns the bytes that the process holds now.
func held() int64 {
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		if fields := strings.Fields(string(text)); len(fields) > 1 {
			if pages, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
				return pages * int64(os.Getpagesize())
			}
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys - m.HeapReleased)
}
