package query_test

import (
	"github.com/ddps-go/ddps/ddps"
)

func pathKey(p ddps.Path) string {
	k := make([]byte, len(p))
	for i, v := range p {
		k[i] = byte(v)
	}
	return string(k)
}
