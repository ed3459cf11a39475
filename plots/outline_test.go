package plots

import (
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Outlined text lies where gonum's own text does, λ included.
func TestOutlinesLookLikeText(t *testing.T) {
	ink := func(wrap bool, txt string) (n int, same *vgimg.Canvas) {
		c := vgimg.NewWith(vgimg.UseWH(120, 30), vgimg.UseDPI(dpi))
		var dst vg.Canvas = c
		if wrap {
			dst = outlines{c}
		}
		dc := draw.NewCanvas(dst, 120, 30)
		dc.FillText(label(14, black, false), vg.Point{X: 60, Y: 15}, txt)
		for x := range c.Image().Bounds().Dx() {
			for y := range c.Image().Bounds().Dy() {
				if r, _, _, _ := c.Image().At(x, y).RGBA(); r < 0x8000 {
					n++
				}
			}
		}
		return n, c
	}
	for _, txt := range []string{"guidance scale λ", "KL(p‖q) AVAV", "½ Σ|p−q|"} {
		a, ca := ink(false, txt)
		b, cb := ink(true, txt)
		differ := 0
		for x := range ca.Image().Bounds().Dx() {
			for y := range ca.Image().Bounds().Dy() {
				p, _, _, _ := ca.Image().At(x, y).RGBA()
				q, _, _, _ := cb.Image().At(x, y).RGBA()
				if max(p, q)-min(p, q) > 0xC000 {
					differ++
				}
			}
		}
		if a == 0 || b < a*3/4 || b > a*4/3 || differ > a/3 {
			t.Errorf("%q: %d dark pixels as text, %d as outlines, %d differ", txt, a, b, differ)
		}
	}
	outlines{vgimg.New(10, 10)}.FillString(font.Face{}, vg.Point{}, "x") // size 0: nothing, as gonum's do
}

func TestLinearTicks(t *testing.T) {
	for _, r := range [][2]float64{{0, 1}, {-3, 4}, {0, 1e-8}, {1e6, 1e6 + 1}, {-1e150, 1e150}, {7, 7.00001},
		{-1e-9, 3e-9}} {
		ticks := linearTicks(r[0], r[1])
		for i, k := range ticks {
			if k.Value < r[0]-1e-6*(r[1]-r[0]) || k.Value > r[1]+1e-6*(r[1]-r[0]) || i > 0 && k.Label == ticks[i-1].Label {
				t.Errorf("%v: %v", r, ticks)
			}
		}
		if r[1]-r[0] > 1e-9 && len(ticks) < 3 {
			t.Errorf("%v: %d ticks", r, len(ticks))
		}
	}
}
