// libsecp256k1 as a binding through cgo calls it: a call into C for each function of the library. The package of the crate
// secp256k1-sys, where the source is from, begins its names with rustsecp256k1_v0_14_.
package main

// #cgo CFLAGS: -DECMULT_WINDOW_SIZE=15 -DCOMB_BLOCKS=43 -DCOMB_TEETH=6 -DENABLE_MODULE_ECDH=1
// #cgo CFLAGS: -DENABLE_MODULE_RECOVERY=1 -DENABLE_MODULE_EXTRAKEYS=1 -DENABLE_MODULE_SCHNORRSIG=1
// #include <stdlib.h>
// #include <secp256k1.h>
// #include <secp256k1_ecdh.h>
// #include <secp256k1_extrakeys.h>
// #include <secp256k1_preallocated.h>
// #include <secp256k1_recovery.h>
// #include <secp256k1_schnorrsig.h>
// static const rustsecp256k1_v0_14_context *lab_context(void) {
//     void *memory = malloc(rustsecp256k1_v0_14_context_preallocated_size(SECP256K1_CONTEXT_NONE));
//     return rustsecp256k1_v0_14_context_preallocated_create(memory, SECP256K1_CONTEXT_NONE);
// }
import "C"

import (
	"unsafe"

	"phalanx.lab/abi"
)

// Contexts are never destroyed: the program has one.
var context = C.lab_context()

func main() {
	abi.Spare = 1
	abi.Serve("libsecp256k1", abi.Schemes(map[string]abi.Scheme{
		"verify-ecdsa": abi.Verify(func(row []byte) bool {
			var key C.rustsecp256k1_v0_14_pubkey
			var signature C.rustsecp256k1_v0_14_ecdsa_signature
			return parse(&key, row[96:]) &&
				C.rustsecp256k1_v0_14_ecdsa_signature_parse_compact(context, &signature, bytes(row[32:])) == 1 &&
				C.rustsecp256k1_v0_14_ecdsa_verify(context, &signature, bytes(row), &key) == 1
		}),
		"verify-schnorr": abi.Verify(func(row []byte) bool {
			var key C.rustsecp256k1_v0_14_xonly_pubkey
			return C.rustsecp256k1_v0_14_xonly_pubkey_parse(context, &key, bytes(row[96:])) == 1 &&
				C.rustsecp256k1_v0_14_schnorrsig_verify(context, bytes(row[32:]), bytes(row), 32, &key) == 1
		}),
		"recover": abi.Each(33, func(row, out []byte) {
			var signature C.rustsecp256k1_v0_14_ecdsa_recoverable_signature
			var key C.rustsecp256k1_v0_14_pubkey
			parsed := C.rustsecp256k1_v0_14_ecdsa_recoverable_signature_parse_compact(context, &signature, bytes(row[32:]),
				C.int(row[96]))
			if parsed == 1 && C.rustsecp256k1_v0_14_ecdsa_recover(context, &key, &signature, bytes(row)) == 1 {
				serialize(out, &key)
			}
		}),
		"public-key": abi.Each(33, func(row, out []byte) {
			var key C.rustsecp256k1_v0_14_pubkey
			must(C.rustsecp256k1_v0_14_ec_pubkey_create(context, &key, bytes(row)))
			serialize(out, &key)
		}),
		"sign-ecdsa": abi.Each(64, func(row, out []byte) {
			var signature C.rustsecp256k1_v0_14_ecdsa_signature
			must(C.rustsecp256k1_v0_14_ecdsa_sign(context, &signature, bytes(row), bytes(row[32:]), nil, nil))
			C.rustsecp256k1_v0_14_ecdsa_signature_serialize_compact(context, bytes(out), &signature)
		}),
		"sign-schnorr": abi.SignSchnorr(func(secret []byte) (pair C.rustsecp256k1_v0_14_keypair) {
			must(C.rustsecp256k1_v0_14_keypair_create(context, &pair, bytes(secret)))
			return pair
		}, func(pair *C.rustsecp256k1_v0_14_keypair, message, auxiliary, out []byte) {
			must(C.rustsecp256k1_v0_14_schnorrsig_sign32(context, bytes(out), bytes(message), pair, bytes(auxiliary)))
		}),
		"challenge": abi.Each(32, func(row, out []byte) {
			C.rustsecp256k1_v0_14_tagged_sha256(context, bytes(out), bytes(tag), C.size_t(len(tag)), bytes(row), C.size_t(len(row)))
		}),
		"ecdh": abi.Each(32, func(row, out []byte) {
			var key C.rustsecp256k1_v0_14_pubkey
			if parse(&key, row[:33]) {
				must(C.rustsecp256k1_v0_14_ecdh(context, bytes(out), &key, bytes(row[33:]), nil, nil))
			}
		}),
	}))
}

var tag = []byte("BIP0340/challenge")

func bytes(slice []byte) *C.uchar {
	return (*C.uchar)(unsafe.Pointer(unsafe.SliceData(slice)))
}

func parse(key *C.rustsecp256k1_v0_14_pubkey, encoded []byte) bool {
	return C.rustsecp256k1_v0_14_ec_pubkey_parse(context, key, bytes(encoded), C.size_t(len(encoded))) == 1
}

func serialize(out []byte, key *C.rustsecp256k1_v0_14_pubkey) {
	length := C.size_t(len(out))
	C.rustsecp256k1_v0_14_ec_pubkey_serialize(context, bytes(out), &length, key, C.SECP256K1_EC_COMPRESSED)
}

func must(result C.int) {
	if result != 1 {
		panic("libsecp256k1 refuses a valid input")
	}
}
