package safetensors

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Format and Version are the metadata keys that say what a sealed file is.
const (
	Format  = "format"
	Version = "version"
)

// sealKey is the metadata key of the seal: the SHA-256 of all other metadata, as the file's own checksum is of the
// arrays alone.
const sealKey = "seal"

// seal returns the seal of f's metadata.
func seal(f *File) string {
	h := sha256.New()
	for _, k := range slices.Sorted(maps.Keys(f.Meta)) {
		if k != sealKey {
			fmt.Fprintf(h, "%q %q\n", k, f.Meta[k])
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// WriteSealed writes f, whose Meta must have Format and Version, with a seal that it adds to Meta.
func WriteSealed(w io.Writer, f *File) error {
	f.Meta[sealKey] = seal(f)
	return Write(w, f)
}

// ReadSealed reads what WriteSealed wrote. The error says so if it is not of that format and one of the versions,
// calling it what kind says, or if anything of it was changed.
func ReadSealed(r io.Reader, kind, format string, versions ...string) (*File, error) {
	f, err := Read(r)
	if err != nil {
		return nil, err
	}
	if f.Meta[Format] != format {
		return nil, fmt.Errorf("not a %s: format is %q, expected %q", kind, f.Meta[Format], format)
	}
	if !slices.Contains(versions, f.Meta[Version]) {
		return nil, fmt.Errorf("%s version %q, this program reads %s", kind, f.Meta[Version], strings.Join(versions, ", "))
	}
	if f.Meta[sealKey] != seal(f) {
		return nil, errors.New("the seal does not match: the file is damaged")
	}
	return f, nil
}
