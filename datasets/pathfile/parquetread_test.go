package pathfile

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"

	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/ddps"
)

// parquetWith writes two paths of the example graph, A B E H and A C G J, with a column of a type, of two values.
func parquetWith(t *testing.T, name string, node parquet.Node, values [2]parquet.Value) []byte {
	t.Helper()
	group := parquet.Group{}
	cells := map[string][2]parquet.Value{}
	for l, pair := range [][2]string{{"A", "A"}, {"B", "C"}, {"E", "G"}, {"H", "J"}} {
		column := fmt.Sprintf("v%d", l+1)
		group[column] = parquet.String()
		cells[column] = [2]parquet.Value{parquet.ByteArrayValue([]byte(pair[0])), parquet.ByteArrayValue([]byte(pair[1]))}
	}
	group[name], cells[name] = node, values
	schema := parquet.NewSchema("x", group)
	var b bytes.Buffer
	w := parquet.NewWriter(&b, schema)
	for k := range 2 {
		var row parquet.Row
		for i, path := range schema.Columns() {
			level := 0
			if path[0] == name && node.Optional() && !values[k].IsNull() {
				level = 1
			}
			row = append(row, cells[path[0]][k].Level(0, level, i))
		}
		if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// twos is x in two's complement, the highest byte first, in n bytes.
func twos(x int64, n int) []byte {
	v := big.NewInt(x)
	if x < 0 {
		v.Add(v, new(big.Int).Lsh(big.NewInt(1), uint(8*n)))
	}
	return v.FillBytes(make([]byte, n))
}

// TestParquetTypes: a count of every type is its value, or refused by the name of the type.
func TestParquetTypes(t *testing.T) {
	i32, i64 := parquet.Int32Value, parquet.Int64Value
	bin := func(b []byte) parquet.Value { return parquet.ByteArrayValue(b) }
	fixed := func(b []byte) parquet.Value { return parquet.FixedLenByteArrayValue(b) }
	for what, c := range map[string]struct {
		node   parquet.Node
		values [2]parquet.Value
		counts []int
		err    string
	}{
		"int8":           {parquet.Int(8), [2]parquet.Value{i32(2), i32(3)}, []int{2, 3}, ""},
		"int32":          {parquet.Int(32), [2]parquet.Value{i32(2), i32(3)}, []int{2, 3}, ""},
		"int8, below 0":  {parquet.Int(8), [2]parquet.Value{i32(2), i32(-3)}, nil, `row 2: field 5: count "-3"`},
		"int16, below 0": {parquet.Int(16), [2]parquet.Value{i32(2), i32(-3)}, nil, `row 2: field 5: count "-3"`},
		"int32, below 0": {parquet.Int(32), [2]parquet.Value{i32(2), i32(-3)}, nil, `row 2: field 5: count "-3"`},
		"INT32, below 0": {parquet.Leaf(parquet.Int32Type), [2]parquet.Value{i32(2), i32(-3)}, nil,
			`row 2: field 5: count "-3"`},
		"INT32, dict, below 0": {parquet.Encoded(parquet.Int(32), &parquet.RLEDictionary), [2]parquet.Value{i32(2), i32(-3)},
			nil, `row 2: field 5: count "-3"`},
		"int32, optional, below 0": {parquet.Optional(parquet.Int(32)), [2]parquet.Value{i32(2), i32(-3)}, nil,
			`row 2: field 5: count "-3"`},
		"decimal of 32 bits, below 0": {parquet.Decimal(2, 9, parquet.Int32Type), [2]parquet.Value{i32(200), i32(-300)}, nil,
			`row 2: field 5: count "-3"`},
		"int64, optional": {parquet.Optional(parquet.Int(64)), [2]parquet.Value{i64(2), i64(3)}, []int{2, 3}, ""},
		"int64, dict": {parquet.Encoded(parquet.Int(64), &parquet.RLEDictionary), [2]parquet.Value{i64(2), i64(3)},
			[]int{2, 3}, ""},
		"null": {parquet.Optional(parquet.Int(64)), [2]parquet.Value{i64(2), parquet.NullValue()}, nil,
			"row 2: field 5: empty"},
		"uint8":  {parquet.Uint(8), [2]parquet.Value{i32(2), i32(200)}, []int{2, 200}, ""},
		"uint32": {parquet.Uint(32), [2]parquet.Value{i32(2), i32(-1)}, []int{2, math.MaxUint32}, ""},
		"uint64": {parquet.Uint(64), [2]parquet.Value{i64(2), i64(-1)}, nil,
			`row 2: field 5: count "18446744073709551615"`},
		"decimal, 32 bits": {parquet.Decimal(2, 9, parquet.Int32Type), [2]parquet.Value{i32(200), i32(300)}, []int{2, 3}, ""},
		"decimal, 64 bits": {parquet.Decimal(4, 18, parquet.Int64Type), [2]parquet.Value{i64(20000), i64(30000)}, []int{2, 3},
			""},
		"decimal, scale 0": {parquet.Decimal(0, 18, parquet.Int64Type), [2]parquet.Value{i64(2), i64(3)}, []int{2, 3}, ""},
		"decimal, fixed": {parquet.Decimal(3, 38, parquet.FixedLenByteArrayType(16)),
			[2]parquet.Value{fixed(twos(2000, 16)), fixed(twos(3000, 16))}, []int{2, 3}, ""},
		"decimal, bytes": {parquet.Decimal(1, 20, parquet.ByteArrayType), [2]parquet.Value{bin(twos(20, 1)),
			bin(twos(3000, 9))}, []int{2, 300}, ""},
		"decimal, part": {parquet.Decimal(2, 9, parquet.Int32Type), [2]parquet.Value{i32(200), i32(250)}, nil,
			"row 2: field 5: count 2.50 is not a whole number"},
		"decimal, below 0": {parquet.Decimal(2, 9, parquet.ByteArrayType), [2]parquet.Value{bin(twos(200, 2)),
			bin(twos(-300, 2))}, nil, `count "-3"`},
		"double": {parquet.Leaf(parquet.DoubleType), [2]parquet.Value{parquet.DoubleValue(2),
			parquet.DoubleValue(3)}, []int{2, 3}, ""},
		"float, part": {parquet.Leaf(parquet.FloatType), [2]parquet.Value{parquet.FloatValue(2),
			parquet.FloatValue(2.5)}, nil, "2.5 is not a whole number"},
		"NaN": {parquet.Leaf(parquet.DoubleType), [2]parquet.Value{parquet.DoubleValue(2),
			parquet.DoubleValue(math.NaN())}, nil, "NaN is not"},
		"string": {parquet.String(), [2]parquet.Value{bin([]byte("2")), bin([]byte("3"))}, []int{2, 3}, ""},
		"date": {parquet.Date(), [2]parquet.Value{i32(2), i32(3)}, nil,
			"not of whole numbers: its type is INT32, DATE"},
		"time": {parquet.Time(parquet.Millisecond), [2]parquet.Value{i32(2), i32(3)}, nil, "INT32, TIME"},
		"timestamp": {parquet.Timestamp(parquet.Nanosecond), [2]parquet.Value{i64(2), i64(3)}, nil,
			"INT64, TIMESTAMP"},
		"int96": {parquet.Leaf(parquet.Int96Type), [2]parquet.Value{parquet.Int96Value(deprecated.Int96{2}),
			parquet.Int96Value(deprecated.Int96{3})}, nil, "INT96"},
		"uuid": {parquet.UUID(), [2]parquet.Value{fixed(twos(2, 16)), fixed(twos(3, 16))}, nil, "UUID"},
		"bson": {parquet.BSON(), [2]parquet.Value{bin([]byte("2")), bin([]byte("3"))}, nil, "BSON"},
		"interval": {parquet.IntervalNode(), [2]parquet.Value{fixed(twos(2, 12)), fixed(twos(3, 12))}, nil,
			"FIXED_LEN_BYTE_ARRAY"},
		"bool": {parquet.Leaf(parquet.BooleanType), [2]parquet.Value{parquet.BooleanValue(true),
			parquet.BooleanValue(true)}, nil, "BOOLEAN"},
	} {
		data := parquetWith(t, "count", c.node, c.values)
		d, err := ReadParquet("x", bytes.NewReader(data), int64(len(data)), ddps.Example(), ByName)
		if c.err != "" {
			fixture.WantError(t, what, err, c.err)
		} else if err != nil || !slices.Equal(d.Counts, c.counts) {
			t.Errorf("%s: %v, %v", what, d, err)
		}
		data = parquetWith(t, "beside", c.node, c.values) // the same column is none of ours: it does not matter
		d, err = ReadParquet("x", bytes.NewReader(data), int64(len(data)), ddps.Example(), ByName)
		if err != nil || d.Total() != 2 || !slices.Equal(d.Notes, []string{"columns not used: beside"}) {
			t.Errorf("%s, beside: %v, %v", what, d, err)
		}
	}
}

// TestParquetVertices: numbers of vertices of every type of whole numbers.
func TestParquetVertices(t *testing.T) {
	g := ddps.Example()
	for what, c := range map[string]struct {
		node   parquet.Node
		values [2]parquet.Value
		err    string
	}{
		"uint64": {parquet.Uint(64), [2]parquet.Value{parquet.Int64Value(7), parquet.Int64Value(9)}, ""},
		"decimal": {parquet.Decimal(1, 9, parquet.Int32Type), [2]parquet.Value{parquet.Int32Value(70),
			parquet.Int32Value(90)}, ""},
		"float": {parquet.Leaf(parquet.DoubleType), [2]parquet.Value{parquet.DoubleValue(7), parquet.DoubleValue(9)},
			"v4 is neither of strings nor of whole numbers"},
		"timestamp": {parquet.Timestamp(parquet.Microsecond), [2]parquet.Value{parquet.Int64Value(7), parquet.Int64Value(9)},
			"v4 is neither"},
	} {
		numbers, err := g.WithMeta(ddps.Meta{Names: []string{"A", "B", "C", "D", "E", "F", "G", "7", "8", "9"}})
		if err != nil {
			t.Fatal(err)
		}
		data := parquetWith(t, "v4", c.node, c.values)
		d, err := ReadParquet("x", bytes.NewReader(data), int64(len(data)), numbers, ByName)
		if c.err != "" {
			fixture.WantError(t, what, err, c.err)
		} else if err != nil || d.Paths[0][3] != 7 || d.Paths[1][3] != 9 {
			t.Errorf("%s: %v, %v", what, d, err)
		}
	}
}

// TestParquetOfPyArrow: what PyArrow writes beside, as decimals, as views.
func TestParquetOfPyArrow(t *testing.T) {
	for _, name := range []string{"cases/decimal-count", "cases/list-column", "parquet/beside", "parquet/dec256",
		"parquet/decint9_2", "parquet/large", "parquet/deltabin"} {
		d, err := ReadFile("testdata/"+name+".parquet", ddps.Example(), ByName)
		if err != nil || !slices.Equal(d.Counts, []int{2, 3, 4}) || fixture.CalledBy(d.Graph, d.Paths[1]) != "A C G J" {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
}
