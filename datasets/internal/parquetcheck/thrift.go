package parquetcheck

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Types of Thrift's compact protocol.
const (
	boolTrue  = 1
	boolFalse = 2
	i8        = 3
	i16       = 4
	i32       = 5
	i64       = 6
	double    = 7
	text      = 8
	list      = 9
	set       = 10
	mapping   = 11
	structure = 12
)

// maxDepth is how deeply values may lie within each other.
const maxDepth = 32

var errShort = errors.New("message cut short")

// skimmer walks over a message without building anything: lengths and counts have
// to fit into the bytes that are there.
type skimmer struct {
	b   []byte
	at  int
	ids []int // of the fields that lead to the value
	// visit is called with each integer and truth (1, 0), by the fields that lead to it.
	visit func(ids []int, x int64)
}

func (s *skimmer) byte() (byte, error) {
	if s.at >= len(s.b) {
		return 0, errShort
	}
	s.at++
	return s.b[s.at-1], nil
}

func (s *skimmer) varint() (uint64, error) {
	x, n := binary.Uvarint(s.b[s.at:])
	if n <= 0 {
		return 0, errShort
	}
	s.at += n
	return x, nil
}

// skip steps over n bytes.
func (s *skimmer) skip(n uint64) error {
	if n > uint64(len(s.b)-s.at) {
		return errShort
	}
	s.at += int(n)
	return nil
}

// structure walks over the fields of a struct.
func (s *skimmer) structure(depth int) error {
	if depth > maxDepth {
		return errors.New("values lie too deep")
	}
	id := 0
	for {
		head, err := s.byte()
		if err != nil || head == 0 {
			return err
		}
		if id += int(head >> 4); head>>4 == 0 {
			x, err := s.varint()
			if err != nil {
				return err
			}
			id = int(int16(x>>1) ^ -int16(x&1))
		}
		s.ids = append(s.ids, id)
		switch kind := head & 15; kind {
		case boolTrue, boolFalse: // the value is the type
			if s.visit != nil {
				s.visit(s.ids, boolFalse-int64(kind))
			}
		default:
			err = s.value(kind, depth+1)
		}
		if s.ids = s.ids[:len(s.ids)-1]; err != nil {
			return err
		}
	}
}

// value walks over a value of a type.
func (s *skimmer) value(kind byte, depth int) error {
	switch kind {
	case boolTrue, boolFalse, i8: // of a list: a byte
		return s.skip(1)
	case i16, i32, i64:
		x, err := s.varint()
		if err == nil && s.visit != nil {
			s.visit(s.ids, int64(x>>1)^-int64(x&1))
		}
		return err
	case double:
		return s.skip(8)
	case text:
		n, err := s.varint()
		if err != nil {
			return err
		}
		return s.skip(n)
	case list, set:
		return s.list(depth)
	case mapping:
		return s.mapping(depth)
	case structure:
		return s.structure(depth)
	}
	return fmt.Errorf("type %d is unknown", kind)
}

// list walks over the elements of a list or set, each of a byte at least.
func (s *skimmer) list(depth int) error {
	head, err := s.byte()
	if err != nil {
		return err
	}
	n := uint64(head >> 4)
	if n == 15 {
		if n, err = s.varint(); err != nil {
			return err
		}
	}
	return s.elements(n, depth, head&15)
}

func (s *skimmer) mapping(depth int) error {
	n, err := s.varint()
	if err != nil || n == 0 {
		return err
	}
	kinds, err := s.byte()
	if err != nil {
		return err
	}
	return s.elements(n, depth, kinds>>4, kinds&15)
}

// elements walks over n times values of some types.
func (s *skimmer) elements(n uint64, depth int, kinds ...byte) error {
	if n > uint64(len(s.b)-s.at) {
		return errShort
	}
	for range n {
		for _, kind := range kinds {
			if err := s.value(kind, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}
