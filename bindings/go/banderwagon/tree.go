package banderwagon

import "context"

// lengthMarker is 2 + 256 * 64, the first scalar of a hash of 64 bytes.
const lengthMarker = 2 + 256*64

// Place is where a tree keeps a value: the account's address, in 32 bytes of which an address of 20 has twelve zeros in
// front, which leaf of the account, in 32 little-endian bytes, and which value of that leaf. (EIP-6800, "Tree embedding".)
type Place struct {
	Address   [32]byte
	TreeIndex [32]byte
	SubIndex  byte
}

// Header is the place of a value of an account's header: 0 is its basic data, 1 the hash of its code.
func Header(address [32]byte, subIndex byte) Place {
	return Place{Address: address, SubIndex: subIndex}
}

// CodeChunk is the place of a chunk of 31 bytes of code.
func CodeChunk(address [32]byte, chunk uint64) Place {
	place := Place{Address: address, SubIndex: byte(chunk + 128)}
	index := chunk>>8 + (chunk&0xff+128)>>8
	for i := range 8 {
		place.TreeIndex[i] = byte(index >> (8 * i))
	}
	return place
}

// StorageSlot is the place of a slot of the storage, by its number in 32 big-endian bytes as the Ethereum virtual machine has
// it.
func StorageSlot(address, slot [32]byte) Place {
	place := Place{Address: address, SubIndex: slot[31]}
	if [31]byte(slot[:31]) == ([31]byte{}) && slot[31] < 64 {
		place.SubIndex += 64
		return place
	}
	// The place is slot + 256^31, and the tree index that without its last byte.
	for i := range 31 {
		place.TreeIndex[i] = slot[30-i]
	}
	place.TreeIndex[30]++
	if place.TreeIndex[30] == 0 {
		place.TreeIndex[31] = 1
	}
	return place
}

// terms are those of the hash of a place, but for the one that all have in common.
func (p *Place) terms() []Term {
	return []Term{
		{1, half(p.Address[:])}, {2, half(p.Address[16:])}, {3, half(p.TreeIndex[:])}, {4, half(p.TreeIndex[16:])},
	}
}

func (p *Place) key(hash Scalar) [32]byte {
	key := hash.Bytes()
	key[31] = p.SubIndex
	return key
}

// TreeKey is the key of a place: the Pedersen hash of address and tree index, with the sub-index as its last byte. The
// tables must be over at least five elements, and for Ethereum's keys over the Verkle basis.
func (t *Tables) TreeKey(place Place) ([32]byte, error) {
	var hash [1]Scalar
	err := t.one(place.terms(), work{offsets: []Element{t.first}, scalars: hash[:]})
	if err != nil {
		return [32]byte{}, err
	}
	return place.key(hash[0]), nil
}

// TreeKeys writes the key of each place. Many at once are faster than one after the other.
func (t *Tables) TreeKeys(ctx context.Context, places []Place, keys [][32]byte) error {
	if len(places) != len(keys) {
		return ErrCount
	}
	clear(keys)
	vectors := make([][]Term, len(places))
	for i := range places {
		vectors[i] = places[i].terms()
	}
	hashes := make([]Scalar, len(places))
	if err := t.many(ctx, vectors, work{offsets: []Element{t.first}, scalars: hashes}); err != nil {
		return err
	}
	for i := range places {
		keys[i] = places[i].key(hashes[i])
	}
	return nil
}
