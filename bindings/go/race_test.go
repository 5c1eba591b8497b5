//go:build race

package phalanx

// raceDetector says that this is a build for the race detector.
const raceDetector = true
