package where

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
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
	number
	symbol
)

// token is a word of the text.
type token struct {
	kind kind
	at   int
	s    string  // as it stands; of a text what is in the quotes
	x    float64 // of a number
}

// String tells what a token is, for messages.
func (t token) String() string {
	switch t.kind {
	case end:
		return "the end"
	case text:
		return strconv.Quote(t.s)
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
	switch {
	case r == '"' || r == '`':
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return token{}, 0, &Error{s, i, "the text in quotes does not end, or has a \\ that means nothing"}
		}
		inside, err := strconv.Unquote(quoted)
		if err != nil || !utf8.ValidString(inside) {
			return token{}, 0, &Error{s, i, "the text in quotes is not valid"}
		}
		return token{kind: text, at: i, s: inside}, len(quoted), nil
	case strings.ContainsRune("(){},%", r):
		return token{kind: symbol, at: i, s: rest[:1]}, 1, nil
	case r == '≥' || r == '≤':
		return token{kind: symbol, at: i, s: map[rune]string{'≥': ">=", '≤': "<="}[r]}, size, nil
	case strings.HasPrefix(rest, ">=") || strings.HasPrefix(rest, "<="):
		return token{kind: symbol, at: i, s: rest[:2]}, 2, nil
	case r == '=':
		return token{kind: symbol, at: i, s: "="}, len(rest) - len(strings.TrimPrefix(strings.TrimPrefix(rest, "="), "=")), nil
	case r >= '0' && r <= '9' || strings.ContainsRune("+-.−", r):
		return lexNumber(s, i)
	case unicode.IsLetter(r) || r == '_':
		n := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
		if n < 0 {
			n = len(rest)
		}
		return token{kind: word, at: i, s: rest[:n]}, n, nil
	}
	problem := fmt.Sprintf("%q means nothing here", rest[:size])
	if r == '<' || r == '>' {
		problem += ": at most is <=, at least is >="
	}
	return token{}, 0, &Error{s, i, problem}
}

// lexNumber reads the number at i.
func lexNumber(s string, i int) (token, int, error) {
	rest := strings.TrimPrefix(s[i:], "−")
	sign, skipped := "", len(s[i:])-len(rest)
	if skipped > 0 {
		sign = "-"
	}
	n := 0
	for n < len(rest) && (strings.IndexByte("0123456789.+-", rest[n]) >= 0 || rest[n] == 'e' || rest[n] == 'E') {
		if n > 0 && (rest[n] == '+' || rest[n] == '-') && rest[n-1] != 'e' && rest[n-1] != 'E' {
			break
		}
		n++
	}
	x, err := strconv.ParseFloat(sign+rest[:n], 64)
	if err != nil || math.IsInf(x, 0) {
		return token{}, 0, &Error{s, i, fmt.Sprintf("%q is not a finite number", s[i:i+skipped+n])}
	}
	return token{kind: number, at: i, s: s[i : i+skipped+n], x: x}, skipped + n, nil
}
