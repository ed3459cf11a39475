package maps

import (
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/gtfs"
)

// readStopZip is readStopGraph of a zip.
func readStopZip(name string, r io.Reader, o Options) (*World, error) {
	feed, err := gtfs.Zip(r)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", name, err)
	}
	return stopGraph(name, feed, o)
}

// readStopGraph makes a world of a feed's files.
func readStopGraph(name string, files fs.FS, o Options) (*World, error) {
	feed, err := gtfs.Read(files)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", name, err)
	}
	return stopGraph(name, feed, o)
}

// stopGraph makes a world of a feed: a node for each stop, served or not, and an
// edge from each stop of some trip to the next one, of the length of the straight
// line. All days and times are taken together.
func stopGraph(name string, feed *gtfs.Feed, o Options) (*World, error) {
	number := newNumbering()
	for _, s := range feed.Stops {
		if i, known := number.add(s.ID, s.Lon, s.Lat); !known {
			number.nodes[i].Title = streetName(s.Name)
		}
	}
	var edges []Edge
	seen := map[[2]int]bool{}
	repeated := 0
	for _, t := range feed.Trips {
		for k := 1; k < len(t.Calls); k++ {
			hop := [2]int{t.Calls[k-1].Stop, t.Calls[k].Stop}
			if hop[0] < 0 || hop[1] < 0 {
				continue
			}
			if seen[hop] {
				repeated++
				continue
			}
			seen[hop] = true
			edges = append(edges, Edge{From: hop[0], To: hop[1], Length: math.NaN()})
		}
	}
	if len(edges) == 0 {
		return nil, fmt.Errorf("datasets: %s: gtfs: no trip with two stops; %d calls at stops or of trips that are not in "+
			"the feed", name, feed.Missing)
	}
	w, err := number.world(edges, o.Direction != Undirected, false, feed.Missing)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", name, err)
	}
	w.Skipped.Duplicates += repeated
	w.Notes = feed.Notes()
	credit(w.Attr, feed)
	return w, nil
}

// credit names those whose feed it is.
func credit(attr map[string]string, feed *gtfs.Feed) {
	if len(feed.Agencies) > 0 {
		attr["attribution"] = strings.Join(feed.Agencies, ", ")
		attr["licence"] = "its publisher's terms"
	}
}
