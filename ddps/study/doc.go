// Package study holds the studies behind the paper's figures and tables. A study is a list of grid points; the result
// of each is a row of a results table on disk, so that a study that was stopped resumes, and a larger one computes only
// what is missing.
//
//	table.go       results tables: CSV files of rows
//	guidance*.go   figures 4 to 6: reward and distances against the guidance scale; curve.go their curves
//	reward.go      the rewards of these figures, and how rare their maxima are
//	finding.go     what the paper states of the figures, compared with rows
//	steps.go       distance from the target against the number of reverse steps
//	demo.go        Toy and Heights from data to guided paths; quickstart.go runs them; nll.go negative log-likelihoods
//	cost.go        what runs of studies took
//
// Table 1 and figure 3, the comparison with the baselines, are in study/table1, higher-order dependence of models and
// baselines in study/memory. Nothing here prints or draws.
package study
