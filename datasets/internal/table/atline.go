package table

import "fmt"

// AtLine returns what formats an error in a line of a file, and with line 0 of the file.
func AtLine(name string) func(line int, err error) error {
	return func(line int, err error) error {
		if line == 0 {
			return fmt.Errorf("datasets: %s: %w", name, err)
		}
		return fmt.Errorf("datasets: %s:%d: %w", name, line, err)
	}
}
