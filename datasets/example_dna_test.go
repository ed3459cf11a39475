package datasets_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
)

// The paper's lattice, where G may not follow an A in "the 4th and 5th location", and a sequence of it.
func ExampleDNA() {
	g, err := datasets.DNA(6, datasets.ForbiddenPair{Pair: "AG", At: 4})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.NumLayers(), "layers,", ddps.NewIndex(g).Count(), "sequences of", 4*4*4*4*4*4)
	d, err := pathfile.ReadFASTA("mine.fa", strings.NewReader(">first\nacg\ntac\n"), g)
	if err != nil {
		log.Fatal(err)
	}
	if err := pathfile.WriteFASTA(os.Stdout, d); err != nil {
		log.Fatal(err)
	}
	_, err = pathfile.ReadFASTA("mine.fa", strings.NewReader(">second\nACGAGT\n"), g)
	fmt.Println(err)
	// Output:
	// 7 layers, 3840 sequences of 4096
	// >1
	// ACGTAC
	// datasets: mine.fa:1: record "second": position 5: no G may follow the A there
}
