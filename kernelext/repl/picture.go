package repl

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"

	"golang.org/x/image/draw"
)

// Graphics is how a terminal shows figures.
type Graphics string

// The ways to show figures.
const (
	Kitty  Graphics = "kitty"  // kitty's graphics protocol: kitty, Ghostty, WezTerm, Konsole
	Blocks Graphics = "blocks" // half blocks in 24-bit colour, two pixels a character
	Coarse Graphics = "coarse" // half blocks in 256 colours
	None   Graphics = "none"   // a figure's text only
)

// Detect returns what a terminal can show, by its environment.
func Detect(getenv func(string) string) Graphics {
	t, program := getenv("TERM"), getenv("TERM_PROGRAM")
	direct := getenv("TMUX") == "" && !strings.HasPrefix(t, "screen") && !strings.HasPrefix(t, "tmux")
	switch {
	case getenv("NO_COLOR") != "" || t == "" || t == "dumb":
		return None
	case direct && (getenv("KITTY_WINDOW_ID") != "" || strings.Contains(t, "kitty") || strings.Contains(t, "ghostty") ||
		program == "ghostty" || program == "WezTerm" || getenv("KONSOLE_VERSION") >= "220400"):
		return Kitty
	case getenv("COLORTERM") == "truecolor" || getenv("COLORTERM") == "24bit":
		return Blocks
	}
	return Coarse
}

// drawPicture returns a PNG as text for the terminal and the rows that it takes, none if it cannot be shown.
func drawPicture(data []byte, g Graphics, width int) (string, int) {
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil || g == None {
		return "", 0
	}
	size := img.Bounds().Size()
	columns := min(width, 100)
	rows := max(1, columns*size.Y/size.X/2) // a character is twice as high as wide
	switch g {
	case Kitty:
		return kitty(data, columns, rows), rows
	case Blocks, Coarse:
		return blocks(img, columns, rows, g == Blocks), rows
	}
	return "", 0
}

// kitty sends the PNG in chunks of 4,096 characters, to be shown on so many columns and rows.
func kitty(data []byte, columns, rows int) string {
	const chunk = 4096
	text := base64.StdEncoding.EncodeToString(data)
	var b strings.Builder
	for first := true; first || text != ""; first = false {
		part := text[:min(chunk, len(text))]
		text = text[len(part):]
		more := 0
		if text != "" {
			more = 1
		}
		if first {
			fmt.Fprintf(&b, "\x1b_Ga=T,f=100,q=2,C=1,c=%d,r=%d,m=%d;%s\x1b\\", columns, rows, more, part)
		} else {
			fmt.Fprintf(&b, "\x1b_Gq=2,m=%d;%s\x1b\\", more, part)
		}
	}
	return b.String() + strings.Repeat("\n", rows)
}

// blocks draws with ▀: the upper pixel in the foreground colour, the lower one behind.
func blocks(img image.Image, columns, rows int, full bool) string {
	small := image.NewRGBA(image.Rect(0, 0, columns, 2*rows))
	draw.Draw(small, small.Bounds(), image.White, image.Point{}, draw.Src)
	draw.CatmullRom.Scale(small, small.Bounds(), img, img.Bounds(), draw.Over, nil)
	var b strings.Builder
	for y := range rows {
		last := ""
		for x := range columns {
			c := paint(38, small.RGBAAt(x, 2*y), full) + paint(48, small.RGBAAt(x, 2*y+1), full)
			if c != last {
				b.WriteString(c)
				last = c
			}
			b.WriteString("▀")
		}
		b.WriteString("\x1b[0m\n")
	}
	return b.String()
}

// paint returns the sequence that sets a colour, of the foreground (38) or the background (48).
func paint(which int, c color.RGBA, full bool) string {
	if full {
		return fmt.Sprintf("\x1b[%d;2;%d;%d;%dm", which, c.R, c.G, c.B)
	}
	level := func(v uint8) int { return (int(v)*5 + 127) / 255 } // of the cube of 6 × 6 × 6 colours
	return fmt.Sprintf("\x1b[%d;5;%dm", which, 16+36*level(c.R)+6*level(c.G)+level(c.B))
}
