package phalanx

import (
	"context"
	"testing"

	"phalanx.example/phalanx/internal/stress"
)

// TestUnderProfilerTracerAndCollector computes on growing and shrinking stacks.
func TestUnderProfilerTracerAndCollector(t *testing.T) {
	secret := secretOf([32]byte{9: 9})
	key, digest := secret.PublicKey(), [32]byte{1}
	signature, _ := secret.SignDigest(digest)
	one := func(i int) {
		stress.Deep(i%40, func() {
			digest, signature, key := digest, signature, key
			if err := Verify(digest, signature, key, RequireLowS); err != nil {
				t.Error(err)
			}
		})
	}
	many := func(int) {
		digests, signatures, keys := columnsOfGoodRows(200)
		verdicts := make([]Verdict, 200)
		bulk := Bulk{Goroutines: 3}
		if err := bulk.VerifyECDSA(context.Background(), digests, signatures, keys, RequireLowS, verdicts); err != nil {
			t.Error(err)
		}
		for i, verdict := range verdicts {
			if verdict != Valid {
				t.Errorf("row %d is %v", i, verdict)
			}
		}
		if again, err := secret.SignDigest(digest); err != nil || again != signature {
			t.Error("another signature")
		}
	}
	stress.Run(t, one, one, one, many)
}
