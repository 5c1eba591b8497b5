//go:build !(amd64 || arm64) || purego

package phalanx

import (
	"os"
	"sync"

	"phalanx.example/phalanx/internal/pure"
)

// The functions of this file are those of compute_image.go, by pure Go.

// pureMachine is the name of the one backend that there is.
const pureMachine = "pure"

// refused is why bulk calls are: the environment names another backend.
var refused = sync.OnceValue(func() error {
	if name := os.Getenv("PHALANX_BACKEND"); name != "" && name != pureMachine {
		return unavailable(name)
	}
	return nil
})

// Backends are the names of the backends that this CPU can run, the best one last.
func Backends() []string { return []string{pureMachine} }

// Backend is the name of the backend that bulk calls are computed by.
func Backend() string { return pureMachine }

// verdictOf is our number of a verdict.
func verdictOf(verdict pure.Verdict) Verdict { return Verdict(verdict) + Valid }

func publicKey(secret *[32]byte, key *[65]byte) Verdict {
	return verdictOf(pure.PublicKey(secret, key))
}

func readPublicKey(bytes []byte, key *[65]byte) Verdict {
	return verdictOf(pure.ReadPublicKey(bytes, key))
}

func readXOnly(bytes []byte, key *[65]byte) Verdict { return verdictOf(pure.ReadXOnly(bytes, key)) }

func readDER(bytes []byte, lax bool, signature *[64]byte) Verdict {
	return verdictOf(pure.ReadDER(bytes, lax, signature))
}

func readCompact(signature *[64]byte) Verdict { return verdictOf(pure.ReadCompact(signature)) }

func signECDSA(digest, secret *[32]byte, signature *[64]byte, id *[1]byte) Verdict {
	return verdictOf(pure.SignECDSA(digest, secret, signature, id))
}

func verifyECDSA(digest *[32]byte, signature *[64]byte, key *[65]byte, allowHighS bool) Verdict {
	return verdictOf(pure.VerifyECDSA(digest, signature, key[:], allowHighS))
}

func recoverKey(digest *[32]byte, signature *[64]byte, id byte, key *[65]byte) Verdict {
	return verdictOf(pure.Recover(digest, signature, id, key))
}

func signSchnorr(message []byte, secret, randomness *[32]byte, signature *[64]byte) Verdict {
	return verdictOf(pure.SignSchnorr(message, secret, randomness, signature))
}

func verifySchnorr(message []byte, signature *[64]byte, key *[65]byte) Verdict {
	return verdictOf(pure.VerifySchnorr(message, signature, key[:]))
}

func sharedSecret(key *[65]byte, secret, shared *[32]byte) Verdict {
	return verdictOf(pure.SharedSecret(key[:], secret, shared))
}

func tweakPublic(key *[65]byte, tweak *[32]byte, sum *[65]byte) Verdict {
	return verdictOf(pure.TweakPublic(key[:], tweak, sum))
}

func tweakSecret(secret, tweak, sum *[32]byte) Verdict {
	return verdictOf(pure.TweakSecret(secret, tweak, sum))
}

func negateSecret(secret, negative *[32]byte) Verdict {
	return verdictOf(pure.NegateSecret(secret, negative))
}

func ellswiftCreate(secret, auxiliary *[32]byte, encoding *[64]byte) Verdict {
	return verdictOf(pure.EllswiftCreate(secret, auxiliary, encoding))
}

func ellswiftEncode(key *[65]byte, randomness *[32]byte, encoding *[64]byte) Verdict {
	return verdictOf(pure.EllswiftEncode(key[:], randomness, encoding))
}

func ellswiftDecode(encoding *[64]byte, key *[65]byte) Verdict {
	return verdictOf(pure.EllswiftDecode(encoding, key))
}

func ellswiftSecret(initiator, responder *[64]byte, secret *[32]byte, responds bool, shared *[32]byte) Verdict {
	return verdictOf(pure.EllswiftSecret(initiator, responder, secret, responds, shared))
}

func musigNonce(randomness, secret *[32]byte, rest []byte, k *[64]byte, public *[66]byte) Verdict {
	return verdictOf(pure.MusigNonce(randomness, secret, rest, k, public))
}

func musigSign(k *[64]byte, secret, coefficient, factor *[32]byte, negate bool, partial *[32]byte) Verdict {
	return verdictOf(pure.MusigSign(k, secret, coefficient, factor, negate, partial))
}

// workspace is nothing here.
type workspace struct{}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// sumPiece computes the sum of some of the products. A verdict that is not Valid is that of a row.
func sumPiece(scalars, points Column, first, rows int, _ *workspace, sum *[33]byte) Verdict {
	var total pure.Sum
	for row := first; row < first+rows; row++ {
		if verdict := total.Add((*[32]byte)(scalars.row(row)), points.row(row)); verdict != pure.Valid {
			return verdictOf(verdict)
		}
	}
	*sum = total.Bytes()
	return Valid
}

// rowsPerPiece is how many rows take about half a millisecond.
func rowsPerPiece(rowsOperation) int { return 6 }

// piece computes some of the rows.
func (w *rowsWork) piece(first, rows int, _ *workspace) {
	for row := first; row < first+rows; row++ {
		values := pure.Row{AllowHighS: w.allowHighS, Payload: byte(w.payload), Secret: w.secret}
		for i := range widths[w.operation] {
			values.In[i] = w.inputs[i].row(row)
		}
		if w.output.Width > 0 {
			values.Out = w.output.row(row)
		}
		w.verdicts[row] = verdictOf(w.operation.pureRow(values))
	}
}
