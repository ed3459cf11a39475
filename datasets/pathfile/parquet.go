package pathfile

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
)

// rowGroup is how many paths a Parquet file holds together: a writer's memory.
const rowGroup = 1 << 15

// parquetWriter writes a column a layer and one of counts.
type parquetWriter struct {
	g    *ddps.LayeredGraph
	by   Vertices
	walk *walkNames // nil: all vertices are written
	out  *parquet.GenericWriter[any]
	rows []parquet.Row // of space for a few
	n    int           // filled
	done int
}

// NewParquetWriter returns a writer of Apache Parquet: columns v1, …, vL, strings
// ByName and 64-bit integers ByNumber, and count, a 64-bit integer; dictionaries,
// Snappy, 32,768 paths a row group.
func NewParquetWriter(w io.Writer, g *ddps.LayeredGraph, by Vertices) Writer {
	return newParquetWriter(w, g, by, nil)
}

// newParquetWriter is NewParquetWriter; with walk, cells are optional, and those behind the end of a walk null.
func newParquetWriter(w io.Writer, g *ddps.LayeredGraph, by Vertices, walk *walkNames) *parquetWriter {
	names, optional := vertexColumns(g), ""
	if walk != nil {
		names, optional = names[:walk.width], ",optional"
	}
	cell := reflect.TypeFor[string]()
	if by == ByNumber {
		cell = reflect.TypeFor[int64]()
	}
	var fields []reflect.StructField
	for _, name := range names {
		fields = append(fields, reflect.StructField{Name: strings.ToUpper(name), Type: cell,
			Tag: reflect.StructTag(`parquet:"` + name + optional + `,dict"`)})
	}
	fields = append(fields, reflect.StructField{Name: "Count", Type: reflect.TypeFor[int64](), Tag: `parquet:"count"`})
	schema := parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface())
	p := &parquetWriter{g: g, by: by, walk: walk, rows: make([]parquet.Row, 64)}
	p.out = parquet.NewGenericWriter[any](w, schema, parquet.Compression(&parquet.Snappy),
		parquet.MaxRowsPerRowGroup(rowGroup), parquet.CreatedBy("ddps", "1", "-"))
	return p
}

func (w *parquetWriter) Write(p ddps.Path, count int) error {
	row := w.cells(w.rows[w.n][:0], p)
	w.rows[w.n] = append(row, parquet.Int64Value(int64(count)).Level(0, 0, len(row)))
	if w.n++; w.n == len(w.rows) {
		return w.flush()
	}
	return nil
}

// cells appends those of a path.
func (w *parquetWriter) cells(row parquet.Row, p ddps.Path) parquet.Row {
	if w.walk != nil {
		return w.walkRow(row, p)
	}
	for l, v := range p {
		x := parquet.Int64Value(int64(v))
		if w.by == ByName {
			x = parquet.ByteArrayValue([]byte(w.g.Name(v)))
		}
		row = append(row, x.Level(0, 0, l))
	}
	return row
}

// walkRow appends the places of a walk, and nulls behind its end.
func (w *parquetWriter) walkRow(row parquet.Row, p ddps.Path) parquet.Row {
	list := w.walk.of(p)
	for k := range w.walk.width {
		if k < len(list) {
			row = append(row, parquet.ByteArrayValue([]byte(list[k])).Level(0, 1, k))
			continue
		}
		row = append(row, parquet.NullValue().Level(0, 0, k))
	}
	return row
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
func WriteParquet(w io.Writer, d *datasets.Data, by Vertices) error {
	return WritePaths(NewParquetWriter(w, d.Graph, by), d)
}
