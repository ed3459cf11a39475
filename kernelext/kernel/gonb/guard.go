//go:build unix

package gonb

import (
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// guard waits for the end of its input, which comes when the kernel is gone however it went, ends the process
// groups whose numbers it read, a line each, and those that shims had running, and removes the directory.
func guard(in io.Reader, scratch string) int {
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	data, _ := io.ReadAll(in)
	if base := filepath.Base(scratch); !strings.HasPrefix(base, FolderPrefix) {
		return 2
	}
	if !strings.HasSuffix(string(data), guardDone) {
		for _, line := range strings.Fields(string(data)) {
			if pgid, err := strconv.Atoi(line); err == nil && pgid > 1 {
				endGroup(pgid)
			}
		}
		for _, pgid := range notedGroups(scratch) { // of shims that died before they could
			syscall.Kill(-pgid, syscall.SIGKILL)
		}
	}
	os.RemoveAll(scratch)
	return 0
}

// guardDone ends the guard's input when the kernel went in order.
const guardDone = "done\n"

// endGroup ends a process group: asks, and after a second kills.
func endGroup(pgid int) {
	syscall.Kill(-pgid, syscall.SIGTERM)
	for range 50 {
		if syscall.Kill(-pgid, 0) == syscall.ESRCH {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	syscall.Kill(-pgid, syscall.SIGKILL)
}

// groupsFolder, in the kernel's directory, has a file for each process group that a shim runs, by its number, with the
// time when its leader began.
const groupsFolder = "groups"

// noteGroup notes, for the guard, a process group that begins, and returns what forgets it. Outside a kernel's
// directory it does nothing.
func noteGroup(pgid int) (forget func()) {
	journal := os.Getenv(envLedger)
	if journal == "" {
		return func() {}
	}
	dir := filepath.Join(filepath.Dir(journal), groupsFolder)
	file := filepath.Join(dir, strconv.Itoa(pgid))
	os.Mkdir(dir, 0o700)
	os.WriteFile(file, []byte(processStart(pgid)), 0o600)
	return func() { os.Remove(file) }
}

// notedGroups returns the process groups that are noted in a kernel's directory, but for those whose number now is
// another process's: the group is gone then.
func notedGroups(scratch string) (list []int) {
	entries, _ := os.ReadDir(filepath.Join(scratch, groupsFolder))
	for _, e := range entries {
		pgid, err := strconv.Atoi(e.Name())
		began, err2 := os.ReadFile(filepath.Join(scratch, groupsFolder, e.Name()))
		if err != nil || err2 != nil || pgid <= 1 {
			continue
		}
		if now := processStart(pgid); now == "" || now == string(began) {
			list = append(list, pgid)
		}
	}
	return list
}
