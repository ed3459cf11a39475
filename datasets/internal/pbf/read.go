// Package pbf reads and writes the part of OpenStreetMap's binary format
// (wiki.openstreetmap.org/wiki/PBF_Format) that a street map needs: nodes and
// ways with their tags, uncompressed or zlib blocks. Relations, changesets,
// versions and users are stepped over.
//
// It is here beside github.com/paulmach/osm, whose types it fills, because that
// module's own decoder runs in goroutines that panic on a damaged block (a
// negative block size, an index outside the string table), which a caller
// cannot recover, and because it needs cgo's zlib in a default build. This one
// is a plain loop and returns an error with the block's offset.
package pbf

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/paulmach/osm"

	"github.com/ddps-go/ddps/datasets/internal/input"
)

// Limits of the format: a block header has less than 64 KiB, a block, packed or
// not, at most 32 MiB.
const (
	maxHeader = 64 << 10
	maxBlob   = 32 << 20
)

// maxRefs bounds the nodes of a way: OpenStreetMap's own ways have at most 2,000.
const maxRefs = 1 << 20

// Read calls node and way for every node and way of r, in the file's order. A
// nil callback skips its kind. The places of a way that has them (LocationsOnWays) are
// nodes too, before it. The first block has to be an OSMHeader that asks for no
// feature outside OsmSchema-V0.6, DenseNodes and LocationsOnWays. Errors name the offset
// in bytes of the block at fault; a file that ends within a block is an error.
func Read(r io.Reader, node func(*osm.Node), way func(*osm.Way)) error {
	offset, unpacked, first := int64(0), int64(0), true
	for {
		kind, blob, size, err := readBlock(r)
		if err == io.EOF && !first {
			return nil
		}
		if err == io.EOF {
			err = errors.New("empty file")
		}
		if err == nil {
			var data int64
			data, err = dispatch(kind, blob, first, input.Most(offset+size)-unpacked, node, way)
			unpacked += data
		}
		if err != nil {
			return fmt.Errorf("pbf: block at byte %d: %w", offset, err)
		}
		offset, first = offset+size, false
	}
}

// dispatch reads a block of at most so many bytes, and returns how many it had.
func dispatch(kind string, blob []byte, first bool, most int64, node func(*osm.Node), way func(*osm.Way)) (int64,
	error) {
	if first != (kind == "OSMHeader") {
		if first {
			return 0, fmt.Errorf("starts with a block %q, not with OSMHeader", kind)
		}
		return 0, errors.New("a second OSMHeader")
	}
	if kind != "OSMHeader" && kind != "OSMData" {
		return 0, nil // the format asks readers to skip what they do not know
	}
	data, err := unpack(blob, most)
	switch {
	case err != nil:
		return 0, err
	case first:
		return int64(len(data)), checkHeader(data)
	}
	return int64(len(data)), readData(data, node, way)
}

// readBlock returns the next block's type, its Blob message and the bytes it
// took. io.EOF means that r ended before the block's first byte.
func readBlock(r io.Reader) (kind string, blob []byte, size int64, err error) {
	var length [4]byte
	if _, err := io.ReadFull(r, length[:]); err == io.EOF {
		return "", nil, 0, io.EOF
	} else if err != nil {
		return "", nil, 0, cut(err)
	}
	n := binary.BigEndian.Uint32(length[:])
	if n == 0 || n >= maxHeader {
		return "", nil, 0, fmt.Errorf("header of %d bytes, expected 1…%d", n, maxHeader-1)
	}
	head := make([]byte, n)
	if _, err := io.ReadFull(r, head); err != nil {
		return "", nil, 0, cut(err)
	}
	var data uint64
	err = fields(head, func(f field) error {
		switch {
		case f.tag == 1 && f.wire == wireBytes:
			kind = string(f.data)
		case f.tag == 3 && f.wire == wireVarint:
			data = f.num
		}
		return nil
	})
	if err != nil {
		return "", nil, 0, err
	}
	if kind == "" || data > maxBlob {
		return "", nil, 0, fmt.Errorf("block of type %q and %d bytes, expected at most %d", kind, data, maxBlob)
	}
	// Grown as bytes arrive, so that a false size in a short file costs nothing.
	var buf bytes.Buffer
	if _, err := io.CopyN(&buf, r, int64(data)); err != nil {
		return "", nil, 0, cut(err)
	}
	return kind, buf.Bytes(), 4 + int64(n) + int64(data), nil
}

func cut(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errors.New("file ends within the block")
	}
	return err
}

// unpack returns the contents of a Blob message, of at most so many bytes.
func unpack(blob []byte, most int64) ([]byte, error) {
	var raw, packed []byte
	var size uint64
	err := fields(blob, func(f field) error {
		switch {
		case f.tag == 1 && f.wire == wireBytes:
			raw = f.data
		case f.tag == 2 && f.wire == wireVarint:
			size = f.num
		case f.tag == 3 && f.wire == wireBytes:
			packed = f.data
		case f.tag >= 4 && f.tag <= 7 && f.wire == wireBytes:
			return fmt.Errorf("compression %d is not supported, only none and zlib", f.tag)
		}
		return nil
	})
	if err != nil || packed == nil {
		return raw, err
	}
	if size > maxBlob {
		return nil, fmt.Errorf("unpacks to %d bytes, more than %d", size, maxBlob)
	}
	if int64(size) > most {
		return nil, fmt.Errorf("unpacks to %d bytes: the file would have more than %d times its size", size, input.Ratio)
	}
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if _, err := io.Copy(&out, io.LimitReader(z, int64(size)+1)); err != nil {
		return nil, err
	}
	if uint64(out.Len()) != size {
		return nil, fmt.Errorf("unpacks to other than the %d bytes it states", size)
	}
	return out.Bytes(), nil
}

func checkHeader(data []byte) error {
	return fields(data, func(f field) error {
		if f.tag != 4 {
			return nil
		}
		switch feature := string(f.data); feature {
		case "OsmSchema-V0.6", "DenseNodes", "LocationsOnWays":
			return nil
		case "HistoricalInformation":
			return errors.New("the file is a history, with versions that are gone: cut one moment of it (osmium time-filter)")
		default:
			return fmt.Errorf("required feature %q is not supported", feature)
		}
	})
}
