//go:build unix

package kernel

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// folderPrefix begins the name of a kernel's temporary folder.
const folderPrefix = "ddps-kernel-"

// folder is a kernel's temporary folder: GoNB's files, its sockets, the scripts that stand before the go tool and
// before what cells run, the ledger of outcomes. It goes with the kernel, in whatever way that goes: a guard, a
// process of its own, waits for it.
type folder struct {
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
[ -s "$tmp/ledger" ] && exit 1
rm -f "$out"
ln -s "$tmp/bin/cell" "$out"
echo $$ > "$tmp/building"
exec @GO@ $verb -o "$out.cell" "$@"
`

// makeFolder makes the folder and starts its guard. shim is the command line prefix that runs Shim.
func makeFolder(shim []string) (*folder, error) {
	path, err := os.MkdirTemp("", folderPrefix)
	if err != nil { // TMPDIR is wrong
		var err2 error
		if path, err2 = os.MkdirTemp("/tmp", folderPrefix); err2 != nil {
			return nil, fmt.Errorf("the folder for temporary files: %w; %w", err, err2)
		}
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return nil, err
	}
	f := &folder{path: path}
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
func (f *folder) scripts(t Tools) error {
	if err := os.MkdirAll(f.in("bin"), 0o700); err != nil {
		return err
	}
	call := make([]string, len(t.Shim))
	for i, s := range t.Shim {
		call[i] = quoteSh(s)
	}
	prefix := "#!/bin/sh\nexec " + strings.Join(call, " ")
	fill := strings.NewReplacer("@TMP@", quoteSh(f.path), "@GO@", quoteSh(t.Go))
	list := map[string]string{
		"go":   fill.Replace(goScript),
		"run":  prefix + " \"$@\"\n",
		"cell": prefix + " run \"$0.cell\" \"$@\"\n",
	}
	if t.Gopls != "" {
		list["gopls"] = prefix + " serve " + quoteSh(t.Gopls) + " \"$@\"\n"
	}
	for name, text := range list {
		if err := os.WriteFile(f.in("bin", name), []byte(text), 0o700); err != nil {
			return err
		}
	}
	return nil
}

// sweep removes what a compiler that was killed leaves: its sockets, which would be taken for those of the next, and
// its program.
func (f *folder) sweep() {
	for _, pattern := range []string{"s-*", "gonb_*"} {
		old, _ := filepath.Glob(f.in(pattern))
		for _, path := range old {
			os.RemoveAll(path)
		}
	}
}

// in returns a path inside.
func (f *folder) in(names ...string) string {
	return filepath.Join(append([]string{f.path}, names...)...)
}

// ledger is the file of outcomes.
func (f *folder) ledger() string { return f.in("ledger") }

// inputs is a file that is there while the cell that runs may read what the user types.
func (f *folder) inputs() string { return f.in(inputsFile) }

// inputsFile is its name, beside the ledger.
const inputsFile = "inputs"

// controls is the socket of controls.
func (f *folder) controls() string { return f.in("controls") }

// watch has the guard end a process group too.
func (f *folder) watch(pgid int) { fmt.Fprintln(f.tell, pgid) }

// remove removes all, and lets the guard see to what a dying process may still write.
func (f *folder) remove() {
	os.RemoveAll(f.path)
	io.WriteString(f.tell, guardDone)
	f.tell.Close()
	f.guard.Wait()
}
