// Package tracks makes paths of what was seen: GPS points with times, or places in order.
//
// Read reads GPX, separated text and JSON Lines as Tracks, lists of fixes. Match finds, for each track, the most likely
// path of a layered graph of places, and accounts for every fix and every track in a Report. Errors start with
// "datasets:" and name the file and line.
package tracks
