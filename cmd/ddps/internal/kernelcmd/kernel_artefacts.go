package kernelcmd

import (
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/kernelext/artefact"
	"github.com/ddps-go/ddps/kernelext/kernel/setup"
)

// artefactRoot is the directory below which results are looked for: the one named, else the Go module around the
// working directory, else that.
func artefactRoot(args []string) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	if module, err := setup.FindModule("."); err == nil {
		return module, nil
	}
	return filepath.Abs(".")
}

// newArtefacts returns the command ddps kernel artefacts.
func newArtefacts(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "artefacts [DIR]",
		Short: "List the results that notebooks keep",
		Long: "List the results that notebooks keep below a directory, by what they were made from, so that the\n" +
			"same code, settings and inputs need not be run again. The directory is by default the Go module\n" +
			"around the working directory. A line for each: the beginning of its key, its kind, its size,\n" +
			"when it was last used, how long it took to make, and the function that made it.",
		Example: `  ddps kernel artefacts
  ddps kernel artefacts notebooks/runs`,
		Args: cli.WantArgs("[DIR]"),
		RunE: func(_ *cobra.Command, args []string) error {
			root, dirs, err := artefactDirs(args)
			if err != nil {
				return err
			}
			n, size := 0, int64(0)
			for _, dir := range dirs {
				list, err := artefact.List(dir)
				if err != nil {
					return err
				}
				fmt.Fprintln(a.Stdout, below(root, dir))
				if err := cli.PrintTable(a.Stdout, artefactHeader, artefactRows(list)); err != nil {
					return err
				}
				for _, info := range list {
					n, size = n+1, size+info.Size
				}
			}
			_, err = fmt.Fprintf(a.Stdout, "%s kept below %s\n", results(n, size), root)
			return err
		},
	}
}

// newGC returns the command ddps kernel gc.
func newGC(a *cli.App) *cobra.Command {
	unused, keep, dry := "30d", "2GiB", false
	cmd := &cobra.Command{
		Use:   "gc [DIR]",
		Short: "Remove results that notebooks keep and no longer use",
		Long: "Remove results that 'ddps kernel artefacts' lists and nobody has used for a time and, while they take\n" +
			"more space than they may, those used longest ago. Other processes may be at work: what one waits\n" +
			"for or computes is spared, and one that wants what was removed computes it again.",
		Example: `  ddps kernel gc
  ddps kernel gc --unused 7d --keep 500MiB
  ddps kernel gc --unused 0 --dry-run`,
		Args: cli.WantArgs("[DIR]"),
		RunE: func(_ *cobra.Command, args []string) error {
			age, err := parseAge(unused)
			if err != nil {
				return cli.Usagef("--unused: %w", err)
			}
			size, err := parseSize(keep)
			if err != nil {
				return cli.Usagef("--keep: %w", err)
			}
			root, dirs, err := artefactDirs(args)
			if err != nil {
				return err
			}
			return collect(a, root, dirs, artefact.Policy{Before: time.Now().Add(-age), Keep: size, Dry: dry})
		},
	}
	cmd.Flags().StringVar(&unused, "unused", unused, "remove what was not used for this `long`: 30d, 12h; 0 for all")
	cmd.Flags().StringVar(&keep, "keep", keep, "the most `bytes` that may stay: 500MiB, 2GiB; 0 for any size")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only print what would be removed")
	return cmd
}

// collect carries out a policy and says what went.
func collect(a *cli.App, root string, dirs []string, p artefact.Policy) error {
	gone, err := artefact.Collect(dirs, p)
	if len(gone) > 0 {
		if err := cli.PrintTable(a.Stdout, artefactHeader, artefactRows(gone)); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	freed, left, kept := int64(0), 0, int64(0)
	for _, info := range gone {
		freed += info.Size
	}
	for _, dir := range dirs {
		list, err := artefact.List(dir)
		if err != nil {
			return err
		}
		for _, info := range list {
			left, kept = left+1, kept+info.Size
		}
	}
	if p.Dry {
		_, err = fmt.Fprintf(a.Stdout, "would remove %s of %s below %s\n", results(len(gone), freed), results(left, kept),
			root)
		return err
	}
	_, err = fmt.Fprintf(a.Stdout, "removed %s; %s stay below %s\n", results(len(gone), freed), results(left, kept), root)
	return err
}

func artefactDirs(args []string) (root string, dirs []string, err error) {
	if root, err = artefactRoot(args); err != nil {
		return "", nil, err
	}
	dirs, err = artefact.Dirs(root)
	return root, dirs, err
}

var artefactHeader = []string{"key", "kind", "size", "used", "took", "made by"}

func artefactRows(list []artefact.Info) [][]string {
	rows := make([][]string, len(list))
	for i, info := range list {
		by := path.Base(info.By) // without the module's path
		by = strings.TrimSuffix(by, "-fm")
		rows[i] = []string{info.Key[:min(12, len(info.Key))], info.Type, cli.BytesSize(uint64(info.Size)),
			ago(time.Since(info.Used)),
			info.Took.Round(time.Millisecond).String(), by}
	}
	return rows
}

// below returns a directory as seen from another, where that is shorter.
func below(root, dir string) string {
	if rel, err := filepath.Rel(root, dir); err == nil {
		return rel
	}
	return dir
}

// results says how many results of what size in all.
func results(n int, size int64) string {
	if n == 1 {
		return "1 result, " + cli.BytesSize(uint64(size))
	}
	return fmt.Sprintf("%d results, %s", n, cli.BytesSize(uint64(size)))
}

// ago says how long ago something was, in the largest unit that leaves a whole part.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}

// parseAge reads 30d or any duration of Go.
func parseAge(s string) (time.Duration, error) {
	days, isDays := strings.CutSuffix(s, "d")
	if n, err := strconv.ParseFloat(days, 64); err == nil && isDays && n >= 0 && n < 1e5 {
		return time.Duration(n * float64(24*time.Hour)), nil
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return d, nil
	}
	return 0, fmt.Errorf("%q is no length of time such as 30d, 12h or 0", s)
}

// parseSize reads a number of bytes with or without a unit: 500MiB, 2GB, 0.
func parseSize(s string) (int64, error) {
	unit := strings.TrimLeft(s, "0123456789.")
	scale, ok := map[string]float64{"": 1, "B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KiB": 1 << 10,
		"MiB": 1 << 20,
		"GiB": 1 << 30, "TiB": 1 << 40}[strings.TrimSpace(unit)]
	n, err := strconv.ParseFloat(strings.TrimSuffix(s, unit), 64)
	if !ok || err != nil || n < 0 || n*scale > 1<<60 {
		return 0, fmt.Errorf("%q is no size such as 500MiB, 2GB or 0", s)
	}
	return int64(n * scale), nil
}
