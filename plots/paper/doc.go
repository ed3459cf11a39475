// Package paper draws the paper's figures, and lays out its tables, from rows of studies.
//
//	guidance.go  figures 4 to 6: reward and distances against the guidance scale
//	front.go     reward against divergence, above the least possible
//	table.go     comparisons of samples with a target, as tables
//
// Figures are pictures of package plots; tables are a header and rows of cells.
package paper
