// Package remains has tests alone: what calls leave of secrets in memory and in registers. Each operation on secrets runs in
// a process of its own, which then searches all memory that it can write.
package residue
