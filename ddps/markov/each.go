package markov

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// each runs work on several goroutines (threads; 0: all CPUs); next hands out the numbers 0…n−1.
func each(n, threads int, work func(next func() (int, bool))) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	var at atomic.Int64
	next := func() (int, bool) {
		i := int(at.Add(1)) - 1
		return i, i < n
	}
	var wg sync.WaitGroup
	for range min(n, threads) {
		wg.Go(func() { work(next) })
	}
	wg.Wait()
}
