// Package slots unrolls a map in time as planners have it: walks with several starts and ends, and moves that take as
// many slots as they last.
//
//   - Expand makes the layered graph; NewPlan says before what its layers can hold.
//   - ReadTimes reads the travel times of a map's edges.
//   - Extremes finds starts and ends of GPS tracks; Draw draws paths, their starts by weight.
//
// A layer is a moment, Options.Slot seconds after the one before. A move of k slots passes k − 1 vertices on the way,
// so that edges lead from a layer to the next. Errors start with "slots:".
package slots
