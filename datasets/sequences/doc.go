// Package sequences makes layered graphs and paths of what was recorded: lists of walks, each a sequence of places, of
// any length, with any start and end.
//
//   - ReadFile and Read take files of walks in many formats (Format), and say what they decided; what they leave out is
//     counted, with a reason (Report).
//   - Make unrolls walks by position: layer l holds the places that may stand at position l, from 1, behind a source;
//     END fills up walks that end before the last layer.
//   - On maps walks onto a graph made earlier; Names takes source and END away again.
//   - Walks.Split and SplitWalks take test walks, KnownWalks counts those of known paths.
//   - Write writes walks in the formats that are read.
//
// A walk is a line of a file, or a case of an event log. Equal walks are one path with a count. Layers are counted from
// 0 in the code, so that position l is layer l; in messages positions and lines count from 1. Errors start with
// "sequences:" and name the file and the line.
package sequences
