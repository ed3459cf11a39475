package artefact

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math"
	"reflect"
	"slices"
)

// hasher hashes values by their types and contents.
type hasher struct {
	h    hash.Hash
	path []uintptr // pointers on the way down
}

func newHasher() *hasher { return &hasher{h: sha256.New()} }

func (h *hasher) sum() []byte { return h.h.Sum(nil) }

func (h *hasher) num(x uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], x)
	h.h.Write(b[:])
}

func (h *hasher) text(s string) {
	h.num(uint64(len(s)))
	h.h.Write([]byte(s))
}

func (h *hasher) add(x any) error {
	if x == nil {
		h.text("nil")
		return nil
	}
	v := reflect.ValueOf(x)
	h.text(v.Type().PkgPath() + " " + v.Type().String())
	return h.value(v)
}

func (h *hasher) value(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			h.num(1)
		} else {
			h.num(0)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		h.num(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		h.num(v.Uint())
	case reflect.Float32, reflect.Float64:
		h.num(math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		h.num(math.Float64bits(real(v.Complex())))
		h.num(math.Float64bits(imag(v.Complex())))
	case reflect.String:
		h.text(v.String())
	case reflect.Slice, reflect.Array:
		h.num(uint64(v.Len()))
		for i := range v.Len() {
			if err := h.value(v.Index(i)); err != nil {
				return fmt.Errorf("[%d]%w", i, err)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			h.text(v.Type().Field(i).Name)
			if err := h.value(v.Field(i)); err != nil {
				return fmt.Errorf(".%s%w", v.Type().Field(i).Name, err)
			}
		}
	case reflect.Map:
		return h.mapping(v)
	case reflect.Pointer, reflect.Interface:
		return h.deref(v)
	default:
		if v.IsNil() {
			h.text("nil")
			return nil
		}
		return fmt.Errorf(": a %v has no value to hash", v.Type())
	}
	return nil
}

func (h *hasher) deref(v reflect.Value) error {
	if v.IsNil() {
		h.text("nil")
		return nil
	}
	h.text("to " + v.Elem().Type().PkgPath() + " " + v.Elem().Type().String())
	if v.Kind() == reflect.Pointer {
		if slices.Contains(h.path, v.Pointer()) {
			return fmt.Errorf(": %v leads back to itself", v.Type())
		}
		h.path = append(h.path, v.Pointer())
		defer func() { h.path = h.path[:len(h.path)-1] }()
	}
	return h.value(v.Elem())
}

// mapping hashes a map by the hashes of its entries, in their order.
func (h *hasher) mapping(v reflect.Value) error {
	var sums [][]byte
	for _, k := range v.MapKeys() {
		e := newHasher()
		e.path = h.path
		if err := e.value(k); err != nil {
			return err
		}
		if err := e.value(v.MapIndex(k)); err != nil {
			return fmt.Errorf("[%v]%w", k, err)
		}
		sums = append(sums, e.sum())
	}
	slices.SortFunc(sums, bytes.Compare)
	h.num(uint64(len(sums)))
	for _, s := range sums {
		h.h.Write(s)
	}
	return nil
}
