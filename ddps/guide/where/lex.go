package where

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ddps-go/ddps/ddps"
)

// Error says what is wrong with a text, and where.
type Error struct {
	Text    string
	At      int // byte offset, 0…len(Text)
	Problem string
}

func (e *Error) Error() string {
	return fmt.Sprintf("where: character %d: %s", utf8.RuneCountInString(e.Text[:e.At])+1, e.Problem)
}

// Caret returns two lines, the text and under it a ^ at the character that is wrong.
func (e *Error) Caret() string {
	visible := func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}
	return strings.Map(visible, e.Text) + "\n" + strings.Repeat(" ", utf8.RuneCountInString(e.Text[:e.At])) + "^"
}

// kind is a kind of token.
type kind int

const (
	end kind = iota
	word
	text
	single // in '…'
	number
	hours // H:MM or H:MM:SS
	symbol
)

// token is a word of the text.
type token struct {
	kind kind
	at   int
	s    string  // as it is; of a text what is in the quotes
	raw  bool    // of a text: no \ in it, so that byte i of s is at at+1+i
	x    float64 // of a number, or the seconds of hours
}

// String says what a token is, for messages.
func (t token) String() string {
	switch t.kind {
	case end:
		return "the end"
	case text:
		return strconv.Quote(t.s)
	case single:
		return "'" + t.s + "'"
	}
	return t.s
}

// lex cuts s into tokens; the last is the end.
func lex(s string) ([]token, error) {
	var list []token
	for i := 0; ; {
		for i < len(s) && strings.ContainsRune(" \t\r\n", rune(s[i])) {
			i++
		}
		if i == len(s) {
			return append(list, token{kind: end, at: i}), nil
		}
		t, n, err := next(s, i)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
		i += n
	}
}

// next reads the token at i and returns its length.
func next(s string, i int) (token, int, error) {
	rest := s[i:]
	r, size := utf8.DecodeRuneInString(rest)
	is := func(t string) (token, int, error) { return token{kind: symbol, at: i, s: t}, len(t), nil }
	switch {
	case r == '"' || r == '`':
		return lexText(s, i)
	case r == '\'':
		inside, _, ends := strings.Cut(rest[1:], "'")
		if !ends || !utf8.ValidString(inside) {
			return token{}, 0, &Error{s, i, "the text in quotes does not end"}
		}
		return token{kind: single, at: i, s: inside, raw: true}, len(inside) + 2, nil
	case strings.HasPrefix(rest, ".."):
		return is("..")
	case strings.ContainsRune("(){},%", r):
		return is(rest[:1])
	case r == '≥' || r == '≤':
		return token{kind: symbol, at: i, s: map[rune]string{'≥': ">=", '≤': "<="}[r]}, size, nil
	case strings.HasPrefix(rest, ">=") || strings.HasPrefix(rest, "<="):
		return is(rest[:2])
	case strings.HasPrefix(rest, "=>") || strings.HasPrefix(rest, "=<"):
		return token{}, 0, &Error{s, i, fmt.Sprintf("%s is written %c=", rest[:2], rest[1])}
	case r == '<' || r == '>':
		return is(rest[:1])
	case r == '=':
		return token{kind: symbol, at: i, s: "="}, len(rest) - len(strings.TrimPrefix(strings.TrimPrefix(rest, "="),
			"=")), nil
	case strings.HasPrefix(rest, "->"):
		return token{}, 0, stranger(s, i)
	case r >= '0' && r <= '9' || strings.ContainsRune("+-.−", r):
		return lexNumber(s, i)
	case unicode.IsLetter(r) || r == '_':
		n := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
		if n < 0 {
			n = len(rest)
		}
		return token{kind: word, at: i, s: rest[:n]}, n, nil
	}
	return token{}, 0, stranger(s, i)
}

// lexText reads the text in quotes at i.
func lexText(s string, i int) (token, int, error) {
	quoted, err := strconv.QuotedPrefix(s[i:])
	if err != nil {
		return token{}, 0, &Error{s, i, "the text in quotes does not end, or has a \\ before a character that takes none"}
	}
	inside, err := strconv.Unquote(quoted)
	if err != nil || !utf8.ValidString(inside) {
		return token{}, 0, &Error{s, i, "the text in quotes is not valid"}
	}
	return token{kind: text, at: i, s: inside, raw: quoted[1:len(quoted)-1] == inside}, len(quoted), nil
}

// lexNumber reads the number, or the time of day, at i.
func lexNumber(s string, i int) (token, int, error) {
	rest := strings.TrimPrefix(s[i:], "−")
	sign, skipped := "", len(s[i:])-len(rest)
	if skipped > 0 {
		sign = "-"
	}
	if after := strings.TrimLeft(s[i:], "-−"); after != s[i:] {
		n := len(after) - len(strings.TrimLeft(after, "0123456789:"))
		if _, ok := ddps.ParseClock(after[:n]); ok {
			return token{}, 0, &Error{s, i, "a window of time is written 8:10..8:30"}
		}
	}
	if n := len(rest) - len(strings.TrimLeft(rest, "0123456789:")); skipped == 0 && strings.Contains(rest[:n], ":") {
		seconds, ok := ddps.ParseClock(rest[:n])
		if !ok {
			return token{}, 0, &Error{s, i, fmt.Sprintf("%s is not a time H:MM or H:MM:SS; layers are like layer 2..4",
				rest[:n])}
		}
		return token{kind: hours, at: i, s: rest[:n], x: float64(seconds)}, n, nil
	}
	n := 0
	for n < len(rest) && (strings.IndexByte("0123456789.+-", rest[n]) >= 0 || rest[n] == 'e' || rest[n] == 'E') {
		if n > 0 && (rest[n] == '+' || rest[n] == '-') && rest[n-1] != 'e' && rest[n-1] != 'E' || strings.HasPrefix(rest[n:],
			"..") {
			break
		}
		n++
	}
	x, err := strconv.ParseFloat(sign+rest[:n], 64)
	if err != nil || math.IsInf(x, 0) {
		return token{}, 0, &Error{s, i, fmt.Sprintf("%q is not a finite number; names stand in double quotes",
			s[i:i+skipped+n])}
	}
	return token{kind: number, at: i, s: s[i : i+skipped+n], x: x}, skipped + n, nil
}
