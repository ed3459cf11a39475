package datasets

import (
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/ddps-go/ddps/datasets/internal/parquetcheck"
	"github.com/ddps-go/ddps/ddps"
)

// rowGroup is how many paths a Parquet file holds together: a writer's memory.
const rowGroup = 1 << 15

// parquetWriter writes a column a layer and one of counts.
type parquetWriter struct {
	g    *ddps.LayeredGraph
	by   Vertices
	out  *parquet.GenericWriter[any]
	rows []parquet.Row // of room for a few
	n    int           // filled
	done int
}

// NewParquetWriter returns a writer of Apache Parquet: columns v1, …, vL, strings
// ByName and 64-bit integers ByNumber, and count, a 64-bit integer; dictionaries,
// Snappy, 32,768 paths a row group.
func NewParquetWriter(w io.Writer, g *ddps.LayeredGraph, by Vertices) PathWriter {
	cell := reflect.TypeFor[string]()
	if by == ByNumber {
		cell = reflect.TypeFor[int64]()
	}
	var fields []reflect.StructField
	for _, name := range vertexColumns(g) {
		fields = append(fields, reflect.StructField{Name: strings.ToUpper(name), Type: cell, Tag: reflect.StructTag(`parquet:"` + name + `,dict"`)})
	}
	fields = append(fields, reflect.StructField{Name: "Count", Type: reflect.TypeFor[int64](), Tag: `parquet:"count"`})
	schema := parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface())
	p := &parquetWriter{g: g, by: by, rows: make([]parquet.Row, 64)}
	p.out = parquet.NewGenericWriter[any](w, schema, parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(rowGroup), parquet.CreatedBy("ddps", "1", "-"))
	return p
}

func (w *parquetWriter) Write(p ddps.Path, count int) error {
	row := w.rows[w.n][:0]
	for l, v := range p {
		x := parquet.Int64Value(int64(v))
		if w.by == ByName {
			x = parquet.ByteArrayValue([]byte(w.g.Name(v)))
		}
		row = append(row, x.Level(0, 0, l))
	}
	w.rows[w.n] = append(row, parquet.Int64Value(int64(count)).Level(0, 0, len(p)))
	if w.n++; w.n == len(w.rows) {
		return w.flush()
	}
	return nil
}

// flush hands over the rows.
func (w *parquetWriter) flush() error {
	if _, err := w.out.WriteRows(w.rows[:w.n]); err != nil {
		return fmt.Errorf("datasets: parquet: after path %d: %w", w.done, err)
	}
	w.done, w.n = w.done+w.n, 0
	return nil
}

func (w *parquetWriter) Close() error {
	if err := w.flush(); err != nil {
		return err
	}
	if err := w.out.Close(); err != nil {
		return fmt.Errorf("datasets: parquet: %w", err)
	}
	return nil
}

// WriteParquet writes the data with counts: what ReadParquet reads.
func (d *Data) WriteParquet(w io.Writer, by Vertices) error {
	return d.WritePaths(NewParquetWriter(w, d.Graph, by))
}

// ReadParquet reads paths of g from Apache Parquet: columns v1, …, vL, as strings
// or integers, and optionally count, an integer; other columns are ignored. by
// says what the cells are: names (an integer is one in decimal), or numbers of
// vertices. Rows that repeat a path add up. size is in bytes. name only serves the messages.
//
// Errors name the file, the row, from 1, and the column, as ReadCSV's do: a damaged
// file, a column that is missing, of another type or empty, and what ReadCSV
// refuses.
func ReadParquet(name string, r io.ReaderAt, size int64, g *ddps.LayeredGraph, by Vertices) (d *Data, err error) {
	defer func() { // the library's decoders index what a damaged file says
		if p := recover(); p != nil {
			d, err = nil, fmt.Errorf("datasets: %s: parquet: the file is damaged: %v", name, p)
		}
	}()
	b := newGather(g)
	if err := readParquet(b, r, size, by); err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", name, err)
	}
	return b.done(name)
}

func readParquet(b *gather, r io.ReaderAt, size int64, by Vertices) error {
	if err := parquetcheck.Footer(r, size); err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	f, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	col, err := parquetColumns(f.Schema(), b.g)
	if err == nil {
		err = parquetcheck.Pages(r, size, f.Metadata())
	}
	if err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	row := 0
	for _, group := range f.RowGroups() {
		if err := readGroup(b, group, col, by, &row); err != nil {
			return err
		}
	}
	return nil
}

// parquetColumns returns the numbers of the columns v1, …, vL and count, -1 if
// there is no count.
func parquetColumns(s *parquet.Schema, g *ddps.LayeredGraph) ([]int, error) {
	want := append(vertexColumns(g), "count")
	col := make([]int, len(want))
	for i, name := range want {
		leaf, ok := s.Lookup(name)
		if !ok && name == "count" {
			col[i] = -1
			continue
		}
		if !ok {
			return nil, fmt.Errorf("no column %s", name)
		}
		kind := leaf.Node.Type().Kind()
		text := kind == parquet.ByteArray && name != "count"
		if leaf.Node.Repeated() || !text && kind != parquet.Int32 && kind != parquet.Int64 {
			return nil, fmt.Errorf("column %s is neither of strings nor of whole numbers", name)
		}
		col[i] = leaf.ColumnIndex
	}
	return col, nil
}

// readGroup adds the rows of a row group.
func readGroup(b *gather, group parquet.RowGroup, col []int, by Vertices, n *int) error {
	rows := group.Rows()
	defer rows.Close()
	room := make([]parquet.Row, 64)
	cells := make([]string, len(col))
	for {
		k, err := rows.ReadRows(room)
		for _, row := range room[:k] {
			if *n++; len(row) == 0 {
				return fmt.Errorf("parquet: row %d: empty", *n)
			}
			list, e := parquetCells(row, col, cells)
			if e == nil {
				e = b.row(list, by)
			}
			if e != nil {
				return fmt.Errorf("parquet: row %d: %w", *n, e)
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
func parquetCells(row parquet.Row, col []int, cells []string) ([]string, error) {
	for i, c := range col {
		if c < 0 {
			return cells[:i], nil
		}
		if c >= len(row) || row[c].Column() != c || row[c].IsNull() {
			return nil, fmt.Errorf("field %d: empty", i+1)
		}
		switch x := row[c]; x.Kind() {
		case parquet.Int32, parquet.Int64:
			cells[i] = strconv.FormatInt(x.Int64(), 10)
		default:
			cells[i] = string(x.ByteArray())
		}
	}
	return cells, nil
}
