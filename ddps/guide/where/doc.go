// Package where is the text form of conditions on paths:
//
//	condition = term { "and" term }
//	term      = "max" "(" total ")"                          the greatest total that any path has
//	          | total ( ">=" | "<=" | "=" ) number           guide.AtLeast, Budget, Exactly
//	          | "gc" ( ">=" | "<=" | "=" ) number "%"        the same, of a hundred letters
//	          | "boltzmann" "(" number [ "," total ] ")"     weights exp(number · total), of the reward by default
//	          | stop { "then" stop }                         each at a later step than the one before
//	          | motif                                        guide.Motif, on a lattice of DNA
//	          | "avoid" "(" ( places | edge ) [ "," "layer" n ] ")"
//	          | "avoid" "(" motif ")"
//	          | "end" "in" places                            in the last layer
//	stop      = "visit" "(" places [ "," "layer" n ] ")" | edge
//	edge      = "edge" "(" place "," place [ "," "layer" n ] ")"
//	motif     = "motif" "(" "letters" [ "," [ "at" ] n ] ")"   n the position of the first, any if there is none
//	places    = place | "{" place { "," place } "}"          any of them
//	place     = "name" | "place" number | "vertex" number
//
// A total is what numbers by edge add up to along a path: reward, cost, or what else the caller has. A name stands
// for all vertices so called (ddps.LayeredGraph.Name), in whatever layer, place for all copies of a place of the
// world, and vertex for the one of that number in the graph as it was given (ddps.LayeredGraph.ID). Layers count
// from 1, as in the paper; that of an edge is its tail's. Text in quotes is written as in Go.
//
// Where the vertices are called A, C, G and T (ddps.LayeredGraph.Letters), a motif's letters may be IUPAC's codes, R for A or
// G, N for any, positions count letters from 1, and the total gc is how many of them are G or C, or
// with % how many in a hundred. Examples:
//
//	max(reward)
//	reward >= 3 and cost <= 12
//	visit("Dock 4") and avoid({"Gate 2", "Gate 3"})
//	motif("TTGACANNNNNNNNNNNNNNNNNTATAAT") and avoid(motif("GAATTC")) and gc <= 18
//	visit("A", layer 3) then edge("B", "C") and end in {"X", "Y"}
//
// Errors say at which character the text is wrong; Error.Caret points at it.
package where
