// Package lab is the project in short names, for live cells and the prompt, where they stand without the package's
// name, and for compiled cells as lab.Toy and so on:
//
//	data := must(All(must(Toy(1)), 10000)).Prune()
//	m := must(Train(data))
//	u := must(RandomReward(m.Graph, 4, 0))
//	must(Sample(m, 1000, How{Guide: "max", Reward: u}))
//
// Functions that can fail return an error as their last value. What takes time or shows something is a method of
// Lab; a session offers those of its own Lab as functions. The types are those of the packages below, under shorter
// names, and nothing is generic, since an interpreter could not see it.
package lab
