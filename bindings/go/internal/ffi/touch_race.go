//go:build race && (amd64 || arm64) && !purego

package ffi

import (
	"runtime"
	"unsafe"
)

// The race detector does not see what an image reads and writes, and so Go tells it.

// TouchRead tells the race detector that an image reads.
func TouchRead(data unsafe.Pointer, bytes uintptr) {
	if bytes > 0 {
		runtime.RaceReadRange(data, int(bytes))
	}
}

// TouchWrite tells it that an image writes.
func TouchWrite(data unsafe.Pointer, bytes uintptr) {
	if bytes > 0 {
		runtime.RaceWriteRange(data, int(bytes))
	}
}
