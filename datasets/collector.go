package datasets

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/ddps-go/ddps/ddps"
)

// Collector builds Data from paths: it checks them and adds the counts of those that repeat.
type Collector struct {
	at    map[string]int // pathKey → index in data
	data  *Data
	total int
}

// NewCollector returns a collector of paths of g.
func NewCollector(g *ddps.LayeredGraph) *Collector {
	return &Collector{at: map[string]int{}, data: &Data{Graph: g}}
}

// Add adds a path that occurs n ≥ 1 times; p is kept. It is an error if p is not a path of the graph, or if the counts
// sum to more than fits an integer.
func (c *Collector) Add(p ddps.Path, n int) error {
	if err := c.data.Graph.Check(p); err != nil {
		return err
	}
	if n > math.MaxInt-c.total {
		return errors.New("the counts of the file sum to more than fits an integer")
	}
	c.total += n
	key := pathKey(p)
	i, ok := c.at[key]
	if !ok {
		i = len(c.data.Paths)
		c.at[key] = i
		c.data.Paths, c.data.Counts = append(c.data.Paths, p), append(c.data.Counts, 0)
	}
	c.data.Counts[i] += n
	return nil
}

// Data returns the paths added so far, in the order in which they first came.
func (c *Collector) Data() *Data { return c.data }

// pathKey returns a string that equal paths of one graph, and no others, share.
func pathKey(p ddps.Path) string {
	b := make([]byte, 0, 3*len(p))
	for _, v := range p {
		b = binary.AppendUvarint(b, uint64(v))
	}
	return string(b)
}
