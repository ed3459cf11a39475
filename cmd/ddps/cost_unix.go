//go:build unix

package main

import "syscall"

// processTime returns the seconds that all threads of the process have run; 0 where the system does not tell.
func processTime() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}
