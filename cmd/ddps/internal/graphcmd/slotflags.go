package graphcmd

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
)

// slotFlag is whole seconds, written as a duration or as seconds.
type slotFlag int

func (s *slotFlag) Type() string { return "time" }
func (s *slotFlag) String() string {
	if s == nil || *s == 0 {
		return ""
	}
	return (time.Duration(*s) * time.Second).String()
}
func (s *slotFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		d, e := time.ParseDuration(text)
		if e != nil || d%time.Second != 0 {
			return fmt.Errorf("%q is no whole number of seconds, as 60s or 5m", text)
		}
		n = int(d / time.Second)
	}
	if n < 1 || n > 1_000_000 {
		return fmt.Errorf("expected 1 second to 1,000,000")
	}
	*s = slotFlag(n)
	return nil
}

// speedFlag is a speed in metres per second, 0 for none.
type speedFlag float64

func (s *speedFlag) Type() string { return "speed" }
func (s *speedFlag) String() string {
	if s == nil || *s == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(*s), 'g', -1, 64) + "m/s"
}
func (s *speedFlag) Set(text string) error {
	number, unit := strings.ReplaceAll(text, " ", ""), 0.0
	for _, u := range []struct {
		name  string
		metre float64
	}{{"km/h", 1 / 3.6}, {"kmh", 1 / 3.6}, {"m/s", 1}, {"mph", .44704}} {
		if rest, ok := strings.CutSuffix(number, u.name); ok {
			number, unit = rest, u.metre
			break
		}
	}
	v, err := cli.ParseNumber(number)
	if err != nil || unit == 0 || v <= 0 {
		return fmt.Errorf("%q is no speed, as 5km/h, 1.4m/s or 30mph", text)
	}
	*s = speedFlag(v * unit)
	return nil
}
