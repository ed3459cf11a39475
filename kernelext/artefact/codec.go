package artefact

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"
)

// Codec stores results of a type.
type Codec[T any] struct {
	Write func(w io.Writer, x T) error
	Read  func(r io.Reader) (T, error)
}

// Gob stores by encoding/gob.
func Gob[T any]() Codec[T] {
	return Codec[T]{
		Write: func(w io.Writer, x T) error { return gob.NewEncoder(w).Encode(&x) },
		Read: func(r io.Reader) (x T, err error) {
			err = gob.NewDecoder(r).Decode(&x)
			return x, err
		},
	}
}

// pack returns the file of a result: a line of JSON that tells of it, and what the codec wrote.
func pack[T any](x T, c Codec[T], info Info) ([]byte, error) {
	var body bytes.Buffer
	if err := c.Write(&body, x); err != nil {
		return nil, fmt.Errorf("artefact: %T: %w", x, err)
	}
	sum := sha256.Sum256(body.Bytes())
	info.Type, info.Made, info.Sum = fmt.Sprintf("%T", x), time.Now().UTC(), hex.EncodeToString(sum[:])
	head, err := json.Marshal(info)
	if err != nil {
		return nil, fmt.Errorf("artefact: %w", err)
	}
	return append(append(head, '\n'), body.Bytes()...), nil
}

var errDamaged = errors.New("artefact: damaged")

// read returns the result that a file holds.
func read[T any](path string, c Codec[T]) (x T, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return x, err
	}
	head, body, ok := bytes.Cut(data, []byte("\n"))
	var info Info
	if !ok || json.Unmarshal(head, &info) != nil {
		return x, errDamaged
	}
	if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) != info.Sum {
		return x, errDamaged
	}
	if x, err = c.Read(bytes.NewReader(body)); err != nil {
		return x, err
	}
	now := time.Now()
	os.Chtimes(path, now, now) // for Remove; a directory that cannot be written keeps all
	return x, nil
}

// header reads what a file tells of its result.
func header(path string) (info Info, err error) {
	f, err := os.Open(path)
	if err != nil {
		return info, err
	}
	defer f.Close()
	line, err := bufio.NewReader(f).ReadBytes('\n')
	if err != nil {
		return info, err
	}
	if err := json.Unmarshal(line, &info); err != nil {
		return info, err
	}
	st, err := f.Stat()
	if err != nil {
		return info, err
	}
	info.Dir = filepath.Dir(path)
	info.Key, info.Size, info.Used = strings.TrimSuffix(filepath.Base(path), ending), st.Size(), st.ModTime()
	return info, nil
}

// lossless returns an error if gob would leave out part of a T: fields that are not exported.
func lossless[T any]() error {
	seen := map[reflect.Type]bool{}
	var check func(t reflect.Type) error
	check = func(t reflect.Type) error {
		if seen[t] || encodes(t) {
			return nil
		}
		seen[t] = true
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array:
			return check(t.Elem())
		case reflect.Map:
			return errors.Join(check(t.Key()), check(t.Elem()))
		case reflect.Struct:
			for i := range t.NumField() {
				f := t.Field(i)
				if !f.IsExported() {
					return fmt.Errorf("artefact: %v has a field %s that gob cannot store; use CachedBy", t, f.Name)
				}
				if err := check(f.Type); err != nil {
					return err
				}
			}
		case reflect.Func, reflect.Chan:
			return fmt.Errorf("artefact: gob cannot store a %v; use CachedBy", t)
		}
		return nil
	}
	return check(reflect.TypeFor[T]())
}

// encodes reports whether values of t, or pointers to them, encode themselves.
func encodes(t reflect.Type) bool {
	for _, i := range []reflect.Type{reflect.TypeFor[gob.GobEncoder](), reflect.TypeFor[encoding.BinaryMarshaler](),
		reflect.TypeFor[encoding.TextMarshaler]()} {
		if t.Implements(i) || reflect.PointerTo(t).Implements(i) {
			return true
		}
	}
	return false
}
