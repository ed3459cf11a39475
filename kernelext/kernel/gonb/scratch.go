//go:build unix

package gonb

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/ddps-go/ddps/kernelext/kernel/setup"
)

// FolderPrefix begins the name of a kernel's temporary directory.
const FolderPrefix = "ddps-kernel-"

// Scratch is a kernel's temporary directory: GoNB's files, its sockets, the scripts that stand before the go tool and
// before what cells run, the journal of outcomes. It goes with the kernel, in whatever way that goes: a guard, a
// process of its own, waits for it.
type Scratch struct {
	path  string
	guard *exec.Cmd
	tell  io.WriteCloser // to the guard
}

// goScript stands before the go tool in GoNB's PATH: programs of cells are built aside, and the script in their place
// runs them through the shim.
const goScript = `#!/bin/sh
tmp=@TMP@
case "$1 $2 $3 $4" in
"build -o $tmp/gonb_"*) out=$3; verb=build; shift 3 ;;
"test -c -o $tmp/gonb_"*) out=$4; verb="test -c"; shift 4 ;;
*) exec @GO@ "$@" ;;
esac
[ -s "$tmp/journal" ] && exit 1
rm -f "$out"
ln -s "$tmp/bin/cell" "$out"
echo $$ > "$tmp/building"
exec @GO@ $verb -o "$out.cell" "$@"
`

// MakeFolder makes the directory and starts its guard. shim is the command line prefix that runs Shim.
func MakeFolder(shim []string) (*Scratch, error) {
	path, err := os.MkdirTemp("", FolderPrefix)
	if err != nil { // TMPDIR is wrong
		var err2 error
		if path, err2 = os.MkdirTemp("/tmp", FolderPrefix); err2 != nil {
			return nil, fmt.Errorf("the directory for temporary files: %w; %w", err, err2)
		}
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return nil, err
	}
	f := &Scratch{path: path}
	f.guard = exec.Command(shim[0], append(shim[1:], "guard", path)...)
	f.guard.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Jupyter kills the kernel's whole group
	if f.tell, err = f.guard.StdinPipe(); err == nil {
		err = f.guard.Start()
	}
	if err != nil {
		os.RemoveAll(path)
		return nil, fmt.Errorf("the kernel's guard: %w", err)
	}
	return f, nil
}

// scripts writes the scripts.
func (f *Scratch) scripts(t setup.Tools) error {
	if err := os.MkdirAll(f.In("bin"), 0o700); err != nil {
		return err
	}
	call := make([]string, len(t.Shim))
	for i, s := range t.Shim {
		call[i] = QuoteSh(s)
	}
	prefix := "#!/bin/sh\nexec " + strings.Join(call, " ")
	fill := strings.NewReplacer("@TMP@", QuoteSh(f.path), "@GO@", QuoteSh(t.Go))
	list := map[string]string{
		"go":   fill.Replace(goScript),
		"run":  prefix + " \"$@\"\n",
		"cell": prefix + " run \"$0.cell\" \"$@\"\n",
	}
	if t.Gopls != "" {
		list["gopls"] = prefix + " serve " + QuoteSh(t.Gopls) + " \"$@\"\n"
	}
	for name, text := range list {
		if err := os.WriteFile(f.In("bin", name), []byte(text), 0o700); err != nil {
			return err
		}
	}
	return nil
}

// sweep removes what a compiler that was killed leaves: its sockets, which would be taken for those of the next, and
// its program.
func (f *Scratch) sweep() {
	for _, pattern := range []string{"s-*", "gonb_*"} {
		old, _ := filepath.Glob(f.In(pattern))
		for _, path := range old {
			os.RemoveAll(path)
		}
	}
}

// In returns a path inside.
func (f *Scratch) In(names ...string) string {
	return filepath.Join(append([]string{f.path}, names...)...)
}

// Journal is the file of outcomes.
func (f *Scratch) Journal() string { return f.In("journal") }

// Inputs is a file that is there while the cell that runs may read what the user types.
func (f *Scratch) Inputs() string { return f.In(inputsFile) }

// inputsFile is its name, beside the journal.
const inputsFile = "inputs"

// Controls is the socket of controls.
func (f *Scratch) Controls() string { return f.In("controls") }

// watch has the guard end a process group too.
func (f *Scratch) watch(pgid int) { fmt.Fprintln(f.tell, pgid) }

// Remove removes all, and lets the guard see to what a dying process may still write.
func (f *Scratch) Remove() {
	os.RemoveAll(f.path)
	io.WriteString(f.tell, guardDone)
	f.tell.Close()
	f.guard.Wait()
}
