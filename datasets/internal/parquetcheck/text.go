package parquetcheck

import (
	"math"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// CellText returns what makes text of a column's values, nil if the column has no such values.
func CellText(c *parquet.Column) func(parquet.Value) string {
	if !c.Leaf() || c.Repeated() || c.MaxRepetitionLevel() > 0 || c.MaxDefinitionLevel() > 1 {
		return nil
	}
	return LeafText(c)
}

// LeafText is CellText for a column whatever it is nested in.
func LeafText(c *parquet.Column) func(parquet.Value) string {
	kind, logical := c.Type().Kind(), format.LogicalTypeValue(nil)
	if t := c.Type().LogicalType(); t != nil {
		logical = t.Value
	}
	integer := kind == parquet.Int32 || kind == parquet.Int64
	switch t := logical.(type) {
	case nil, *format.StringType, *format.EnumType, *format.JsonType:
	case *format.IntType:
		if !t.IsSigned && kind == parquet.Int64 {
			return func(v parquet.Value) string { return strconv.FormatUint(v.Uint64(), 10) }
		}
		if !t.IsSigned {
			return func(v parquet.Value) string { return strconv.FormatUint(uint64(v.Uint32()), 10) }
		}
	case *format.TimestampType:
		if kind != parquet.Int64 {
			return nil
		}
		unit := time.Nanosecond
		switch t.Unit.Value.(type) {
		case *format.MilliSeconds:
			unit = time.Millisecond
		case *format.MicroSeconds:
			unit = time.Microsecond
		}
		return func(v parquet.Value) string {
			n, per := v.Int64(), int64(time.Second/unit)
			s, rest := n/per, n%per
			return time.Unix(s, rest*int64(unit)).UTC().Format(time.RFC3339Nano)
		}
	default:
		return nil
	}
	switch {
	case logical == nil && c.Type().ConvertedType() != nil:
		return nil
	case integer:
		return func(v parquet.Value) string { return strconv.FormatInt(Int(v), 10) }
	case kind == parquet.ByteArray:
		return func(v parquet.Value) string { return string(v.ByteArray()) }
	case kind == parquet.Double:
		return func(v parquet.Value) string {
			if x := v.Double(); !math.IsNaN(x) {
				return strconv.FormatFloat(x, 'f', -1, 64)
			}
			return "" // what pandas has for a missing number
		}
	}
	return nil
}
