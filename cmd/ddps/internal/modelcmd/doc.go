// Package modelcmd has the commands of a model: sample, view, explain, evaluate, predict and score.
package modelcmd
