// Package table1 compares DDPS with the baselines EDP-GNN and SwinGNN: how many of their samples are paths (table 1)
// and how many are under guidance (figure 3).
//
//	table1.go      the study of table 1: methods.go its methods, measure.go a method's row
//	ddps.go, edpgnn.go, swingnn.go   the methods
//	validity*.go   valid rates against the guidance scale
//	baseline*.go   networks of the baselines, kept on disk by what they were trained with
//	finding.go     what the paper states, compared with rows
package table1
