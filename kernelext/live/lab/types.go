package lab

import (
	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/frame"
)

// The types that users meet, under one roof.
type (
	Graph     = ddps.LayeredGraph
	Path      = ddps.Path
	PALM      = ddps.PALM
	Data      = datasets.Data
	Chain     = chain.Chain
	Model     = model.Model
	Sampler   = d3pm.Sampler
	Condition = guide.Condition
	Config    = run.Config
	Target    = compare.Target
	Frame     = frame.Frame
	FrameRow  = frame.Row
	Table     = kernelext.Table
	Slider    = kernelext.Slider
	Select    = kernelext.Select
	Checkbox  = kernelext.Checkbox
	Button    = kernelext.Button
	Text      = kernelext.Text
	State     = kernelext.State
	Control   = kernelext.Control
)
