package lab

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"

	"github.com/ddps-go/ddps/internal/atomicfile"
)

// keptFile returns where a value is kept.
func keptFile(name string) (string, error) {
	if !regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`).MatchString(name) {
		return "", fmt.Errorf("lab: %q: letters, digits, '_', '-' and '.' name a value", name)
	}
	return filepath.Join("runs", "values", name+".json"), nil
}

// Keep stores a value under a name for other cells, live or compiled, and for later sessions: as JSON below
// runs/values. A value that JSON does not give back as it was, such as a field without a capital letter or NaN, is an
// error.
//
//	must(Keep("reward", u))
func Keep(name string, value any) error {
	path, err := keptFile(name)
	if err != nil {
		return err
	}
	if value == nil {
		return errors.New("lab: nil is no value to keep")
	}
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("lab: keep %s: %w", name, err)
	}
	back := reflect.New(reflect.TypeOf(value))
	if err := json.Unmarshal(data, back.Interface()); err != nil {
		return fmt.Errorf("lab: keep %s: %w", name, err)
	}
	if !reflect.DeepEqual(back.Elem().Interface(), value) {
		return fmt.Errorf("lab: keep %s: JSON would not give this %T back as it is", name, value)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("lab: keep %s: %w", name, err)
	}
	if err := atomicfile.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("lab: keep %s: %w", name, err)
	}
	return nil
}

// Kept reads the value that Keep stored under a name into what into points to, a variable of the same type.
//
//	var u []float64
//	must(Kept("reward", &u))
func Kept(name string, into any) error {
	path, err := keptFile(name)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("lab: no value %q is kept below runs/values", name)
	}
	if err != nil {
		return fmt.Errorf("lab: kept %s: %w", name, err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("lab: kept %s: %w", name, err)
	}
	return nil
}
