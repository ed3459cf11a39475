// Package ddps holds the nouns of "DDPS: Discrete Diffusion Posterior Sampling for Paths in Layered Graphs" (Luan,
// Ng and Ling 2025) in plain Go: layered graph, path, PALM and reward. It imports the standard library only. What
// follows is how the whole module is built on it.
//
// # Principles
//
//   - A path is never repaired. The model draws a PALM, one out-edge per vertex, and every PALM is a path.
//   - The reverse loop is plain Go on the host over flat arrays by edge, so that kernels, guides and conditions
//     can be compared with enumeration. GoMLX trains the U-Net and the baselines, and runs the
//     same loop on a device, tested against the host's; it is seen nowhere else.
//   - A variant is another function of the same type (d3pm.Kernel, guide.Gradient, guide.Condition).
//   - Random numbers come from seeds that are arguments ([Rand]), one stream per item: the same seed gives the same
//     bytes, whatever the batch size and the number of threads.
//   - Bad data is an error where it enters (New, Read…, Load), and names what is wrong.
//
// # Sections of the paper
//
//	§2.1 Definition 1, layered graph; Definition 2, path     graph.go path.go json.go
//	§2.1 DNA sequences as paths                              letters.go ../datasets/dna.go
//	§3   Definition 3, PALM                                  palm.go
//	§3   forward process, reverse steps, loss, sampling      d3pm/
//	§4   rewards, Algorithms 1 and 2, Eq. 7                  reward.go guide/ d3pm/sampler.go (the loop of
//	                                                         Algorithm 2) d3pm/kernel.go (its line 7)
//	§5.1 valid rate, and what invalid samples are            metrics/sample.go baselines/check.go
//	§5.1 the baselines EDP-GNN and SwinGNN                   baselines/edpgnn/ baselines/swingnn/
//	§5.3 and appendix, Metrics: distances                    metrics/
//	§5 and appendix, Data                                    ../datasets/
//	§5   runs, targets, tables, figures                      run/ compare/ study/
//	all figures                                              ../plots/
//	a page to browse samples                                 ../plots/page/
//	beyond: exact posterior of a chain, conditioning         chain/ guide/condition.go guide/where/ d3pm/bound.go
//	beyond: distributions with memory, particles             mixture/ chain/distribution.go d3pm/particles.go
//	beyond: real paths, their models and questions           markov/ net/gru/ stack/ query/
//	beyond: sums of shards that add up in any order          em/ exactsum/ shard/
//	many samples at a time; on a backend                     internal/fast/ internal/xla/ internal/reverse/
//	networks' training on GoMLX, backends                    internal/engine/ plugin/ internal/backend/ internal/probe/
//
// # Where to begin reading
//
//	a path's PALM                     palm.go                           Encode
//	noise, Eq. 1                      d3pm/forward.go                   Noise
//	the reverse step of Eq. 2         d3pm/kernel.go                    eq2
//	the training loss L_γ, Eq. 4      net/loss.go                       Loss
//	Algorithm 1, expected reward      guide/expected.go                 Expected
//	its gradient, Eq. 6               guide/gradient.go                 NewGradient
//	Algorithm 2, guided sampling      d3pm/sampler.go                   reverse
//	a condition's product graph       guide/product.go                  Product
//	the bound on −log p               d3pm/bound.go                     Score
//	table 1                           study/table1/table1.go            Run
//	figure 5, its rows                study/guidance_run.go             Run
//	figure 5, drawn                   ../plots/paper/guidance.go        GuidanceFigure
//	a live cell, in the kernel        ../kernelext/kernel/execute.go    runCell
//	  → evaluated                     ../kernelext/live/session.go      EvalCell
//	  → its value shown               ../kernelext/live/show.go         show
//	  → on the screen, its last value ../kernelext/kernel/screen.go     Result
//	  → and what it shows else        ../kernelext/kernel/screen.go     Display
//
// # Arrows
//
// A package imports only what is to the left of it, which a test of the module reads off the sources:
//
//	ddps ← chain ← d3pm ← internal/{fast, xla} ← model ← {train, query} ← run ← study ← cmd
//	       chain ← mixture ← {net, guide, datasets, stack}, chain ← markov ← stack ← model, chain ← {metrics, baselines}
//	ddps ← plots ← cmd
//
// Packages d3pm and guide do not know each other: they meet in d3pm.Guide and d3pm.Condition. Package
// plots sees numbers and graphs, never a tensor, and d3pm sees no file, and of a reward no more than numbers by edge
// where a backend is to follow their gradient (guide.RewardGradient). Package d3pm knows no network and no model:
// an engine (d3pm.Engine) draws in its place, with the same results, and model.Model.Sampler picks it.
//
// # A training step
//
//	paths with counts     ../datasets/data.go          Data
//	a path by weight      train/source.go              Source.Fill: draws it, and a time t in 1…T
//	  → PALM              palm.go                      Encode: off-path rows anew, uniform
//	  → x_t               d3pm/forward.go              Noise; q(x_{t−1} | x_t, x_0) on the path's rows
//	chain's log posterior chain/denoiser.go            what a residual network corrects
//	  → loss, gradient    net/loss.go                  Network.LossGrad: L_γ, on-path rows only
//	  → weights           internal/engine/optim.go     AdamW, clipping, EMA
//	loop, checkpoints     train/train.go, run/train.go
//
// # A reverse step t → s
//
//	x_t                   d3pm/sampler.go              Scalar.reverse, the paper's Algorithm 2; x_T uniform
//	  → π                 model/model.go               Model.Posterior: rows p̃_θ(x̃_0 | x_t)
//	  → π given y         guide/condition.go           Condition.Tilt, if conditioned exactly
//	  → rows of x_s       d3pm/kernel.go               Joint, Occupancy, Eq2, Austin or Algorithm2
//	  + λ ∇_z R̄           guide/gradient.go            the paper's guidance; λ in d3pm/scalar.go (guide)
//	  → x_s               d3pm/scalar.go               each row drawn
//	x_0 → path            palm.go                      Decode
package ddps
