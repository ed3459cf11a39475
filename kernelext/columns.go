package kernelext

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// Columns returns rows as columns of equal length with their names: a slice of structs or of pointers to them, whose
// fields are the columns, those of embedded structs too; a slice of maps, whose keys are, in the order of their text; a
// map in the order of its keys, as "key" and "value" or the columns of its values; another slice as "value". Fields
// without a capital letter count where the struct is a notebook's own (of package main). nil stands for what a nil
// pointer or a map without the key lacks. ok is false for what is neither a slice nor an array nor a map.
func Columns(rows any) (names []string, columns [][]any, ok bool) {
	v := reflect.ValueOf(rows)
	var c columnList
	switch v.Kind() {
	case reflect.Map:
		c.ofMap(v)
	case reflect.Slice, reflect.Array:
		list := make([]reflect.Value, v.Len())
		for i := range list {
			list[i] = v.Index(i)
		}
		c.ofList(v.Type().Elem(), list)
	default:
		return nil, nil, false
	}
	return c.names, c.cols, true
}

type columnList struct {
	names []string
	cols  [][]any
}

func (c *columnList) add(name string, col []any) {
	c.names, c.cols = append(c.names, name), append(c.cols, col)
}

func (c *columnList) ofMap(m reflect.Value) {
	keys := m.MapKeys()
	slices.SortFunc(keys, compareKeys)
	col, vals := make([]any, len(keys)), make([]reflect.Value, len(keys))
	for i, k := range keys {
		col[i], vals[i] = k.Interface(), m.MapIndex(k)
	}
	c.add("key", col)
	c.ofList(m.Type().Elem(), vals)
}

// compareKeys orders integers and floating-point numbers by size, other keys by their text.
func compareKeys(a, b reflect.Value) int {
	switch {
	case a.CanInt() && b.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint() && b.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat() && b.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	}
	return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
}

func (c *columnList) ofList(elem reflect.Type, list []reflect.Value) {
	fields := columnFields(elem)
	switch {
	case len(fields) > 0:
		c.ofStructs(fields, list)
	case elem.Kind() == reflect.Map:
		c.ofMaps(list)
	default:
		col := make([]any, len(list))
		for i, v := range list {
			col[i] = v.Interface()
		}
		c.add("value", col)
	}
}

// columnFields returns the fields of a struct, or of a pointer to one, that are columns.
func columnFields(t reflect.Type) (list []reflect.StructField) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range reflect.VisibleFields(t) {
		if (f.PkgPath == "" || f.PkgPath == "main") && f.Name != "_" && !(f.Anonymous && len(columnFields(f.Type)) > 0) {
			list = append(list, f)
		}
	}
	return list
}

func (c *columnList) ofStructs(fields []reflect.StructField, list []reflect.Value) {
	for _, f := range fields {
		col := make([]any, len(list))
		for i, v := range list {
			if v = reflect.Indirect(v); v.IsValid() {
				col[i] = field(v, f)
			}
		}
		c.add(f.Name, col)
	}
}

// field returns a field of the struct v, nil behind a nil pointer.
func field(v reflect.Value, f reflect.StructField) any {
	p := reflect.New(v.Type()).Elem() // a field without a capital letter is read by its address
	p.Set(v)
	at, err := p.FieldByIndexErr(f.Index)
	if err != nil {
		return nil
	}
	if !at.CanInterface() {
		at = reflect.NewAt(at.Type(), unsafe.Pointer(at.UnsafeAddr())).Elem()
	}
	return at.Interface()
}

func (c *columnList) ofMaps(list []reflect.Value) {
	cols := map[string][]any{}
	for i, m := range list {
		for it := m.MapRange(); it.Next(); {
			name := fmt.Sprint(it.Key())
			if cols[name] == nil {
				cols[name] = make([]any, len(list))
			}
			cols[name][i] = it.Value().Interface()
		}
	}
	var names []string
	for n := range cols {
		names = append(names, n)
	}
	for _, n := range slices.Sorted(slices.Values(names)) {
		c.add(n, cols[n])
	}
}

// How many rows are shown: all of a short table, else the first and last.
const (
	shownRows = 30
	firstRows = 20
	lastRows  = 5
)

// ColumnTable returns columns as a table, the middle of a long one left out, with the number of rows above it.
func ColumnTable(names []string, columns [][]any) *Table {
	t := NewTable(names...)
	n := 0
	if len(columns) > 0 {
		n = len(columns[0])
	}
	t.Title = fmt.Sprintf("%d rows", n)
	if n == 1 {
		t.Title = "1 row"
	}
	for r := range n {
		if n > shownRows && r > firstRows && r < n-lastRows {
			continue
		}
		row := make([]any, len(columns))
		for c, col := range columns {
			switch v := col[r]; {
			case n > shownRows && r == firstRows:
				row[c] = "…"
			case v == nil:
				row[c] = ""
			default:
				row[c] = cellText(v)
			}
		}
		t.Add(row...)
	}
	return t
}

// cellText is v, but for what has no place in a cell its text on one short line.
func cellText(v any) any {
	switch v.(type) {
	case float64, float32:
		return v
	}
	const most = 60
	text := ""
	if r := reflect.ValueOf(v); (r.Kind() == reflect.Slice || r.Kind() == reflect.Array) && r.Len() > maxItems {
		text = list(r)
	} else {
		text = fmt.Sprint(v)
	}
	s := []rune(text)
	for i, r := range s {
		if r == '\n' || r == '\r' || r == '\t' {
			s[i] = ' '
		}
	}
	if len(s) > most {
		return string(s[:most-1]) + "…"
	}
	return string(s)
}

// tabular returns x as a table if it is a list or map that reads better as one: of structs or maps, or a map. What
// writes itself does not.
func tabular(x any) *Table {
	v := reflect.ValueOf(x)
	switch x.(type) {
	case fmt.Stringer, error:
		return nil
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
	default:
		return nil
	}
	elem := v.Type().Elem()
	if v.Len() == 0 || writesItself(elem) || v.Kind() != reflect.Map && elem.Kind() != reflect.Map &&
		len(columnFields(elem)) == 0 {
		return nil
	}
	names, cols, _ := Columns(x)
	return ColumnTable(names, cols)
}

func writesItself(t reflect.Type) bool {
	return t.Implements(reflect.TypeFor[fmt.Stringer]()) || t.Implements(reflect.TypeFor[error]())
}
