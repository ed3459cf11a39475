package frame

import (
	"fmt"
	"reflect"

	"github.com/ddps-go/ddps/kernelext"
)

// Of makes a frame of rows: a slice of structs or of pointers to them, whose fields are the columns, those of embedded
// structs too; a slice of maps, whose keys are; a map, as columns "key" and "value" or the columns of its values;
// another slice as the column "value". Fields without a capital letter count where the struct is a notebook's own (of
// package main).
func Of(rows any) (*Frame, error) {
	if f, ok := rows.(*Frame); ok {
		return f, nil
	}
	names, cols, ok := kernelext.Columns(rows)
	if !ok {
		return nil, fmt.Errorf("frame: %T is neither a slice nor a map", rows)
	}
	f := &Frame{}
	for i, n := range names {
		for f.has(n) {
			n += " (2)"
		}
		f.add(n, cols[i])
	}
	return f, nil
}

// Into stores the rows in the slice of structs that rows points to, by the names of fields. A column without a field, a
// field without a column and a value that does not fit are errors; missing values leave fields zero.
func (f *Frame) Into(rows any) error {
	p := reflect.ValueOf(rows)
	if p.Kind() != reflect.Pointer || p.Elem().Kind() != reflect.Slice || p.Elem().Type().Elem().Kind() != reflect.Struct {
		return fmt.Errorf("frame: %T is no pointer to a slice of structs", rows)
	}
	t := p.Elem().Type().Elem()
	list := reflect.MakeSlice(p.Elem().Type(), f.rows, f.rows)
	for _, field := range reflect.VisibleFields(t) {
		if field.IsExported() && !field.Anonymous {
			if _, err := f.column(field.Name); err != nil {
				return err
			}
		}
	}
	for c, name := range f.names {
		field, ok := t.FieldByName(name)
		if !ok || !field.IsExported() {
			return fmt.Errorf("frame: %s has no field %s", t, name)
		}
		for r, x := range f.cols[c] {
			if x == nil {
				continue
			}
			v := reflect.ValueOf(x)
			if !fits(v, field.Type) {
				return fmt.Errorf("frame: column %q, row %d: %v (%T) does not fit field %s %s", name, r+1, x, x, name, field.Type)
			}
			list.Index(r).FieldByIndex(field.Index).Set(v.Convert(field.Type))
		}
	}
	p.Elem().Set(list)
	return nil
}

// fits reports whether v can become a value of type t without loss.
func fits(v reflect.Value, t reflect.Type) bool {
	if v.Type().AssignableTo(t) {
		return true
	}
	if v.Kind() == t.Kind() {
		return v.Type().ConvertibleTo(t)
	}
	_, isNumber := number(v.Interface())
	if _, want := number(reflect.Zero(t).Interface()); !isNumber || !want {
		return false
	}
	return v.Convert(t).Convert(v.Type()).Interface() == v.Interface()
}
