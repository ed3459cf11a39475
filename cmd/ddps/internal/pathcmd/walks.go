package pathcmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets/sequences"
)

// convertWalks writes the walks of a file, which no graph checks, in another format.
func convertWalks(a *cli.App, in, out, format string, flags *cli.WalkFlags) error {
	f := sequences.Format(format)
	if format == "" && out == "-" {
		f = sequences.Wide
	} else if format == "" {
		var err error
		if f, err = cli.WalksFormat(out); err != nil {
			return err
		}
	}
	if err := a.CheckOut(out); err != nil {
		return err
	}
	w, err := flags.Read(a, in)
	if err != nil {
		return err
	}
	if err := a.WriteFiles(cli.WalksFile(out, f, w)); err != nil {
		return err
	}
	a.Notef("%s: %s walks, not checked against a graph", cli.OutName(out), cli.Whole(w.Total()))
	return nil
}

// listWalks lists the first n walks of a file.
func listWalks(a *cli.App, file string, n int, format string, flags *cli.WalkFlags) error {
	w, err := flags.Read(a, file)
	if err != nil {
		return err
	}
	first := sequences.New()
	for i := range min(n, w.Len()) {
		if err := first.Add(w.Names(i), w.Count(i)); err != nil {
			return err
		}
	}
	write := func(out io.Writer) error {
		return sequences.Write(out, first, sequences.WriteOptions{Format: map[string]sequences.Format{
			"csv": sequences.Wide, "jsonl": sequences.JSONL}[format]})
	}
	if format == "text" {
		write = func(out io.Writer) error { return textWalks(out, first) }
	}
	if err := a.WriteFile("", write); err != nil {
		return err
	}
	if more := w.Len() - first.Len(); more > 0 {
		a.Notef("%s more; -n shows more of them", cli.Whole(more))
	}
	return nil
}

// textWalks writes walks for people: A → C → G ×3.
func textWalks(out io.Writer, w *sequences.Walks) error {
	for i := range w.Len() {
		times := ""
		if n := w.Count(i); n > 1 {
			times = fmt.Sprintf("  ×%d", n)
		}
		if _, err := fmt.Fprintf(out, "%s%s\n", strings.Join(w.Names(i), " → "), times); err != nil {
			return err
		}
	}
	return nil
}

// countWalks prints how many walks a file has, and how many differ.
func countWalks(a *cli.App, file string) error {
	w, err := (&cli.WalkFlags{}).Read(a, file)
	if err != nil {
		return err
	}
	counts := map[string]int{}
	for i := range w.Len() {
		counts[fmt.Sprint(w.At(i))] += w.Count(i)
	}
	repeated, most := 0, 0
	for _, n := range counts {
		if n > 1 {
			repeated++
		}
		most = max(most, n)
	}
	return a.WriteFile("", func(out io.Writer) error { return countTable(out, w.Total(), len(counts), repeated, most) })
}

// countTable is the table of paths count.
func countTable(out io.Writer, total, distinct, repeated, most int) error {
	return cli.PrintTable(out, nil, [][]string{{"paths with repeats", cli.Whole(total)},
		{"distinct paths", cli.Whole(distinct)}, {"stand more than once", cli.Whole(repeated)},
		{"most often", cli.Whole(most)}})
}
