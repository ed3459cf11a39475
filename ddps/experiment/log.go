package experiment

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ddps-go/ddps/ddps/d3pm"
)

// Log returns the steps and evaluations that the run logged; none if it has not begun. A last line that is cut
// off is left out, any other that does not read is an error with its number.
func (r *Run) Log() (steps []d3pm.StepInfo, evals []d3pm.EvalInfo, err error) {
	path := filepath.Join(r.Dir, logFile)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	var bad error
	for n := 1; lines.Scan(); n++ {
		if bad != nil {
			return nil, nil, bad
		}
		var step d3pm.StepInfo
		var eval d3pm.EvalInfo
		bad = errors.Join(json.Unmarshal(lines.Bytes(), &step), json.Unmarshal(lines.Bytes(), &eval))
		switch {
		case bad != nil:
			bad = fmt.Errorf("experiment: %s:%d: %w", path, n, bad)
		case step.Steps == 0:
			evals = append(evals, eval)
		default:
			steps = append(steps, step)
		}
	}
	return steps, evals, lines.Err()
}
