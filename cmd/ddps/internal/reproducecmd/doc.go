// Package reproducecmd is the command ddps reproduce: the paper's tables and figures, and the report of a folder of them.
package reproducecmd
