// Package datasets makes the data of the paper's experiments (the paper §5 and appendix, Data); the packages below it
// read a user's own.
//
//   - Toy and RQ1: random layered graphs with half of all edges; All lists their
//     paths.
//   - Heights and Ridge: the shipped street map (Helsinki) unrolled in time; Draw takes
//     paths and Memory repeats them.
//   - City: streets made up, for a map of any size.
//   - Districts, DistrictDistribution and RevisitDistribution: features that need memory to get
//     right; RewardInstance and RareReward: the rewards of §5.2.
//   - DNA: the paper's other example, lattices of letters (§2.1); PromoterDistribution and
//     Promoters: sequences with a memory.
//   - Data: weighted paths of a graph; a Collector builds them path by path.
//   - Package maps: maps and timetables of many formats, and the layered graphs made of them.
//   - Package pathfile: files of paths, graphs and rewards.
//   - Package tracks: paths of GPS tracks and of lists of places.
//
// Vertices, layers and edges are numbered as in package ddps, from 0. Lengths
// are metres, coordinates degrees (WGS 84) unless a name says X, Y. All
// randomness comes from the seeds given (ddps.Rand): equal arguments give equal
// results. Errors of this package and of those below start with "datasets:" and name the file, line, vertex or field.
//
// The map that ships (maps/helsinki.osm.pbf) is © OpenStreetMap contributors,
// ODbL 1.0.
package datasets
