package blocks

import (
	"errors"

	"github.com/ddps-go/ddps/ddps"
)

// Counts counts the paths of a file or of many: distinct paths in the order in which they first came.
type Counts struct {
	Keys  []string // paths as Key writes them
	N     []int
	Total int
	at    map[string]int
	key   []byte
}

// NewCounts returns counts of nothing.
func NewCounts() *Counts { return &Counts{at: map[string]int{}} }

// Key appends p to dst: two bytes a vertex below 65,535, else six.
func Key(dst []byte, p ddps.Path) []byte {
	for _, v := range p {
		if v >= 0xffff {
			dst = append(dst, 0xff, 0xff, byte(v>>24), byte(v>>16))
		}
		dst = append(dst, byte(v>>8), byte(v))
	}
	return dst
}

// PathOf appends the path of a Key to dst.
func PathOf(dst ddps.Path, key string) ddps.Path {
	for k := 0; k+1 < len(key); k += 2 {
		v := int(key[k])<<8 | int(key[k+1])
		if v == 0xffff && k+5 < len(key) {
			v = int(key[k+2])<<24 | int(key[k+3])<<16 | int(key[k+4])<<8 | int(key[k+5])
			k += 4
		}
		dst = append(dst, v)
	}
	return dst
}

// Add adds n to the count of p. The error is of a sum that does not fit an integer.
func (c *Counts) Add(p ddps.Path, n int) error {
	c.key = Key(c.key[:0], p)
	if i, ok := c.at[string(c.key)]; ok && c.Total+n >= c.Total {
		c.N[i] += n
		c.Total += n
		return nil
	}
	return c.AddKey(string(c.key), n)
}

// AddKey is Add of a Key.
func (c *Counts) AddKey(key string, n int) error {
	if c.Total+n < c.Total {
		return errors.New("blocks: the counts sum to more than fits an integer")
	}
	c.Total += n
	i, ok := c.at[key]
	if !ok {
		i = len(c.N)
		c.at[key] = i
		c.Keys, c.N = append(c.Keys, key), append(c.N, 0)
	}
	c.N[i] += n
	return nil
}
