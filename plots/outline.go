package plots

import (
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	pfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// outlines is a canvas that fills the outlines of letters. gonum's PDF canvas knows the letters of Windows-1252
// only, λ not among them, and its SVG canvas relies on the reader's fonts.
type outlines struct{ vg.Canvas }

// emUnits is the size at which outlines are read, before they are scaled to the font's.
const emUnits = 1024

// FillString fills the text's outlines from the base line's start pt, kerned as gonum measures it.
func (o outlines) FillString(face pfont.Face, pt vg.Point, txt string) {
	if face.Font.Size <= 0 {
		return
	}
	var buf sfnt.Buffer
	unit := face.Font.Size / (emUnits * 64)
	x := vg.Length(0)
	prev, hasPrev := sfnt.GlyphIndex(0), false
	for _, r := range txt {
		i, err := face.Face.GlyphIndex(&buf, r)
		if err != nil {
			continue
		}
		if hasPrev {
			if kern, err := face.Face.Kern(&buf, prev, i, fixed.I(emUnits), font.HintingNone); err == nil {
				x += vg.Length(kern) * unit
			}
		}
		if segs, err := face.Face.LoadGlyph(&buf, i, fixed.I(emUnits), nil); err == nil && len(segs) > 0 {
			o.Fill(outline(segs, vg.Point{X: pt.X + x, Y: pt.Y}, unit))
		}
		if adv, err := face.Face.GlyphAdvance(&buf, i, fixed.I(emUnits), font.HintingNone); err == nil {
			x += vg.Length(adv) * unit
		}
		prev, hasPrev = i, true
	}
}

// outline returns a glyph's contours at pt; a glyph's y axis points down, a canvas's up.
func outline(segs sfnt.Segments, pt vg.Point, unit vg.Length) (path vg.Path) {
	at := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: pt.X + vg.Length(p.X)*unit, Y: pt.Y - vg.Length(p.Y)*unit}
	}
	for i, s := range segs {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				path.Close()
			}
			path.Move(at(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(at(s.Args[0]), at(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
		}
	}
	path.Close()
	return path
}
