// Package shard splits work into n independent shards whose results, merged, are the bytes of one run.
//
//   - A Part i/n is a range of a numbered list: seed streams, grid points of a study, bytes of input files.
//   - A Job is what decides the bytes: program version, command, settings, and the content of inputs. Its Key names it.
//   - A Store is a directory or a bucket that holds objects: a shard of a job each, whole or absent, with a checksum.
//     There are no locks. Two workers on one shard write the same bytes under the same name.
//   - Sets groups the objects of a store by job; a Set says which shards are missing. Damaged objects are listed apart.
//
// Objects may cover several shards (From…To of Of): merging is associative, so that 10⁴ shards can be merged in rounds.
package shard
