//go:build unix

package gonb

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ddps-go/ddps/kernelext/kernel/internal/proctest"
)

// TestMain lets the test's program stand in for ddps as a shim.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "shim" {
		os.Exit(Shim(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// shim runs this program as a shim, with a journal, and returns its status, what it wrote to stderr, the journal.
func shim(t *testing.T, args ...string) (status int, stderr string, journal []Outcome) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "journal")
	cmd := exec.Command(os.Args[0], append([]string{"shim"}, args...)...)
	cmd.Env = append(os.Environ(), envLedger+"="+file, envMark+"=<mark>", envTmp+"=/users/tmp", "TMPDIR=/kernels/tmp")
	var b bytes.Buffer
	cmd.Stderr = &b
	err := cmd.Run()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), b.String(), ReadLedger(file)
}

func TestShim(t *testing.T) {
	for _, c := range []struct {
		args    []string
		status  int
		stderr  string
		journal []Outcome
	}{
		{[]string{"shell", "1", "true"}, 0, "", nil},
		{[]string{"shell", "2", "echo $TMPDIR$DDPS_KERNEL_LEDGER >&2; exit 4"}, 4, "/users/tmp\n",
			[]Outcome{{What: "!echo $TMPDIR$DDPS_KERNEL_LEDGER >&2; exit 4", Line: 2, Status: 4}}},
		{[]string{"script", "/bin/sh", "-c", "kill -9 $$"}, 137, "", []Outcome{{What: "/bin/sh -c kill -9 $$", Status: 137,
			Signal: "killed"}}},
		{[]string{"run", "/bin/sh", "-c", "echo a >&2; echo 'panic: b' >&2; echo c >&2; exit 2"}, 2, "a\n<mark>panic: b\nc\n",
			[]Outcome{{What: "cell", Status: 2, Crashed: true}}},
		{[]string{"run", "/bin/sh", "-c", "echo 'panic: b' >&2; exit 1"}, 1, "panic: b\n",
			[]Outcome{{What: "cell", Status: 1}}},
		{[]string{"run", "/bin/sh", "-c", "echo 'panic: b' >&2"}, 0, "panic: b\n", nil},
		{[]string{"run", "/nowhere/at/all"}, 127, "", []Outcome{{What: "cell", Status: 127}}},
		{[]string{"serve", "/bin/sh", "-c", "exit 5"}, 5, "", nil},
		{[]string{"what", "is"}, 2, "", nil},
	} {
		status, stderr, journal := shim(t, c.args...)
		if status != c.status || c.stderr != "" && stderr != c.stderr || !slices.Equal(journal, c.journal) {
			t.Errorf("%q: status %d, stderr %q, journal %+v", c.args, status, stderr, journal)
		}
	}
}

// What reads standard input finds its end there, though GoNB's pipe stays open, unless the cell asks for input.
func TestShimInput(t *testing.T) {
	for _, asks := range []bool{false, true} {
		dir := t.TempDir()
		if asks {
			if err := os.WriteFile(filepath.Join(dir, inputsFile), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, args := range [][]string{{"run", "/bin/cat"}, {"shell", "1", "cat"}, {"script", "/bin/cat"}} {
			cmd := exec.CommandContext(t.Context(), os.Args[0], append([]string{"shim"}, args...)...)
			cmd.Env = append(os.Environ(), envLedger+"="+filepath.Join(dir, "journal"))
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			want := ""
			if io.WriteString(in, "typed"); asks || args[0] == "script" {
				want = "typed"
				in.Close()
			}
			if out, err := cmd.Output(); string(out) != want || err != nil {
				t.Errorf("%q, input asked for %v: %q, %v", args, asks, out, err)
			}
		}
	}
}

// The runtime may take long over the traces of what has overflowed; what anybody may print is not held as long.
func TestCrashHold(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"runtime: goroutine stack exceeds 1000000000-byte limit\n": maxHoldLong, "fatal error: x": maxHoldLong,
		"panic: x": maxHold, "no panic: x": 0} {
		if at, hold := new(crashText).start([]byte("a\n" + text)); hold != want || hold > 0 && at != 2 {
			t.Errorf("%q: at %d, %v", text, at, hold)
		}
	}
}

// An earlier failure keeps what follows from being run.
func TestShimStops(t *testing.T) {
	file := filepath.Join(t.TempDir(), "journal")
	if err := (Outcome{Stopped: true}).Note(file); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "shim", "shell", "1", "echo no")
	cmd.Env = append(os.Environ(), envLedger+"="+file)
	if out, err := cmd.CombinedOutput(); err == nil || len(out) > 0 {
		t.Errorf("%q, %v", out, err)
	}
}

// Signals reach the program and what it started.
func TestShimInterrupt(t *testing.T) {
	cmd := exec.Command(os.Args[0], "shim", "shell", "1", "sleep 100 | cat")
	cmd.Env = append(os.Environ(), envLedger+"="+filepath.Join(t.TempDir(), "journal"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	cmd.Process.Signal(os.Interrupt)
	if err := cmd.Wait(); err == nil {
		t.Error("no error")
	}
}

func TestCrashText(t *testing.T) {
	for _, c := range []struct {
		parts []string
		crash bool
		want  string
	}{
		{[]string{"a\n", "panic: ", "x"}, true, "a\n<m>panic: x"},
		{[]string{"no ", "panic: x\n"}, true, "no panic: x\n"},
		{[]string{"line\nfatal error: y\n", "more"}, true, "line\n<m>fatal error: y\nmore"},
		{[]string{"panic: x", " and on"}, false, "panic: x and on"},
		{[]string{"", "plain"}, true, "plain"},
	} {
		var b bytes.Buffer
		h := &crashText{w: &b, mark: "<m>"}
		for _, p := range c.parts {
			io.WriteString(h, p)
		}
		h.close(c.crash)
		if b.String() != c.want {
			t.Errorf("%q gives %q", c.parts, b.String())
		}
	}
}

// What a shim runs is ended by the guard with all it started, though the shim itself was killed and could not.
func TestGuardShimKilled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), FolderPrefix+"1")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "shim", "run", "/bin/sh", "-c", "sleep 100 & echo $!; wait")
	cmd.Env = append(os.Environ(), envLedger+"="+filepath.Join(dir, "journal"))
	line := proctest.StartLine(t, cmd)
	for end := time.Now().Add(proctest.Patience); len(notedGroups(dir)) == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the group is not noted")
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(line, err)
	}
	guard := exec.Command(os.Args[0], "shim", "guard", dir)
	guard.Stdin = strings.NewReader("")
	if err := guard.Run(); err != nil {
		t.Fatal(err)
	}
	proctest.Gone(t, filepath.Join(filepath.Dir(dir), FolderPrefix+"*"), []int{pid})
}

// A group whose number another process has by now is let alone.
func TestGuardNumberReused(t *testing.T) {
	if processStart(os.Getpid()) == "" {
		t.Log("when a process began cannot be told here")
		return
	}
	dir := filepath.Join(t.TempDir(), FolderPrefix+"1")
	t.Setenv(envLedger, filepath.Join(dir, "journal"))
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	forget := noteGroup(os.Getpid())
	if got := notedGroups(dir); !slices.Equal(got, []int{os.Getpid()}) {
		t.Errorf("noted %v", got)
	}
	if err := os.WriteFile(filepath.Join(dir, groupsFolder, strconv.Itoa(os.Getpid())), []byte("1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := notedGroups(dir); len(got) > 0 {
		t.Errorf("of another process: %v", got)
	}
	forget()
	if got := notedGroups(dir); len(got) > 0 {
		t.Errorf("forgotten: %v", got)
	}
}

// The guard ends groups and removes the directory when its input ends, and only such a directory.
func TestGuard(t *testing.T) {
	dir := filepath.Join(t.TempDir(), FolderPrefix+"1")
	if err := os.MkdirAll(filepath.Join(dir, "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	sleep := exec.Command("sleep", "100")
	sleep.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := sleep.Start(); err != nil {
		t.Fatal(err)
	}
	go sleep.Wait()
	guard := exec.Command(os.Args[0], "shim", "guard", dir)
	guard.Stdin = strings.NewReader(strconv.Itoa(sleep.Process.Pid) + "\nnonsense\n")
	if err := guard.Run(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the directory is there")
	}
	if err := syscall.Kill(sleep.Process.Pid, 0); err != syscall.ESRCH {
		t.Error("the process lives:", err)
	}
	other := t.TempDir()
	exec.Command(os.Args[0], "shim", "guard", other).Run()
	if _, err := os.Stat(other); err != nil {
		t.Error("the guard removed another's directory")
	}
}

// A kernel starts where TMPDIR names no directory, and leaves nothing.
func TestNoTemporaryFolder(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	f, err := MakeFolder([]string{os.Args[0], "shim"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(f.path); err != nil {
		t.Error(err)
	}
	f.Remove()
	if _, err := os.Stat(f.path); err == nil {
		t.Error("the directory is still there")
	}
}

// A compiler that is started anew finds nothing of the last one.
func TestSweep(t *testing.T) {
	f := &Scratch{path: t.TempDir()}
	for _, name := range []string{"s-1", "s-5", "gonb_ab/main.go", "bin/go", "controls"} {
		if err := os.MkdirAll(f.In(filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.In(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f.sweep()
	entries, _ := os.ReadDir(f.path)
	if len(entries) != 2 || entries[0].Name() != "bin" || entries[1].Name() != "controls" {
		t.Error(entries)
	}
}
