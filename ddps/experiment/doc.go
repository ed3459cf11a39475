// Package experiment puts the parts together: runs kept in folders, guides by name, path laws compared with
// their targets and sampling floors, the quickstart.
//
//	config.go    what a run is made of, as TOML
//	preset.go    quick and the paper's size
//	create.go    making a run folder, whole or not at all
//	run.go       the run folder: lock, checkpoints, model
//	train.go     training in a run folder, with resuming; fit.go without a network; tune.go what held-out paths choose
//	log.go       a run's log
//	shipped.go   the models that come with the program
//	plan.go      what training will take, before it begins
//	guide.go     the guides of package guide by name
//	target.go    the exact law that samples are held against
//	compare.go   rows of distances with their floors
//	evaluate.go  every metric of a sample with its floor
//	nats.go      held-out likelihoods
//	sweep.go     reward and distances against a guide's strength
//	sets.go      samples to look at side by side
//	front.go     the best trade-off that there is
//	listed.go    laws of listed paths, and of all paths of a map
//	mixture.go   a mixture of chains given a condition
//	explain.go   what a condition asks of paths
//	recall.go    how much of a law's memory is learnt; recallmean.go over seeds
//	table1*.go   table 1: how often methods draw a path
//	communities*.go  graphs of two communities, which EDP-GNN learns as published; rival_edpgnn.go EDP-GNN in studies
//	rival.go     networks of the rivals, kept by what they were made from; swin.go, validity.go valid rates under guidance
//	watch.go     who is told how far a study is
//	quickstart.go Toy and Heights from data to guided paths
//
// Nothing here prints or draws: results are typed, and cmd/ddps, plots and the notebooks show them.
package experiment
