package parquetcheck

import (
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// unpacks checks that a page unpacks to so many bytes and no more, in the memory
// of about so many: the library, which unpacks it again, continues for as long as
// there is something, or, of a damaged LZ4 block, forever.
func unpacks(codec format.CompressionCodec, packed *io.SectionReader, size int64) error {
	var r io.Reader
	var err error
	switch codec {
	case format.Snappy:
		return snappy(packed, size)
	case format.Lz4Raw:
		return lz4Block(packed, size)
	case format.Gzip:
		r, err = gzip.NewReader(packed)
	case format.Brotli:
		r = brotli.NewReader(packed)
	case format.Zstd:
		var z *zstd.Decoder
		if z, err = zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPage),
			zstd.WithDecoderMaxWindow(maxPage)); err == nil {
			defer z.Close()
			r = z
		}
	default:
		return fmt.Errorf("compression %s is not supported", codec)
	}
	n := int64(0)
	if err == nil {
		n, err = io.Copy(io.Discard, io.LimitReader(r, size+1))
	}
	if err == nil && n != size {
		err = fmt.Errorf("it unpacks to other than the %d bytes that it says", size)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", codec, err)
	}
	return nil
}

// snappy looks at the length at the head of a block, which is what is taken.
func snappy(packed *io.SectionReader, size int64) error {
	b := make([]byte, min(binary.MaxVarintLen64, packed.Size()))
	if _, err := packed.ReadAt(b, 0); err != nil {
		return err
	}
	if n, k := binary.Uvarint(b); k <= 0 || n > uint64(size) {
		return fmt.Errorf("a Snappy block that unpacks to %d bytes, not %d", n, size)
	}
	return nil
}

func lz4Block(packed *io.SectionReader, size int64) error {
	b := make([]byte, packed.Size())
	if _, err := packed.ReadAt(b, 0); err != nil {
		return err
	}
	if n, err := lz4.UncompressBlock(b, make([]byte, size)); err != nil || int64(n) != size {
		return errors.New("an LZ4 block that is damaged, or of another length than it says")
	}
	return nil
}
