//go:build !cgo

package main

// addCgo adds nothing without cgo.
func addCgo(contests []contest, _ sample) []contest { return contests }
