package pbf

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/paulmach/osm"
)

// Write writes nodes (ids and coordinates; their tags are left out) and ways
// (with tags) as one OSM PBF file, coordinates rounded to the format's 1e-7
// degree. source is stored in the header. The same input gives the same bytes
// for one release of Go's compressor.
func Write(w io.Writer, source string, nodes []osm.Node, ways []osm.Way) error {
	head := appendBytes(nil, 4, []byte("OsmSchema-V0.6"))
	head = appendBytes(head, 4, []byte("DenseNodes"))
	head = appendBytes(head, 16, []byte("ddps"))
	head = appendBytes(head, 17, []byte(source))
	if err := writeBlock(w, "OSMHeader", head); err != nil {
		return err
	}
	index, table := map[string]uint64{"": 0}, [][]byte{nil}
	intern := func(s string) uint64 {
		if _, ok := index[s]; !ok {
			index[s] = uint64(len(table))
			table = append(table, []byte(s))
		}
		return index[s]
	}
	groups := [][]byte{appendBytes(nil, 2, dense(nodes))}
	var group []byte
	for i := range ways {
		group = appendBytes(group, 3, wayMessage(&ways[i], intern))
	}
	groups = append(groups, group)
	var strs, data []byte
	for _, s := range table {
		strs = appendBytes(strs, 1, s)
	}
	data = appendBytes(data, 1, strs)
	for _, g := range groups {
		data = appendBytes(data, 2, g)
	}
	return writeBlock(w, "OSMData", data)
}

// packed encodes the differences of vs.
func packed(vs []int64) []byte {
	var out []byte
	last := int64(0)
	for _, v := range vs {
		out = binary.AppendUvarint(out, unzigzag(v-last))
		last = v
	}
	return out
}

func dense(nodes []osm.Node) []byte {
	var ids, lats, lons []int64
	for _, n := range nodes {
		ids = append(ids, int64(n.ID))
		lats = append(lats, int64(math.Round(n.Lat*1e7)))
		lons = append(lons, int64(math.Round(n.Lon*1e7)))
	}
	out := appendBytes(nil, 1, packed(ids))
	out = appendBytes(out, 8, packed(lats))
	return appendBytes(out, 9, packed(lons))
}

func wayMessage(w *osm.Way, intern func(string) uint64) []byte {
	var keys, vals []byte
	for _, t := range w.Tags {
		keys = binary.AppendUvarint(keys, intern(t.Key))
		vals = binary.AppendUvarint(vals, intern(t.Value))
	}
	refs := make([]int64, len(w.Nodes))
	for i, n := range w.Nodes {
		refs[i] = int64(n.ID)
	}
	out := appendVarint(nil, 1, uint64(w.ID))
	out = appendBytes(out, 2, keys)
	out = appendBytes(out, 3, vals)
	return appendBytes(out, 8, packed(refs))
}

func writeBlock(w io.Writer, kind string, data []byte) error {
	if len(data) > maxBlob {
		return fmt.Errorf("pbf: %d bytes do not fit a block of %d", len(data), maxBlob)
	}
	var z bytes.Buffer
	zw, err := zlib.NewWriterLevel(&z, zlib.BestCompression)
	if err != nil {
		return err
	}
	if _, err := zw.Write(data); err != nil {
		return err
	}
	if err := zw.Close(); err != nil {
		return err
	}
	blob := appendVarint(nil, 2, uint64(len(data)))
	blob = appendBytes(blob, 3, z.Bytes())
	head := appendBytes(nil, 1, []byte(kind))
	head = appendVarint(head, 3, uint64(len(blob)))
	out := binary.BigEndian.AppendUint32(nil, uint32(len(head)))
	_, err = w.Write(slices.Concat(out, head, blob))
	return err
}
