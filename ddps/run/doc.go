// Package run keeps training runs in directories, and fits models to data.
//
//	config.go          the settings of a run, as TOML; preset.go those that suit a graph
//	preset.go          the sizes quick and paper, and the paper's data
//	create.go          makes a run directory, whole or not at all
//	run.go             the run directory: lock, model; checkpoints.go what training left in it
//	split.go           training and validation paths; train.go training with resuming; fit.go without a network
//	tune.go            settings chosen on the validation set; mixture_search.go those of a mixture
//	log.go             the log of a run
//	plan.go            what training will take, before it begins
//	shipped.go         the models that come with the program
//	sets.go            samples under several guides
//	progress.go        progress of long work
//
// Nothing here prints or draws.
package run
