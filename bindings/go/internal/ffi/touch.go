//go:build !race && (amd64 || arm64) && !purego

package ffi

import "unsafe"

// TouchRead tells the race detector that an image reads.
func TouchRead(unsafe.Pointer, uintptr) {}

// TouchWrite tells it that an image writes.
func TouchWrite(unsafe.Pointer, uintptr) {}
