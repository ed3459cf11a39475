//go:build unix

package gonb

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Variables by which the kernel speaks to its shims.
const (
	envLedger = "DDPS_KERNEL_LEDGER" // the file of outcomes
	envMark   = "DDPS_KERNEL_MARK"   // what stands before the text of a crash on stderr
	envTmp    = "DDPS_KERNEL_TMPDIR" // the user's TMPDIR, which cells are to see
)

// GraceTime is how long a program may take to end after an interrupt. GoNB kills the shim a second later.
const GraceTime = 4 * time.Second

// Shim stands between GoNB and what a cell runs, and notes how it ended. args are one of
//
//	run PROGRAM ARG…      the compiled cell
//	shell LINE COMMAND    a line !COMMAND of the cell
//	script PROGRAM ARG…   a cell %%script, fed to the program
//	serve PROGRAM ARG…    gopls, which GoNB does not always take with it
//	guard DIR          cleans up after a kernel that was killed: see guard
//
// It returns the status with which to leave. The program runs in a process group of its own, gets interrupts, is
// killed if it does not end in time, and dies with the shim.
func Shim(args []string) int {
	if len(args) < 2 {
		fmt.Fprintln(os.Stderr, "ddps kernel shim: run by the kernel only")
		return 2
	}
	switch args[0] {
	case "guard":
		return guard(os.Stdin, args[1])
	case "serve":
		runtime.LockOSThread()
		syscall.Setpriority(syscall.PRIO_PROCESS, 0, 10) // the cells go first
		status, _, _ := supervise(exec.Command(args[1], args[2:]...), false, true)
		return status
	}
	cmd, o := shimCommand(args)
	if cmd == nil {
		fmt.Fprintf(os.Stderr, "ddps kernel shim: %q is not known\n", args[0])
		return 2
	}
	journal := os.Getenv(envLedger)
	if len(ReadLedger(journal)) > 0 {
		return 1 // an earlier line failed or the cell was interrupted
	}
	_, err := os.Stat(filepath.Join(filepath.Dir(journal), inputsFile))
	o.Status, o.Signal, o.Crashed = supervise(cmd, args[0] == "run", args[0] == "script" || err == nil)
	if o.Status == 0 && o.Signal == "" {
		return 0
	}
	if err := o.Note(journal); err != nil {
		fmt.Fprintf(os.Stderr, "ddps kernel shim: %v\n", err)
	}
	return max(o.Status, 1)
}

// shimCommand is the command that the shim runs and the name and line that its outcome has; nil if there is none.
func shimCommand(args []string) (*exec.Cmd, Outcome) {
	switch {
	case args[0] == "run":
		return exec.Command(args[1], args[2:]...), Outcome{What: "cell"}
	case args[0] == "script":
		return exec.Command(args[1], args[2:]...), Outcome{What: strings.Join(args[1:], " ")}
	case args[0] == "shell" && len(args) == 3:
		line, _ := strconv.Atoi(args[1])
		return exec.Command("/bin/bash", "-c", args[2]), Outcome{What: "!" + args[2], Line: line}
	}
	return nil, Outcome{}
}

// supervise runs a command to its end; unless it reads, its standard input is empty. The text of a crash of a Go
// program is written in one piece, after the mark.
func supervise(cmd *exec.Cmd, isGo, reads bool) (status int, sig string, crashed bool) {
	runtime.LockOSThread() // the parent that the child dies with is a thread
	defer runtime.UnlockOSThread()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if !reads {
		cmd.Stdin = nil // GoNB's pipe, which it never closes
	}
	cmd.Env = shimEnviron(os.Environ())
	cmd.SysProcAttr = ownGroup()
	var held *crashText
	if isGo {
		held = &crashText{w: os.Stderr, mark: os.Getenv(envMark)}
		cmd.Stderr = held
		cmd.WaitDelay = time.Second // for what the program started and left holding stderr
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 127, "", false
	}
	forget := noteGroup(cmd.Process.Pid)
	done := make(chan struct{})
	go relay(signals, cmd.Process.Pid, done)
	err := cmd.Wait()
	close(done)
	forget()
	status, sig = ending(cmd, err)
	if held != nil {
		crashed = held.close(status == 2)
	}
	return status, sig, crashed
}

// shimEnviron is what the program sees: the user's TMPDIR, none of the kernel's own variables.
func shimEnviron(env []string) []string {
	var out []string
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		switch name {
		case envTmp:
			if value != "" {
				out = append(out, "TMPDIR="+value)
			}
		case envLedger, envMark, "TMPDIR":
		default:
			out = append(out, e)
		}
	}
	return out
}

// relay hands signals to the program's group: an interrupt as it is, and a kill when its time is up; any other kills.
func relay(signals <-chan os.Signal, pid int, done <-chan struct{}) {
	late := make(<-chan time.Time)
	parent := os.Getppid()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case s := <-signals:
			if s == os.Interrupt {
				syscall.Kill(-pid, syscall.SIGINT)
				late = time.After(GraceTime)
				continue
			}
			syscall.Kill(-pid, syscall.SIGKILL)
		case <-late:
			syscall.Kill(-pid, syscall.SIGKILL)
		case <-tick.C:
			if os.Getppid() != parent {
				syscall.Kill(-pid, syscall.SIGKILL)
			}
		}
	}
}

// ending tells a command's exit status and the signal that ended it.
func ending(cmd *exec.Cmd, err error) (status int, sig string) {
	if err == nil || errors.Is(err, exec.ErrWaitDelay) {
		return 0, ""
	}
	if w, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal()), w.Signal().String()
	}
	return max(cmd.ProcessState.ExitCode(), 1), ""
}
