// Package gonb runs GoNB behind the kernel: its process (Compiler), the directory of scripts that it finds before Go's
// tools, and the Shim between it and a cell's programs. GoNB calls every program's end a success; the Shim notes each
// bad end as an Outcome in a journal. A guard ends what is left when the kernel is gone.
package gonb
