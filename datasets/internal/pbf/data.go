package pbf

import (
	"errors"
	"fmt"

	"github.com/paulmach/osm"

	"github.com/ddps-go/ddps/datasets/internal/osmway"
)

// block is one PrimitiveBlock: its string table, and the scale of coordinates
// (granularity and offsets in nanodegrees).
type block struct {
	strings        []string
	groups         [][]byte
	granularity    int64
	latOff, lonOff int64
}

func readData(data []byte, node func(*osm.Node), way func(*osm.Way)) error {
	b := block{granularity: 100}
	err := fields(data, func(f field) error {
		switch {
		case f.tag == 1 && f.wire == wireBytes:
			return fields(f.data, func(s field) error {
				b.strings = append(b.strings, string(s.data))
				return nil
			})
		case f.tag == 2 && f.wire == wireBytes:
			b.groups = append(b.groups, f.data)
		case f.tag == 17:
			b.granularity = int64(int32(f.num))
		case f.tag == 19:
			b.latOff = int64(f.num)
		case f.tag == 20:
			b.lonOff = int64(f.num)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, group := range b.groups {
		if err := b.readGroup(group, node, way); err != nil {
			return err
		}
	}
	return nil
}

func (b *block) readGroup(group []byte, node func(*osm.Node), way func(*osm.Way)) error {
	return fields(group, func(f field) error {
		switch {
		case f.wire != wireBytes:
			return nil
		case f.tag == 1 && node != nil:
			return b.readNode(f.data, node)
		case f.tag == 2 && node != nil:
			return b.readDense(f.data, node)
		case f.tag == 3 && way != nil:
			return b.readWay(f.data, node, way)
		}
		return nil
	})
}

func (b *block) degrees(off, v int64) float64 { return float64(off+b.granularity*v) / 1e9 }

func (b *block) text(i uint64) (string, error) {
	if i >= uint64(len(b.strings)) {
		return "", fmt.Errorf("string %d is not in the table of %d", i, len(b.strings))
	}
	return b.strings[i], nil
}

// tags pairs the string indices of keys and values.
func (b *block) tags(keys, vals []uint64) (osm.Tags, error) {
	if len(keys) != len(vals) {
		return nil, fmt.Errorf("%d keys and %d values", len(keys), len(vals))
	}
	tags := make(osm.Tags, len(keys))
	for i := range keys {
		k, err := b.text(keys[i])
		if err != nil {
			return nil, err
		}
		v, err := b.text(vals[i])
		if err != nil {
			return nil, err
		}
		tags[i] = osm.Tag{Key: k, Value: v}
	}
	return tags, nil
}

func (b *block) readNode(data []byte, node func(*osm.Node)) error {
	var id, lat, lon int64
	var keys, vals []uint64
	err := fields(data, func(f field) (err error) {
		switch f.tag {
		case 1:
			id = zigzag(f.num)
		case 2:
			keys, err = varints(keys, f)
		case 3:
			vals, err = varints(vals, f)
		case 8:
			lat = zigzag(f.num)
		case 9:
			lon = zigzag(f.num)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("node %d: %w", id, err)
	}
	tags, err := b.tags(keys, vals)
	if err != nil {
		return fmt.Errorf("node %d: %w", id, err)
	}
	node(&osm.Node{ID: osm.NodeID(id), Lat: b.degrees(b.latOff, lat), Lon: b.degrees(b.lonOff, lon), Tags: tags,
		Visible: true})
	return nil
}

// readDense reads a DenseNodes message: ids, latitudes and longitudes are
// differences, tags one list of key, value, …, 0 a node (empty: no tag at all).
func (b *block) readDense(data []byte, node func(*osm.Node)) error {
	var ids, lats, lons, kv []uint64
	err := fields(data, func(f field) (err error) {
		switch f.tag {
		case 1:
			ids, err = varints(ids, f)
		case 8:
			lats, err = varints(lats, f)
		case 9:
			lons, err = varints(lons, f)
		case 10:
			kv, err = varints(kv, f)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("dense nodes: %w", err)
	}
	if len(lats) != len(ids) || len(lons) != len(ids) {
		return fmt.Errorf("dense nodes: %d ids, %d latitudes, %d longitudes", len(ids), len(lats), len(lons))
	}
	tagged := len(kv) > 0
	var id, lat, lon int64
	for i := range ids {
		id, lat, lon = id+zigzag(ids[i]), lat+zigzag(lats[i]), lon+zigzag(lons[i])
		n := &osm.Node{ID: osm.NodeID(id), Lat: b.degrees(b.latOff, lat), Lon: b.degrees(b.lonOff, lon), Visible: true}
		if tagged {
			if n.Tags, kv, err = b.denseTags(kv); err != nil {
				return fmt.Errorf("node %d: %w", id, err)
			}
		}
		node(n)
	}
	return nil
}

// denseTags takes one node's tags off the front of kv.
func (b *block) denseTags(kv []uint64) (osm.Tags, []uint64, error) {
	var keys, vals []uint64
	for i := 0; i < len(kv); i += 2 {
		if kv[i] == 0 {
			tags, err := b.tags(keys, vals)
			return tags, kv[i+1:], err
		}
		if i+1 == len(kv) {
			break
		}
		keys, vals = append(keys, kv[i]), append(vals, kv[i+1])
	}
	return nil, nil, errors.New("its list of tags has no end")
}

// readWay reads a Way message, with its nodes' places where the file has locations on ways (fields 9 and 10).
func (b *block) readWay(data []byte, node func(*osm.Node), way func(*osm.Way)) error {
	var id, ref, lat, lon int64
	var keys, vals, refs, lats, lons []uint64
	err := fields(data, func(f field) (err error) {
		switch f.tag {
		case 1:
			id = int64(f.num)
		case 2:
			keys, err = varints(keys, f)
		case 3:
			vals, err = varints(vals, f)
		case 8:
			refs, err = varints(refs, f)
		case 9:
			lats, err = varints(lats, f)
		case 10:
			lons, err = varints(lons, f)
		}
		return err
	})
	if err == nil && len(refs) > maxRefs {
		err = fmt.Errorf("%d nodes, more than %d", len(refs), maxRefs)
	}
	if err == nil && (len(lats) != len(lons) || len(lats) > 0 && len(lats) != len(refs)) {
		err = fmt.Errorf("%d nodes, %d latitudes, %d longitudes", len(refs), len(lats), len(lons))
	}
	w := &osm.Way{ID: osm.WayID(id), Visible: true}
	if err == nil {
		w.Tags, err = b.tags(keys, vals)
	}
	if err != nil {
		return fmt.Errorf("way %d: %w", id, err)
	}
	numbers, points := make([]int64, len(refs)), make([]*osmway.Point, len(lats))
	for i, d := range refs {
		ref += zigzag(d)
		numbers[i] = ref
		if len(lats) > 0 {
			lat, lon = lat+zigzag(lats[i]), lon+zigzag(lons[i])
			points[i] = &osmway.Point{Lat: b.degrees(b.latOff, lat), Lon: b.degrees(b.lonOff, lon)}
		}
	}
	if w.Nodes, err = osmway.New(node).Nodes(numbers, points); err != nil {
		return fmt.Errorf("way %d: %w", id, err)
	}
	way(w)
	return nil
}
