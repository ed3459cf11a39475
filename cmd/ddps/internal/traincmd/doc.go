// Package traincmd has the commands that fit a model: train, and quickstart, which fits one and shows what it does.
package traincmd
