package pathfile

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/ddps-go/ddps/ddps"
)

// ReadRewardFile reads a file of rewards; see ReadRewards.
func ReadRewardFile(path string, g *ddps.LayeredGraph, note ...func(text string)) ([]float64, error) {
	return readTotalFile(path, g, ReadRewards, note)
}

// ReadCostFile reads a file of costs; see ReadCosts.
func ReadCostFile(path string, g *ddps.LayeredGraph, note ...func(text string)) ([]float64, error) {
	return readTotalFile(path, g, ReadCosts, note)
}

// readTotalFile opens a file and reads it.
func readTotalFile(path string, g *ddps.LayeredGraph, read func(string, io.Reader, *ddps.LayeredGraph,
	...func(string)) ([]float64, error), note []func(text string)) ([]float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	defer f.Close()
	return read(path, f, g, note...)
}

// WriteRewards writes the rewards other than 0 of g's edges as ReadRewards reads them.
func WriteRewards(w io.Writer, g *ddps.LayeredGraph, u []float64) error {
	if err := g.CheckReward(u); err != nil {
		return err
	}
	c := csv.NewWriter(w)
	if err := c.Write([]string{"layer", "from", "to", "reward"}); err != nil {
		return fmt.Errorf("datasets: rewards: %w", err)
	}
	for e, x := range u {
		if x == 0 {
			continue
		}
		v := g.Tail(e)
		err := c.Write([]string{strconv.Itoa(g.LayerOf(v) + 1), g.Name(v), g.Name(g.Head(e)), strconv.FormatFloat(x, 'g', -1,
			64)})
		if err != nil {
			return fmt.Errorf("datasets: rewards: %w", err)
		}
	}
	c.Flush()
	return c.Error()
}
