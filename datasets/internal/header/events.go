package header

import "github.com/ddps-go/ddps/datasets/internal/table"

// Events returns the columns of an event log: case, time and place.
func Events() []table.Column {
	return []table.Column{
		{
			Name: "case",
			Must: true,
			Also: []string{"case_id", "case:concept:name", "walk", "walk_id", "sequence", "sequence_id", "track",
				"track_id", "trip", "trip_id", "trajectory", "trajectory_id", "session", "session_id", "patient", "patient_id",
				"person",
				"person_id", "user", "user_id", "customer", "customer_id", "vehicle", "vehicle_id", "device", "device_id",
				"trace",
				"trace_id", "id"},
		},
		{
			Name: "time",
			Also: []string{"timestamp", "time:timestamp", "complete_timestamp", "start_timestamp", "datetime", "date_time",
				"date", "step", "position", "order", "index", "seq", "layer", "t", "event_time", "event_timestamp",
				"stop_sequence", "sequence_number"},
		},
		{
			Name: "place",
			Must: true,
			Also: []string{"activity", "concept:name", "event", "place_id", "node", "node_id", "stop", "stop_id",
				"station", "station_id", "page", "url", "state", "location", "location_id", "vertex", "link", "link_id",
				"edge", "airport",
				"item", "token"},
		},
	}
}
