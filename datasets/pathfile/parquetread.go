package pathfile

import (
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/internal/names"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/ddps-go/ddps/datasets/internal/parquetcheck"
	"github.com/ddps-go/ddps/ddps"
)

// ReadParquet reads paths of g from Apache Parquet: columns v1, …, vL, or others that ReadCSV takes for these, and
// optionally count; others are not used, whatever they hold, which Data.Notes says. Vertices are strings (STRING, ENUM,
// JSON, or bytes without a logical type) or whole numbers: integers of any width, signed or not, and decimals of any
// physical type that have no fraction; counts are the same, and floats without a fraction too. Columns of all other
// types (dates, times, UUIDs, lists, …) are refused by name. by says what the cells are: names (a number is one in
// decimal), or numbers of vertices. Rows that repeat a path add up. size is in bytes. name only serves the messages.
//
// Errors name the file, the row, from 1, and the column, as ReadCSV's do: a damaged file, a column that is missing, of
// another type or empty, and what ReadCSV refuses.
func ReadParquet(name string, r io.ReaderAt, size int64, g *ddps.LayeredGraph, by Vertices) (*datasets.Data,
	error) {
	return parquetInto(name, r, size, newGather(g), by)
}

func readParquet(b *gather, r io.ReaderAt, size int64, by Vertices) error {
	if err := parquetcheck.Footer(r, size); err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	f, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	cols, notes, err := parquetColumns(f.Root().Columns(), b.g.NumLayers())
	if err == nil {
		at := make([]int, len(cols))
		for i, c := range cols {
			at[i] = c.at
		}
		err = parquetcheck.Pages(r, size, f.Metadata(), at)
	}
	if err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	b.note(notes...)
	row := 0
	for _, group := range f.RowGroups() {
		err := readGroup(group, cols, &row, func(cells []string, err error) error {
			if err == nil {
				err = b.row(cells, by, row)
			}
			if err != nil {
				err = fmt.Errorf("parquet: row %d: %w", row, err)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// parquetColumn is a column of vertices or counts: its number among all leaves, and what makes text of its values.
type parquetColumn struct {
	name string
	at   int
	text func(parquet.Value) (string, error)
}

// parquetColumns returns the columns of the vertices and, where there is one, of the count after them.
func parquetColumns(list []*parquet.Column, L int) (cols []parquetColumn, notes []string, err error) {
	columns := make([]string, len(list))
	for i, c := range list {
		columns[i] = c.Name()
	}
	h := pathHeader(columns, L)
	if h == nil {
		return nil, nil, fmt.Errorf("no column v1, nor others of paths: the columns are %s", names.SomeOf(columns))
	}
	if err := h.err(columns, L); err != nil {
		return nil, nil, err
	}
	at := h.vertex
	if h.count >= 0 {
		at = append(at, h.count)
	}
	for k, i := range at {
		c := list[i]
		text, err := cellText(c, k == L)
		if err != nil {
			return nil, nil, fmt.Errorf("column %s %w", c.Name(), err)
		}
		cols = append(cols, parquetColumn{c.Name(), int(c.Index()), text})
	}
	return cols, h.notes(), nil
}

// cellText returns what makes text of a column's values. The error says of which type the column is.
func cellText(c *parquet.Column, count bool) (func(parquet.Value) (string, error), error) {
	wrong := "is neither of strings nor of whole numbers"
	if count {
		wrong = "is not of whole numbers"
	}
	if !c.Leaf() || c.Repeated() || c.MaxRepetitionLevel() > 0 || c.MaxDefinitionLevel() > 1 {
		return nil, fmt.Errorf("%s: it is nested or repeated", wrong)
	}
	kind, logical := c.Type().Kind(), format.LogicalTypeValue(nil)
	if t := c.Type().LogicalType(); t != nil {
		logical = t.Value
	}
	refused := func() error {
		what := kind.String()
		if logical != nil {
			what += ", " + logical.String()
		}
		return fmt.Errorf("%s: its type is %s", wrong, what)
	}
	switch t := logical.(type) {
	case *format.DecimalType:
		return decimalText(t, kind)
	case *format.IntType:
		if !t.IsSigned {
			return unsignedText(kind), nil
		}
	case nil, *format.StringType, *format.EnumType, *format.JsonType:
	default:
		return nil, refused()
	}
	switch {
	case c.Type().ConvertedType() != nil && logical == nil: // an INTERVAL
		return nil, refused()
	case kind == parquet.Int32 || kind == parquet.Int64:
		return func(v parquet.Value) (string, error) { return strconv.FormatInt(parquetcheck.Int(v), 10), nil }, nil
	case kind == parquet.ByteArray:
		return func(v parquet.Value) (string, error) { return string(v.ByteArray()), nil }, nil
	case count && kind == parquet.Double:
		return func(v parquet.Value) (string, error) { return wholeFloat(v.Double()) }, nil
	case count && kind == parquet.Float:
		return func(v parquet.Value) (string, error) { return wholeFloat(float64(v.Float())) }, nil
	}
	return nil, refused()
}

// unsignedText is what makes text of unsigned integers.
func unsignedText(kind parquet.Kind) func(parquet.Value) (string, error) {
	if kind == parquet.Int32 {
		return func(v parquet.Value) (string, error) { return strconv.FormatUint(uint64(v.Uint32()), 10), nil }
	}
	return func(v parquet.Value) (string, error) { return strconv.FormatUint(v.Uint64(), 10), nil }
}

// wholeFloat is a float without a fraction as text.
func wholeFloat(x float64) (string, error) {
	if x != math.Trunc(x) || math.Abs(x) >= 1<<53 {
		return "", fmt.Errorf("%v is not a whole number", x)
	}
	return strconv.FormatFloat(x, 'f', 0, 64), nil
}

// maxScale is more digits after the point than a decimal has (Parquet's precision ends where 16 bytes do, at 38).
const maxScale = 1000

// decimalText is what makes text of decimals without a fraction: the unscaled value of an integer, or of bytes in two's
// complement, the highest first, is divided by ten to the scale.
func decimalText(t *format.DecimalType, kind parquet.Kind) (func(parquet.Value) (string, error), error) {
	if t.Scale < 0 || t.Scale > maxScale {
		return nil, fmt.Errorf("is a decimal of scale %d", t.Scale)
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Scale)), nil)
	return func(v parquet.Value) (string, error) {
		x := new(big.Int)
		switch kind {
		case parquet.Int32, parquet.Int64:
			x.SetInt64(parquetcheck.Int(v))
		default:
			b := v.ByteArray()
			if x.SetBytes(b); len(b) > 0 && b[0] >= 0x80 {
				x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
			}
		}
		whole, rest := new(big.Int).QuoRem(x, unit, new(big.Int))
		if rest.Sign() != 0 {
			return "", fmt.Errorf("%s is not a whole number", new(big.Rat).SetFrac(x, unit).FloatString(int(t.Scale)))
		}
		return whole.String(), nil
	}, nil
}

// readGroup calls do with the cells of each row of a row group, or what is wrong with them, and counts rows in n.
func readGroup(group parquet.RowGroup, cols []parquetColumn, n *int, do func(cells []string, err error) error) error {
	if group.NumRows() == 0 {
		return nil
	}
	chunks := make([]parquet.ColumnChunk, len(cols))
	for i, c := range cols {
		chunks[i] = group.ColumnChunks()[c.at]
	}
	rows := parquet.NewColumnChunkRowReader(chunks)
	defer rows.Close()
	buffer, cells := make([]parquet.Row, 64), make([]string, len(cols))
	for {
		k, err := rows.ReadRows(buffer)
		for _, row := range buffer[:k] {
			*n++
			if e := do(cells, parquetCells(row, cols, cells)); e != nil {
				return e
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("parquet: after row %d: %w", *n, err)
		}
	}
}

// parquetCells writes a row as the fields of a CSV file.
func parquetCells(row parquet.Row, cols []parquetColumn, cells []string) (err error) {
	if len(row) != len(cols) {
		return fmt.Errorf("%d values of %d columns", len(row), len(cols))
	}
	for i, c := range cols {
		if row[i].IsNull() {
			return fmt.Errorf("field %d: empty", i+1)
		}
		if cells[i], err = c.text(row[i]); err != nil {
			return fmt.Errorf("field %d: %s %w", i+1, c.name, err)
		}
	}
	return nil
}
