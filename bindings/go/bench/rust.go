package main

import (
	"fmt"
	"os/exec"
)

// addRust adds the library in Rust to the contest of bulk verification: a process that measures itself for each line that
// it reads.
func addRust(contests []contest, program string) {
	command := exec.Command(program, "rate")
	in := must(command.StdinPipe())
	out := must(command.StdoutPipe())
	check(command.Start() == nil)
	peer := func() (nanoseconds float64) {
		must(fmt.Fprintln(in))
		must(fmt.Fscan(out, &nanoseconds))
		return nanoseconds
	}
	for i, contest := range contests {
		if contest.name == "bulk verify" {
			contests[i].contenders = append(contest.contenders, contender{name: "Rust", peer: peer})
		}
	}
}
