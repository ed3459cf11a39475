// Package reproducecmd is the command ddps reproduce: the paper's tables and figures, and the report of a directory of
// them.
package reproducecmd
