package datasets

import (
	"encoding/binary"

	"github.com/ddps-go/ddps/ddps"
)

// pathKey returns a string that equal paths of one graph, and no others, share.
func pathKey(p ddps.Path) string {
	b := make([]byte, 0, 3*len(p))
	for _, v := range p {
		b = binary.AppendUvarint(b, uint64(v))
	}
	return string(b)
}
