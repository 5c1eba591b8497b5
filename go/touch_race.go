//go:build race && (amd64 || arm64) && !purego

package phalanx

import (
	"runtime"
	"unsafe"
)

// The race detector does not see what the image reads and writes, and so Go tells it.

func touchRead(data unsafe.Pointer, bytes uintptr) {
	if bytes > 0 {
		runtime.RaceReadRange(data, int(bytes))
	}
}

func touchWrite(data unsafe.Pointer, bytes uintptr) {
	if bytes > 0 {
		runtime.RaceWriteRange(data, int(bytes))
	}
}
