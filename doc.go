// Package ddps is the root of the module, and has no code of its own: its example goes from a graph to guided paths.
// Begin with these:
//
//	ddps          layered graph, path, PALM and reward, and a guide to the module
//	datasets      the paper's data, rewards; datasets/maps, pathfile, sequences, tracks read your own
//	ddps/run      Fit: the recommended model of data, in one call; run directories
//	ddps/model    Model: Sampler, LogProb, Save and Load
//	ddps/guide    reward gradients and exact conditions; ddps/guide/where conditions as text
//	ddps/query    how likely a condition is, the most likely paths, the next vertex
//	ddps/d3pm     the method: noise, reverse steps, sampler, bound
//
// Commands are in cmd/ddps.
package ddps
