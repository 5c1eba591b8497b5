package phalanx

// ElligatorSwift is an encoding of a public key in 64 bytes that look like noise (BIP-324). Any 64 bytes are one of some
// key, and each key has about 2^256 of them.
type ElligatorSwift [64]byte

// PublicKey is the key that the encoding stands for. Variable time.
func (e ElligatorSwift) PublicKey() PublicKey {
	var key PublicKey
	ellswiftDecode((*[64]byte)(&e), &key.encoded)
	return key
}

// ElligatorSwift is an encoding of the key, which looks like noise to whoever does not know the randomness. Variable time.
func (k PublicKey) ElligatorSwift(randomness [32]byte) (ElligatorSwift, error) {
	var encoding ElligatorSwift
	err := ellswiftEncode(&k.encoded, &randomness, (*[64]byte)(&encoding)).Err()
	return encoding, err
}

// ElligatorSwift is an encoding of the public key, which depends on the secret key and on auxiliary randomness. It looks like
// noise also where that is zero. Constant time.
func (k SecretKey) ElligatorSwift(auxiliary [32]byte) (ElligatorSwift, error) {
	var encoding ElligatorSwift
	if ellswiftCreate(k.bytes(), &auxiliary, (*[64]byte)(&encoding)) != Valid {
		return ElligatorSwift{}, ErrSecretKey
	}
	return encoding, nil
}

// SharedSecretBIP324 is the secret that BIP-324 makes of this key's encoding and the other party's. The initiator is who
// opened the connection. Constant time. It is returned as by [SecretKey.SharedSecret].
func (k SecretKey) SharedSecretBIP324(ours, theirs ElligatorSwift, initiator bool) (shared [32]byte, err error) {
	first, second := &ours, &theirs
	if !initiator {
		first, second = second, first
	}
	if ellswiftSecret((*[64]byte)(first), (*[64]byte)(second), k.bytes(), !initiator, &shared) != Valid {
		return [32]byte{}, ErrSecretKey
	}
	return shared, nil
}
