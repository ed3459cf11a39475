// Package pathfile reads and writes files of weighted paths (datasets.Data), of layered graphs and of rewards.
//
//   - Paths: ReadFile and WriteFile go by the ending of the name; ReadCSV, ReadJSONL, ReadParquet, ReadFASTA and their
//     Write functions are of one format each. A Writer writes paths one by one, GeoJSON too.
//   - Graphs: ReadGraph and WriteGraph, as JSON, GraphML and DOT.
//   - Rewards of edges: ReadRewards, ReadCosts and WriteRewards.
//
// Vertices are called by name or by number (Vertices). A file is written whole or not at all (WriteWhole). Errors start
// with "datasets:" and name the file, line and field.
package pathfile
