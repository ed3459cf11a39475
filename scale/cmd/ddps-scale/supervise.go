package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
)

// underSupervision is the environment variable that a supervised process has.
const underSupervision = "DDPS_SCALE_SUPERVISED"

// supervise runs the program as another process, which is the job's worker where the pipeline runs here, and runs it
// again while a signal ends it that this process did not get, SIGKILL of the kernel for want of memory among them: up
// to tries times in all. Prism gives a job up whose worker is lost; whatever it had written is whole, and a job that is
// done again writes the same bytes. An error of the job itself is not tried again. It returns the exit status.
func supervise(tries int, args []string, notes io.Writer) (status int) {
	program, err := os.Executable()
	if err != nil {
		fmt.Fprintf(notes, "ddps-scale: %v\n", err)
		return 1
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	for try := 1; ; try++ {
		cmd := exec.Command(program, args...)
		cmd.Env = append(os.Environ(), underSupervision+"=1")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		endWithParent(cmd)
		asked, err := attend(cmd, signals)
		var exit *exec.ExitError
		switch {
		case err == nil:
			return 0
		case !errors.As(err, &exit):
			fmt.Fprintf(notes, "ddps-scale: %v\n", err)
			return 1
		case exit.ExitCode() >= 0:
			return exit.ExitCode()
		case asked:
			return 1
		case try == tries:
			fmt.Fprintf(notes, "ddps-scale: the worker was ended %d times, the last time by %v\n", tries, exit)
			return 1
		}
		fmt.Fprintf(notes, "ddps-scale: the worker was ended by %v; the job is done again, try %d of %d\n", exit, try+1,
			tries)
	}
}

// attend runs a process to its end and passes signals on to it. asked: there was one.
func attend(cmd *exec.Cmd, signals <-chan os.Signal) (asked bool, err error) {
	runtime.LockOSThread() // the process ends with the thread that started it
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return false, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		select {
		case s := <-signals:
			asked = true
			cmd.Process.Signal(s) // a process that has ended is seen below
		case err := <-done:
			select {
			case <-signals: // of a terminal, which both get
				asked = true
			default:
			}
			return asked, err
		}
	}
}
