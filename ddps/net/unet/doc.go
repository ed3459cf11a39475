// Package unet is a U-Net over the vertices of a layered graph, the kind of network that the paper uses (§5).
//
//	unet.go config.go walk.go   the network, its weights and settings; its walk, generic over two kinds of feature maps
//	forward.go layers.go        inference in plain Go, vec.Lanes samples together
//	graph.go train.go           the network and its loss as a GoMLX graph, to train
//	device.go step.go           inference and reverse steps on a backend
package unet
