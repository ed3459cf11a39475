package where

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ddps-go/ddps/ddps/guide"
)

// pattern is a regular expression over names, or over letters of a motif.
type pattern struct {
	op       guide.PatternOp
	names    []string // of One; nil: any vertex
	but      bool     // of One: any vertex but these
	of       []pattern
	min, max int
	at       int // where a One is in the text
}

// most is how often a part may be repeated by number.
const most = 4096

// patternParser reads a pattern: parts side by side follow each other, | is or, * + ? {m} {m,n} repeat, . is any
// vertex, [A B] and [^A B] are any of several and any but these, ( ) group.
type patternParser struct {
	text    string // of the condition
	s       string // the pattern
	i       int
	at      int  // where s begins in text
	raw     bool // byte i of s is at at+i
	letters bool // one letter of DNA is a vertex, else a name
	depth   int
}

func (p *patternParser) fail(i int, format string, args ...any) error {
	at := p.at
	if p.raw {
		at += i
	} else {
		at--
	}
	return &Error{p.text, at, fmt.Sprintf(format, args...)}
}

// parse reads all of the pattern.
func (p *patternParser) parse() (pattern, error) {
	x, err := p.alt()
	if err == nil && p.i < len(p.s) {
		err = p.fail(p.i, "unexpected %q in the pattern", p.s[p.i:p.i+1])
	}
	return x, err
}

// space skips white space between names.
func (p *patternParser) space() {
	for !p.letters && p.i < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.i]) >= 0 {
		p.i++
	}
}

// is reports whether c comes next, and takes it if so.
func (p *patternParser) is(c byte) bool {
	p.space()
	if p.i < len(p.s) && p.s[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *patternParser) alt() (pattern, error) {
	if p.depth++; p.depth > maxDepth {
		return pattern{}, p.fail(p.i, "more than %d brackets in one another", maxDepth)
	}
	defer func() { p.depth-- }()
	out := pattern{op: guide.Alt}
	for {
		x, err := p.concat()
		if err != nil {
			return out, err
		}
		if out.of = append(out.of, x); !p.is('|') {
			break
		}
	}
	if len(out.of) == 1 {
		return out.of[0], nil
	}
	return out, nil
}

func (p *patternParser) concat() (pattern, error) {
	out := pattern{op: guide.Concat}
	for {
		if p.space(); p.i == len(p.s) || p.s[p.i] == '|' || p.s[p.i] == ')' {
			return out, nil
		}
		x, err := p.atom()
		for err == nil && p.i < len(p.s) {
			var again bool
			if x, again, err = p.repeated(x); !again {
				break
			}
		}
		if err != nil {
			return out, err
		}
		out.of = append(out.of, x)
	}
}

// repeated reads a repeat of x, if there is one.
func (p *patternParser) repeated(x pattern) (pattern, bool, error) {
	out := pattern{op: guide.Repeat, of: []pattern{x}, max: -1}
	p.space()
	switch at := p.i; {
	case p.is('*'):
	case p.is('+'):
		out.min = 1
	case p.is('?'):
		out.max = 1
	case p.is('{'):
		inside, _, ok := strings.Cut(p.s[p.i:], "}")
		lo, hi, both := strings.Cut(inside, ",")
		var err, err2 error
		if out.min, err = strconv.Atoi(lo); both && hi == "" {
			out.max = -1
		} else if both {
			out.max, err2 = strconv.Atoi(hi)
		} else {
			out.max = out.min
		}
		if !ok || err != nil || err2 != nil || out.min < 0 || out.max >= 0 && out.max < out.min || max(out.min,
			out.max) > most {
			return x, false, p.fail(at, "a repeat is written like {15,19}, {6} or {2,}, up to %d", most)
		}
		p.i += len(inside) + 1
	default:
		return x, false, nil
	}
	return out, true, nil
}

func (p *patternParser) atom() (pattern, error) {
	at := p.i
	one := pattern{op: guide.One, at: p.at - 1}
	if p.raw {
		one.at = p.at + at
	}
	switch c := p.s[p.i]; {
	case p.is('('):
		x, err := p.alt()
		if err == nil && !p.is(')') {
			err = p.fail(at, "this ( is not closed in the pattern")
		}
		return x, err
	case p.is('.'):
		return one, nil
	case p.is('['):
		one.but = p.is('^')
		for !p.is(']') {
			if p.i == len(p.s) {
				return one, p.fail(at, "this [ is not closed in the pattern")
			}
			names, err := p.name()
			if err != nil {
				return one, err
			}
			one.names = append(one.names, names...)
		}
		if len(one.names) == 0 {
			return one, p.fail(at, "nothing stands in these brackets")
		}
		return one, nil
	case strings.IndexByte("*+?{}]", c) >= 0:
		return one, p.fail(at, "%q has nothing before it in the pattern", string(c))
	}
	var err error
	one.names, err = p.name()
	return one, err
}

// name reads a name, or the letters that a letter of DNA stands for.
func (p *patternParser) name() ([]string, error) {
	p.space()
	if p.i == len(p.s) {
		return nil, p.fail(p.i, "a name is missing in the pattern")
	}
	r, size := utf8.DecodeRuneInString(p.s[p.i:])
	if p.letters {
		bases := iupac(unicode.ToUpper(r))
		if r >= utf8.RuneSelf || bases == "" {
			return nil, p.fail(p.i, "%q is no letter of DNA (A, C, G, T, or R, Y, S, W, K, M, B, D, H, V, N for several)", r)
		}
		p.i += size
		return strings.Split(bases, ""), nil
	}
	if r == '"' {
		quoted, err := strconv.QuotedPrefix(p.s[p.i:])
		if err != nil {
			return nil, p.fail(p.i, "the name in quotes does not end")
		}
		name, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, p.fail(p.i, "the name in quotes is not valid")
		}
		p.i += len(quoted)
		return []string{name}, nil
	}
	n := strings.IndexAny(p.s[p.i:], " \t\r\n()|*+?{}[].^\"")
	if n < 0 {
		n = len(p.s) - p.i
	}
	if n == 0 {
		return nil, p.fail(p.i, "unexpected %q in the pattern: names with such characters stand in \"…\"", string(r))
	}
	p.i += n
	return []string{p.s[p.i-n : p.i]}, nil
}

// shortest returns the least number of vertices that fit x.
func (x pattern) shortest() int {
	switch n := 0; x.op {
	case guide.One:
		return 1
	case guide.Alt:
		n = math.MaxInt32
		for _, y := range x.of {
			n = min(n, y.shortest())
		}
		return n
	case guide.Concat:
		for _, y := range x.of {
			n = min(n+y.shortest(), math.MaxInt32)
		}
		return n
	}
	return min(x.min*x.of[0].shortest(), math.MaxInt32)
}
