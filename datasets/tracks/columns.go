package tracks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/header"
	"github.com/ddps-go/ddps/datasets/internal/table"
	"github.com/ddps-go/ddps/internal/names"
)

// role is what a column is for.
type role int

func (r role) String() string {
	return [...]string{"track", "time", "step", "lat", "lon", "place", "date", "latlon", "lonlat"}[r]
}

// trackColumns are the columns of a track file by role.
var trackColumns = []table.Column{
	{Name: "track", Also: append([]string{"track_id", "trip", "trip_id", "trajectory", "trajectory_id", "vehicle",
		"vehicle_id", "device", "device_id", "user", "user_id", "individual", "individual_id",
		"individual_local_identifier", "collar", "collar_id"}, header.EventColumns()[0].Also...)},
	{Name: "time", Also: []string{"timestamp", "datetime", "date_time", "base_date_time", "utc_time", "local_time",
		"date"}},
	{Name: "step", Also: []string{"layer"}},
	{Name: "lat", Also: []string{"latitude", "location_lat", "latitude[°]"}},
	{Name: "lon", Also: []string{"lng", "long", "longitude", "location_long", "longitude[°]"}},
	{Name: "place", Also: []string{"place_id", "node", "node_id", "stop", "stop_id", "vertex"}},
	{Name: "date", Also: []string{"day", "utc_date", "local_date"}},
	{Name: "latlon", Also: []string{"lat,lon", "lat,lng", "latlng", "latitude,longitude"}},
	{Name: "lonlat", Also: []string{"lon,lat", "lng,lat", "lnglat", "longitude,latitude"}},
}

// rolesOf finds columns by name; −1 is none.
func rolesOf(list []string) (at [roles]int, err error) {
	m, err := table.Header(list, trackColumns)
	if copy(at[:], m.At); at[roleDate] == at[roleTime] {
		at[roleDate] = -1
	}
	return at, err
}

// layout says which of the columns are used, and whether there are enough. Points go before places, times before steps.
func layout(at *[roles]int) error {
	points := at[roleLat] >= 0 && at[roleLon] >= 0
	if points {
		at[roleLatLon], at[roleLonLat] = -1, -1
	}
	points = points || at[roleLatLon] >= 0 || at[roleLonLat] >= 0
	switch {
	case points:
		at[rolePlace] = -1
	case at[rolePlace] >= 0:
		at[roleLat], at[roleLon] = -1, -1
	default:
		return fmt.Errorf("there are neither lat and lon nor place (or latitude, lng, longitude, latlon, node, stop)")
	}
	if at[roleTime] >= 0 {
		at[roleStep] = -1
	} else if points && at[roleStep] < 0 {
		return fmt.Errorf("there is no time, nor step (or timestamp, datetime, layer)")
	}
	return nil
}

// told says in words which column or key is used for what.
func told(at [roles]int, list []string) string {
	var words []string
	for r, i := range at {
		switch {
		case i >= 0 && list == nil:
			words = append(words, role(r).String())
		case i >= 0 && !strings.EqualFold(strings.TrimSpace(list[i]), role(r).String()):
			words = append(words, fmt.Sprintf("%s from %q", role(r), names.Normal(list[i])))
		case i >= 0:
			words = append(words, names.Normal(list[i]))
		}
	}
	if at[roleTrack] < 0 {
		words = append(words, "all one track")
	}
	text, left := strings.Join(words, ", "), []string(nil)
	for i, name := range list {
		if name = names.Normal(name); name != "" && !slices.Contains(at[:], i) {
			left = append(left, name)
		}
	}
	if len(left) > 0 {
		text += "; not used: " + strings.Join(left, ", ")
	}
	return text
}
