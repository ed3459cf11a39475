package names

import (
	"strconv"
	"strings"
)

// CommaHint is added to the error of a text that is no number, where it is one with a decimal comma; "" elsewhere.
func CommaHint(text string) string {
	text = strings.TrimSpace(text)
	if _, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64); err != nil || !strings.Contains(text, ",") {
		return ""
	}
	return ": decimals are written with a point, not a comma"
}
