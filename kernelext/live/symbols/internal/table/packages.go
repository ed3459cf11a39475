package table

import "strings"

const module = "github.com/ddps-go/ddps/"

// packages lists what live cells can import.
func packages() []string {
	list := strings.Fields(`
		bufio bytes compress/gzip container/heap container/list container/ring context crypto/hmac crypto/md5
		crypto/rand crypto/sha1 crypto/sha256 crypto/sha512 encoding encoding/base32 encoding/base64 encoding/binary
		encoding/csv encoding/gob encoding/hex encoding/json encoding/xml errors flag fmt hash hash/adler32 hash/crc32 hash/crc64
		hash/fnv html html/template image image/color image/draw image/gif image/jpeg image/png io io/fs io/ioutil
		log log/slog math math/big math/bits math/cmplx math/rand math/rand/v2 net/url os path path/filepath reflect regexp
		runtime runtime/debug sort strconv strings sync sync/atomic text/scanner text/tabwriter text/template time
		unicode unicode/utf16 unicode/utf8
		gonum.org/v1/gonum/floats gonum.org/v1/gonum/mat gonum.org/v1/gonum/stat gonum.org/v1/gonum/stat/distuv
		gonum.org/v1/plot gonum.org/v1/plot/font gonum.org/v1/plot/palette gonum.org/v1/plot/palette/moreland
		gonum.org/v1/plot/plotter gonum.org/v1/plot/plotutil gonum.org/v1/plot/text gonum.org/v1/plot/vg
		gonum.org/v1/plot/vg/draw`)
	for _, own := range strings.Fields(`ddps ddps/baselines ddps/baselines/swingnn ddps/chain ddps/compare ddps/d3pm ddps/guide ddps/markov ddps/metrics
		ddps/mixture ddps/model ddps/net ddps/net/gru ddps/net/mlp ddps/net/unet ddps/query ddps/run ddps/stack
		ddps/study ddps/study/memory ddps/study/paths ddps/study/table1 ddps/train
		datasets datasets/maps datasets/pathfile datasets/sequences datasets/slots datasets/tracks plots
		kernelext/live/lab`) {
		list = append(list, module+own)
	}
	return list
}
