//go:build !(amd64 || arm64) || purego

package phalanx

import (
	"encoding/binary"

	"phalanx.example/phalanx/internal/pure"
)

func silentLabel(scan *[32]byte, label uint32, tweak *[32]byte) Verdict {
	return verdictOf(pure.SilentLabel(scan, label, tweak))
}

func silentTweak(point []byte, scan *[32]byte, k uint32, tweak *[32]byte) Verdict {
	return verdictOf(pure.SilentTweak(point, scan, k, tweak))
}

// find says which of some rows have the first output of the scanner. A scan secret that is none makes them malformed.
func (r *SilentRows) find(scanner *Scanner, first int, pays []bool, verdicts []Verdict, _ *workspace) {
	for i := range verdicts {
		var tweak [32]byte
		verdicts[i] = silentTweak(r.Points.row(first+i), scanner.scan.bytes(), 0, &tweak)
		pays[i] = verdicts[i] == Valid && r.paysOne(first+i, scanner.keys, &tweak)
		wipe(tweak[:])
	}
}

// paysOne says whether an output of the row begins as one of the keys plus the tweak.
func (r *SilentRows) paysOne(row int, keys []PublicKey, tweak *[32]byte) bool {
	for i := range keys {
		var sum [65]byte
		if tweakPublic(&keys[i].encoded, tweak, &sum) != Valid {
			continue
		}
		prefix := binary.BigEndian.Uint64(sum[1:9])
		for output := r.Offsets[row]; output < r.Offsets[row+1]; output++ {
			if r.prefix(int(output)) == prefix {
				return true
			}
		}
	}
	return false
}
