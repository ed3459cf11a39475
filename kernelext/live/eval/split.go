package eval

import (
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// chunk is a declaration or statement at the top level of a cell.
type chunk struct {
	text      string
	line, col int // where it starts in the cell, from 1
	tok       token.Token
	stray     string // the first bracket that closes nothing, and its line
	strayLine int
	lead      []string // comments above it
	trail     []string // comments behind it
}

// split cuts a cell at the semicolons, written or automatic, that stand outside all brackets. What does not scan
// ends up in some chunk, for the parser to complain of.
func split(code string) []chunk {
	src := []byte(code)
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, func(token.Position, string) {}, scanner.ScanComments)
	var chunks []chunk
	var c chunk
	var lead []string
	start, depth, header, ended := -1, 0, false, 0
	cut := func(end int) {
		if start >= 0 {
			c.text = code[start:end]
			chunks = append(chunks, c)
			ended = file.Line(file.Pos(end))
		}
		start, header = -1, false
	}
	for {
		pos, tok, lit := s.Scan()
		at := file.Offset(pos)
		if tok == token.EOF {
			cut(len(src))
			if n := len(chunks); n > 0 {
				chunks[n-1].trail = append(chunks[n-1].trail, lead...)
			}
			return chunks
		}
		if tok == token.COMMENT {
			if n := len(chunks); start < 0 && n > 0 && len(lead) == 0 && file.Line(pos) == ended {
				chunks[n-1].trail = append(chunks[n-1].trail, lit)
			} else if start < 0 {
				lead = append(lead, lit)
			}
			continue
		}
		if tok == token.SEMICOLON && depth <= 0 {
			if header && lit == ";" && start >= 0 && !whole(code[start:at]) { // for i := 0; …
				continue
			}
			cut(at)
			depth = 0
			continue
		}
		if start < 0 {
			p := file.Position(pos)
			start, c, lead = at, chunk{line: p.Line, col: p.Column, tok: tok, lead: lead}, nil
		}
		switch tok {
		case token.FOR, token.IF, token.SWITCH:
			header = true
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if depth--; depth < 0 && c.stray == "" {
				c.stray, c.strayLine = tok.String(), file.Line(pos)
			}
		}
	}
}

// whole reports whether text is a statement that parses.
func whole(text string) bool {
	_, err := parser.ParseFile(token.NewFileSet(), "", "package p; func _() {"+text+"\n}", parser.SkipObjectResolution)
	return err == nil
}

// Whole reports whether code is whole: no bracket, string or comment is left open, and it does not end in an
// operator that expects something after it.
func Whole(code string) bool {
	src := []byte(code)
	var s scanner.Scanner
	open := false
	s.Init(token.NewFileSet().AddFile("", -1, len(src)), src, func(_ token.Position, msg string) {
		open = open || strings.HasSuffix(msg, "not terminated") && strings.HasPrefix(msg, "raw string") ||
			msg == "comment not terminated"
	}, 0)
	depth, last := 0, token.SEMICOLON
	for {
		_, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			hanging := last.IsOperator() && last != token.SEMICOLON && last != token.RPAREN && last != token.RBRACK &&
				last != token.RBRACE && last != token.INC && last != token.DEC
			return !open && depth <= 0 && !hanging
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case token.SEMICOLON:
			if lit == "\n" && last == token.SEMICOLON {
				continue
			}
		}
		last = tok
	}
}
