// Package datasets makes the data of the paper's experiments and reads a user's
// own (the paper §5 and appendix, Data).
//
//   - Toy and RQ1: random layered graphs with half of all edges; All lists their
//     paths.
//   - Heights and Ridge: a street map unrolled in time. ReadMap reads a
//     map file as a World, Merge and Split tidy it, Expand unrolls it;
//     Draw takes paths and Memory repeats them.
//   - Districts, DistrictLaw and RevisitLaw: features that need memory to get
//     right; RewardInstance and RareReward: the rewards of §5.2.
//   - DNA: the paper's other example, lattices of letters (§2.1); PromoterLaw and
//     Promoters: sequences with a memory.
//   - ReadTracks and MatchTracks: paths of what was seen, GPS points with times or
//     places in order.
//   - ReadMap also reads Overpass JSON, GraphML, GTFS and lists of edges, told apart
//     by content; Timetable unrolls a GTFS feed by its times; City makes streets up.
//   - ReadPathFile, ReadCSV, ReadJSONL, ReadParquet, ReadFASTA and the writers of
//     Data: path files; NewPathWriter writes any number of paths one by one, GeoJSON
//     too.
//   - ReadGraph and WriteGraph: layered graphs as JSON, GraphML, DOT.
//
// Vertices, layers and edges are numbered as in package ddps, from 0. Lengths
// are metres, coordinates degrees (WGS 84) unless a name says X, Y. All
// randomness comes from the seeds given (ddps.Rand): equal arguments give equal
// results. Errors start with "datasets:" and name the file, line, vertex or field.
//
// The map that ships (maps/helsinki.osm.pbf) is © OpenStreetMap contributors,
// ODbL 1.0.
package datasets
