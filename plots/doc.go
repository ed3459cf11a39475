// Package plots draws the paper's figures and those the notebooks need. Numbers go in, a *plot.Plot of
// gonum.org/v1/plot comes out; [Figure] puts several side by side, [Save] and [Bytes] render.
//
//	figure 1 (§2.1)           [Graph]     a layered graph, paths highlighted, edge marginals as width
//	figure 2 (§2.1)           [Palm]      the transposed PALM of a path
//	figures 4, 5, 6 (§5)      [Sweep]     reward or distance against the guidance scale λ, λ = 0 included
//	                          [Pareto]    reward against distance, with the best that any sampler can do
//	                          [Training]  loss or gain against the training step
//	                          [Map]       sampled paths on a street map
//	                          [Edges]     how often paths take each edge, on the map or the graph
//	                          [Flow]      how paths run through the layers, for graphs without a map
//	                          [Multiples] several of these side by side, on one scale
//	                          [Bars]      distributions compared, with their sampling floors
//
// Every figure is a struct of plain numbers whose method Plot returns the plot, or an error for data that no
// picture can show; no data makes Plot or rendering panic. NaN is a gap in a curve; what lies off an axis (±Inf,
// or 0 on a logarithmic one) is a hollow triangle at its edge. Colours are Okabe and Ito's, which colour-blind
// readers tell apart. Sizes are meant for a width of 800 px ([Width] at 96 dots per inch).
package plots
