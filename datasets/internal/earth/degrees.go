package earth

import (
	"math"
	"strconv"
	"strings"
)

// The greatest latitude and longitude.
const (
	MaxLat = 90.
	MaxLon = 180.
)

// Degrees reads a latitude or a longitude, by its limit: a number with a decimal point or comma, perhaps
// with the sign of degrees, or degrees, minutes and seconds; N or S, E or W before or after it. ok is false where it is
// neither, or above the limit. comma reports a decimal comma.
func Degrees(text string, limit float64) (x float64, comma, ok bool) {
	if x, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil {
		return x, false, math.Abs(x) <= limit
	}
	text, sign := strings.TrimSpace(text), 0.
	ends := "NS"
	if limit == MaxLon {
		ends = "EW"
	}
	if n := len(text); n > 1 {
		for i, letter := range ends {
			switch s := string(letter); {
			case strings.HasPrefix(text, s):
				text, sign = text[1:], 1-2*float64(i)
			case strings.HasSuffix(text, s):
				text, sign = text[:n-1], 1-2*float64(i)
			}
		}
	}
	comma = strings.Contains(text, ",")
	if comma {
		text = strings.Replace(text, ",", ".", 1)
	}
	scale, last := 1., false
	text = strings.NewReplacer("''", "″", "\"", "″", "”", "″", "'", "′", "’", "′", "º", "°").Replace(text)
	below := 0.
	for _, unit := range []string{"°", "′", "″"} {
		number, rest, is := strings.Cut(text, unit)
		if !is && unit != "°" && strings.TrimSpace(text) == "" {
			break
		}
		part, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		switch {
		case err != nil || last || !is && strings.TrimSpace(rest) != "" || !is && unit != "°":
			return 0, false, false
		case unit == "°":
			x = math.Abs(part)
			if math.Signbit(part) && sign == 0 {
				sign = -1
			} else if math.Signbit(part) {
				return 0, false, false
			}
		case part < 0 || part >= 60:
			return 0, false, false
		default:
			below += part / scale
		}
		last = part != math.Trunc(part) // nothing smaller comes after a fraction
		text, scale = rest, scale*60
		if !is {
			text = ""
		}
	}
	if strings.TrimSpace(text) != "" {
		return 0, false, false
	}
	if x += below; sign < 0 {
		x = -x
	}
	return x, comma, math.Abs(x) <= limit
}

// Pair splits a text of two coordinates, such as "60.17, 24.95" or "60,17;24,95".
func Pair(text string) (a, b string, ok bool) {
	text = strings.Trim(strings.TrimSpace(text), "()[]")
	for _, sep := range []string{";", ", ", ",", " "} {
		if strings.Count(text, sep) == 1 {
			a, b, _ = strings.Cut(text, sep)
			return strings.TrimSpace(a), strings.TrimSpace(b), true
		}
	}
	return "", "", false
}
