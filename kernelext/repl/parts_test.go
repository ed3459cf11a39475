package repl

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	h, err := openHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []string{"a", "a", "", " secret", "b\nc \"quoted\"", "a"} {
		if _, err := h.Write(l); err != nil {
			t.Fatal(err)
		}
	}
	back, err := openHistory(path)
	if want := []string{"a", "b\nc \"quoted\"", "a"}; err != nil || !slices.Equal(back.lines, want) ||
		!slices.Equal(h.lines, want) {
		t.Errorf("%q, %q, %v", back.lines, h.lines, err)
	}
	if found := back.find("quo"); len(found) != 1 {
		t.Errorf("found %q", found)
	}
	if _, err := back.GetLine(3); err == nil {
		t.Error("a line that is not there is no error")
	}
	var wg sync.WaitGroup // two runs on one file lose nothing
	for k := range 2 {
		other, _ := openHistory(path)
		wg.Go(func() {
			for i := range 50 {
				other.Write(fmt.Sprint(k, i))
			}
		})
	}
	wg.Wait()
	if back, _ = openHistory(path); back.Len() != 103 {
		t.Errorf("%d lines, want 103", back.Len())
	}
}

// A history that is damaged, or no file at all, keeps nobody from working.
func TestDamagedHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	text := "\x00\xff\xfe\n\"good\"\n\"cut off\n\n\"" + strings.Repeat("x", 3<<20) + "\"\n\"last\""
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	h, err := openHistory(path)
	if err != nil || h.Len() != 3 || h.lines[0] != "good" || h.lines[2] != "last" {
		t.Error(err, h)
	}
	var out, warned bytes.Buffer
	r, err := newREPL(Config{Out: &out, Err: &warned, History: t.TempDir()})
	if err != nil || !strings.HasPrefix(warned.String(), "warning: repl: history: ") {
		t.Fatalf("%v, %q", err, warned.String())
	}
	if err := r.line(t.Context(), "1+1"); err != nil || out.String() != "2\n" {
		t.Errorf("%v, %q", err, out.String())
	}
	if _, err := r.history.Write("kept"); err != nil || r.history.Len() != 1 {
		t.Error(err)
	}
}

func TestDetect(t *testing.T) {
	for env, want := range map[string]Graphics{
		"":                                     None,
		"TERM=dumb":                            None,
		"TERM=xterm NO_COLOR=1":                None,
		"TERM=xterm":                           Coarse,
		"TERM=xterm COLORTERM=truecolor":       Blocks,
		"TERM=xterm-kitty":                     Kitty,
		"TERM=xterm TERM_PROGRAM=WezTerm":      Kitty,
		"TERM=xterm-kitty TMUX=1":              Coarse,
		"TERM=tmux-256color KITTY_WINDOW_ID=1": Coarse,
	} {
		get := func(name string) string {
			for _, f := range strings.Fields(env) {
				if v, ok := strings.CutPrefix(f, name+"="); ok {
					return v
				}
			}
			return ""
		}
		if g := Detect(get); g != want {
			t.Errorf("%q: %s, want %s", env, g, want)
		}
	}
}

func TestDrawPicture(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 200, 100))
	for x := range 200 {
		for y := range 100 {
			img.Set(x, y, color.RGBA{uint8(x), uint8(y * x), uint8(x ^ y), 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	for g, want := range map[Graphics]string{Blocks: "\x1b[38;2;", Coarse: "\x1b[38;5;", Kitty: "\x1b_Ga=T,f=100"} {
		text, rows := drawPicture(b.Bytes(), g, 40)
		if rows != 10 || strings.Count(text, "\n") != 10 || !strings.Contains(text, want) {
			t.Errorf("%s: %d rows, %.40q", g, rows, text)
		}
		if g != Kitty && strings.Count(text, "▀") != 400 {
			t.Errorf("%s: %d characters", g, strings.Count(text, "▀"))
		}
	}
	if text, rows := drawPicture([]byte("no picture"), Blocks, 40); text != "" || rows != 0 {
		t.Error("what is no picture is drawn")
	}
	if long := kitty(make([]byte, 10000), 4, 2); strings.Count(long, "\x1b_G") != 4 || strings.Count(long, "m=0;") != 1 {
		t.Errorf("chunks: %d", strings.Count(long, "\x1b_G"))
	}
}
