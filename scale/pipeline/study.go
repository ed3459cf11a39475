package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// Points says what is measured, point by point.
type Points struct {
	Command []string // program and arguments; the word {} stands for the point
	List    []string
}

// Study runs a command for each point of a grid and returns what each prints, as "point\toutput". A command is
// idempotent: a worker that is lost has its points done again.
func Study(s beam.Scope, p Points) (beam.PCollection, error) {
	if !slices.Contains(p.Command, "{}") {
		return beam.PCollection{}, errors.New("study: the command has no {} for the point")
	}
	s = s.Scope("study")
	list := make([]int, len(p.List))
	for i := range list {
		list[i] = i
	}
	return beam.ParDo(s, &measurePoint{p}, beam.Reshuffle(s, beam.CreateList(s, list))), nil
}

// measurePoint runs the command for one point.
type measurePoint struct{ Points Points }

// ProcessElement measures point i.
func (f *measurePoint) ProcessElement(ctx context.Context, i int, emit func(string)) error {
	point := f.Points.List[i]
	words := slices.Clone(f.Points.Command)
	for k, w := range words {
		if w == "{}" {
			words[k] = point
		}
	}
	out, err := exec.CommandContext(ctx, words[0], words[1:]...).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		return fmt.Errorf("study: point %s: %w", point, err)
	}
	emit(point + "\t" + strings.TrimRight(string(out), "\r\n"))
	return nil
}
