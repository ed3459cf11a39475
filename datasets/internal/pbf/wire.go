package pbf

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Wire types of the protocol-buffer encoding.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

var errShort = errors.New("message cut short")

// field is one field of a message: num holds a varint's value, data the bytes of
// a length-delimited one.
type field struct {
	tag, wire int
	num       uint64
	data      []byte
}

// fields calls do for each field of the message b, in order. Fixed-width fields,
// which the OSM schema does not use, are stepped over.
func fields(b []byte, do func(f field) error) error {
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 {
			return errShort
		}
		b = b[n:]
		f := field{tag: int(key >> 3), wire: int(key & 7)}
		size := 0
		switch f.wire {
		case wireVarint:
			if f.num, n = binary.Uvarint(b); n <= 0 {
				return errShort
			}
			size = n
		case wireFixed64:
			size = 8
		case wireFixed32:
			size = 4
		case wireBytes:
			l, n := binary.Uvarint(b)
			if n <= 0 || l > uint64(len(b)-n) {
				return errShort
			}
			f.data, size = b[n:n+int(l)], n+int(l)
		default:
			return fmt.Errorf("wire type %d of field %d is unknown", f.wire, f.tag)
		}
		if size > len(b) {
			return errShort
		}
		b = b[size:]
		if f.wire == wireVarint || f.wire == wireBytes {
			if err := do(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// varints appends the integers of f to dst: a packed list, or one value unpacked.
func varints(dst []uint64, f field) ([]uint64, error) {
	if f.wire == wireVarint {
		return append(dst, f.num), nil
	}
	for b := f.data; len(b) > 0; {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return dst, errShort
		}
		dst, b = append(dst, v), b[n:]
	}
	return dst, nil
}

// zigzag undoes the signed encoding: 0, 1, 2, 3 → 0, -1, 1, -2.
func zigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

// unzigzag is the inverse of zigzag.
func unzigzag(v int64) uint64 { return uint64(v)<<1 ^ uint64(v>>63) }

// appendVarint appends a varint field.
func appendVarint(dst []byte, tag int, v uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(dst, uint64(tag)<<3|wireVarint), v)
}

// appendBytes appends a length-delimited field.
func appendBytes(dst []byte, tag int, b []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(tag)<<3|wireBytes)
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}
