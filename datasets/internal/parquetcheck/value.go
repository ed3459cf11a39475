package parquetcheck

import "github.com/parquet-go/parquet-go"

// Int returns a value of the physical type INT32 or INT64 with its sign. The library's Value.Int64 drops the sign of an
// INT32 that comes from a dictionary.
func Int(v parquet.Value) int64 {
	if v.Kind() == parquet.Int32 {
		return int64(v.Int32())
	}
	return v.Int64()
}
