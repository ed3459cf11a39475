package graphcmd

import (
	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
)

// newMakeSequencesCmd returns the command ddps graph make sequences.
func newMakeSequencesCmd(a *cli.App) *cobra.Command {
	var w cli.WalkFlags
	var out string
	cmd := &cobra.Command{
		Use:   "sequences FILE…",
		Short: "Make a graph of recorded walks: any start, any end, any length",
		Long: "Make a layered graph of files of walks: CSV with a place per column, or a whole walk in one; event logs\n" +
			"(case, time, place; XES); lines of tokens or letters; n-grams with counts; JSON Lines, Parquet, FASTA. Layer\n" +
			"l holds the places at position l, behind a source; END fills up walks that end before the longest. Moves are\n" +
			"allowed in every position. What is left out is counted, with the reason. 'ddps train --paths FILE' makes\n" +
			"the graph itself. docs/sequences.md describes formats and graph.",
		Example: `  ddps graph make sequences itineraries.ngram -o itineraries.json
  ddps graph make sequences log.csv --case patient --time at --place activity --max-length 20 -o log.json
  ddps graph make sequences train.txt test.txt --edges moves.csv --start A --start B -o net.json`,
		Args: cli.WantArgs("FILE…"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.CheckOut(out); err != nil {
				return err
			}
			walks, err := w.Read(a, args...)
			if err != nil {
				return err
			}
			r, err := w.Make(a, walks)
			if err != nil {
				return err
			}
			a.Notef("%s", cli.WalksNote(r.Data[0]))
			return writeGraph(a, out, r.Graph)
		},
	}
	cli.OutVar(cmd, &out, "JSON `file` to write (default standard output)", "json")
	w.MakeVars(cmd)
	w.ReadVars(cmd)
	return cmd
}
