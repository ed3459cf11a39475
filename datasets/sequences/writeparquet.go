package sequences

import (
	"io"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// rowGroup is how many walks a Parquet file holds together: a writer's memory.
const rowGroup = 1 << 15

// writeParquet writes columns v1, …, of optional strings, and count.
func writeParquet(out io.Writer, w *Walks) error {
	names := wideNames(w)
	n := len(names) - 1
	var fields []reflect.StructField
	for _, name := range names[:n] {
		fields = append(fields, reflect.StructField{Name: strings.ToUpper(name), Type: reflect.TypeFor[string](),
			Tag: reflect.StructTag(`parquet:"` + name + `,optional,dict"`)})
	}
	fields = append(fields, reflect.StructField{Name: "Count", Type: reflect.TypeFor[int64](), Tag: `parquet:"count"`})
	schema := parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface())
	p := parquet.NewGenericWriter[any](out, schema, parquet.Compression(&parquet.Snappy),
		parquet.MaxRowsPerRowGroup(rowGroup), parquet.CreatedBy("ddps", "1", "-"))
	row := make(parquet.Row, n+1)
	err := eachRow(w, func(i int, names []string) error {
		for k := range n {
			if row[k] = parquet.NullValue().Level(0, 0, k); k < len(names) {
				row[k] = parquet.ByteArrayValue([]byte(names[k])).Level(0, 1, k)
			}
		}
		row[n] = parquet.Int64Value(int64(w.Count(i))).Level(0, 0, n)
		_, err := p.WriteRows([]parquet.Row{row})
		return err
	})
	if err != nil {
		return err
	}
	return p.Close()
}
