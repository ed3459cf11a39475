package notebooks

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strings"
)

// Two pictures are the same where at most so large a share of the pixels differs by more than so much in a channel: a
// changed digit in a label is more.
const (
	maxShare   = 1e-4
	maxChannel = 40
)

// small encodes a picture with a palette of its 256 most frequent colours.
func small(data []byte) ([]byte, error) {
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if _, ok := m.(*image.Paletted); ok {
		return data, nil
	}
	r := m.Bounds()
	seen := map[color.RGBA]int{}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			seen[coarse(m.At(x, y))]++
		}
	}
	var all []color.RGBA
	for c := range seen {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b color.RGBA) int {
		key := func(c color.RGBA) int { return int(c.R)<<24 | int(c.G)<<16 | int(c.B)<<8 | int(c.A) }
		return cmp.Or(seen[b]-seen[a], key(a)-key(b))
	})
	var palette color.Palette
	for _, c := range all[:min(256, len(all))] {
		palette = append(palette, c)
	}
	index := map[color.RGBA]uint8{}
	for _, c := range all {
		index[c] = uint8(palette.Index(c))
	}
	out := image.NewPaletted(r, palette)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			out.SetColorIndex(x, y, index[coarse(m.At(x, y))])
		}
	}
	var b bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, out)
	return b.Bytes(), err
}

// coarse rounds a colour to 16 steps a channel, with black and white as they are.
func coarse(c color.Color) color.RGBA {
	r, g, b, a := c.RGBA()
	step := func(v uint32) uint8 { return uint8((v>>8+8)/17) * 17 }
	return color.RGBA{step(r), step(g), step(b), step(a)}
}

// samePicture says how two pictures in base64 differ, "" for not visibly.
func samePicture(a, b string) string {
	var m [2]image.Image
	for i, text := range []string{a, b} {
		raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
		if err == nil {
			m[i], err = png.Decode(bytes.NewReader(raw))
		}
		if err != nil {
			return err.Error()
		}
	}
	r := m[0].Bounds()
	if r != m[1].Bounds() {
		return fmt.Sprintf("a picture of %v, the run has %v", r.Size(), m[1].Bounds().Size())
	}
	n := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if !near(m[0].At(x, y), m[1].At(x, y)) {
				n++
			}
		}
	}
	if share := float64(n) / float64(r.Dx()*r.Dy()); share > maxShare {
		return fmt.Sprintf("%.2f%% of the picture's pixels differ", 100*share)
	}
	return ""
}

// near reports whether two colours are alike.
func near(a, b color.Color) bool {
	r0, g0, b0, _ := a.RGBA()
	r1, g1, b1, _ := b.RGBA()
	for _, d := range []int{int(r0>>8) - int(r1>>8), int(g0>>8) - int(g1>>8), int(b0>>8) - int(b1>>8)} {
		if max(d, -d) > maxChannel {
			return false
		}
	}
	return true
}
