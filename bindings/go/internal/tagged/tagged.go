// Package tagged has the tagged hash of BIP-340, which wipes nothing. Pure Go hashes secrets by it, too.
package tagged

import "crypto/sha256"

// Hash is SHA-256 of the tag's hash, twice, and of the parts.
func Hash(tag string, parts ...[]byte) [32]byte {
	name := sha256.Sum256([]byte(tag))
	hash := sha256.New()
	hash.Write(name[:])
	hash.Write(name[:])
	for _, part := range parts {
		hash.Write(part)
	}
	return [32]byte(hash.Sum(nil))
}
