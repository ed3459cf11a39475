// Package where is the text form of conditions on paths:
//
//	condition = and { "or" and }
//	and       = not { "and" not }
//	not       = "not" not | "(" condition ")" | term
//	term      = stop { "then" stop }                         each at a later step than the one before
//	          | stop "within" n "of" stop                    at most n steps apart, in either order
//	          | "visits" "(" ( places | edge ) [ window ] ")" op n     at how many steps
//	          | "before" "(" places "," places ")"           both, the first visit to the one before that to the other
//	          | "stay" "(" places ")" op ( n | H:MM )        the longest run of layers there, or how long it lasts
//	          | "avoid" "(" ( places | edge ) [ window ] ")"
//	          | "avoid" "(" motif ")"
//	          | ( "start" | "end" ) ( "in" places | "(" places ")" )
//	          | "returns"                                    the last place is the first
//	          | "length" ( n [ ".." n ] | op n )             vertices, but for a source and END
//	          | "regex" "(" 'pattern' ")"                     the whole path fits it
//	          | motif                                        on a lattice of DNA
//	          | "max" "(" total ")"                          the greatest total that any path has
//	          | total op number                              a total of the path
//	          | "gc" op number "%"                           the same, of a hundred letters
//	          | "boltzmann" "(" number [ "," total ] ")"     weights exp(number · total), of the reward by default
//	stop      = "visit" "(" places [ window ] ")" | edge
//	edge      = "edge" "(" place "," place [ window ] ")"
//	window    = "," ( "layer" n [ ".." n ] | H:MM ".." H:MM )
//	motif     = "motif" "(" "pattern" [ "," [ "at" ] n ] ")" n the position of the first letter, any if there is none
//	op        = ">=" | "<=" | "=" | ">" | "<"
//	places    = place | "{" place { "," place } "}"          any of them
//	place     = "name" | "place" number | "vertex" number | "file" "(" "name" ")"
//
// A total is what numbers by edge add up to along a path: reward, cost, or what else the caller has. A name stands for
// all vertices so called (ddps.LayeredGraph.Name), in whatever layer, or for those that it is an alias of (Env), place
// for all copies of a place of the world, vertex for the one of that number in the graph as it was given
// (ddps.LayeredGraph.ID), and file for all that a file lists, a name a line. Layers count from 1, as in the paper; that
// of an edge is its tail's. Text in quotes is written as in Go. Words are in small letters.
//
// Times are those of layers where the graph's attributes have them: slot, the seconds from layer to layer, and from,
// that of the first, as maps.Timetable writes them, or of layer from_layer, counted from 0, where there is a
// source. A stay of n layers lasts n − 1 slots.
//
// A pattern is a regular expression: parts side by side follow each other, | is or, * + ? {m} {m,n} {m,} repeat, . is
// any vertex, [A B] any of several, [^A B] any but these, brackets group. In regex the parts are names, with white
// space between them, those with other characters in double quotes; in motif they are letters.
//
// A first vertex called source and vertices called END are no places: start, end, returns, length and regex leave them
// out, and what is on the way between two places. A path that is on the way in the last layer ends at no place and does
// not return.
//
// Where the vertices are called A, C, G and T (ddps.LayeredGraph.Letters), a motif's letters may be IUPAC's codes, R
// for A or G, N for any, positions count letters from 1, and the total gc is how many of them are G or C, or with % how
// many in a hundred. Examples:
//
//	max(reward)
//	reward >= 3 and cost <= 12
//	visit("Dock 4", 8:10..8:30) and not (visit("Gate 2") or visits("Gate 3") > 1)
//	motif("TTGACA.{15,19}TATAAT") and avoid(motif("GAATTC")) and gc <= 18
//	visit("A", layer 3) then edge("B", "C") and end in {"X", "Y"}
//	regex('A (B|C)* D')
//
// Every condition is a regular language over the graph's edges: each term is read as an automaton, and package guide's
// decision diagrams join them, so that what is equal is one and nothing is met that lies on no path. Errors say at
// which character the text is wrong, and how it is written; Error.Caret points at it.
package where
