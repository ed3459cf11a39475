package maps

import (
	"fmt"
	"slices"
)

// Network says which ways of an OpenStreetMap file are streets, by their tag highway. The classes are those of OSMnx's
// networks of the same names, as far as that tag alone decides.
type Network int

// The networks.
const (
	AllWays Network = iota // every way with a tag highway: the default, and the paper's
	Drive                  // for cars, without driveways and service ways
	Walk                   // for people on foot
	Bike                   // for bicycles
)

var networkNames = []string{"all", "drive", "walk", "bike"}

// absent are classes of what is no street: planned, gone, or inside a building.
var absent = []string{"abandoned", "bus_guideway", "construction", "corridor", "elevator", "escalator", "no", "planned",
	"platform", "proposed", "raceway", "razed"}

// without are the classes that a network leaves out besides those that are absent.
var without = [...][]string{
	Drive: {"bridleway", "busway", "cycleway", "footway", "path", "pedestrian", "service", "steps", "track"},
	Walk:  {"cycleway", "motorway", "motorway_link"},
	Bike:  {"footway", "motorway", "motorway_link", "steps"},
}

// NetworkNames returns the names of the networks, that of AllWays first.
func NetworkNames() []string { return slices.Clone(networkNames) }

// ParseNetwork returns the network called name; the error lists the names.
func ParseNetwork(name string) (Network, error) {
	if i := slices.Index(networkNames, name); i >= 0 {
		return Network(i), nil
	}
	return 0, fmt.Errorf("datasets: network %q is none of %q", name, networkNames)
}

// String returns the network's name.
func (n Network) String() string {
	if n < 0 || int(n) >= len(networkNames) {
		return fmt.Sprintf("network %d", int(n))
	}
	return networkNames[n]
}

// has reports whether ways of a class are streets of the network.
func (n Network) has(class string) bool {
	return n == AllWays || !slices.Contains(absent, class) && !slices.Contains(without[n], class)
}
