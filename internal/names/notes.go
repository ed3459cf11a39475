package names

import (
	"fmt"
	"strings"
)

// UnicodeNote is the note on n names in another form of Unicode than taken, like one.
func UnicodeNote(n int, like string) []string {
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s in another form of Unicode, like %q: taken in normal form C",
		Plural(n, "name is", "names are"), like)}
}

// Plural is a number and a word.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// SomeOf joins the first of a list, and says how many more there are.
func SomeOf(list []string) string {
	const most = 3
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}
