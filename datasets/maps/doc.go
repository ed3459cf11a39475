// Package maps reads maps and timetables and makes layered graphs of them.
//
// Read and ReadFile read OpenStreetMap (XML, PBF, Overpass JSON), GraphML, GTFS and lists of edges, told apart by their
// content, as a World: nodes with coordinates and edges with lengths. Merge, Consolidate and Split tidy a world; Expand
// unrolls it in time: layer l of the graph has the places that are reached in l moves. Timetable unrolls a GTFS feed by
// its times. CutStreets cuts a file of OpenStreetMap to a box.
//
// Lengths are metres, coordinates degrees (WGS 84) unless a name says X, Y. Errors start with "datasets:" and name the
// file, and the line or the node where there is one.
package maps
