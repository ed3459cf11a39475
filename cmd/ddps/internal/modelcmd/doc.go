// Package modelcmd has the commands of a model: quickstart, train, sample, view, explain, evaluate and score.
package modelcmd
