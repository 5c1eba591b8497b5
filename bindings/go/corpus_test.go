package phalanx

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestTodaysRust holds the image, which may be older, to today's library: by the rows that the example go_peer of the
// crate phalanx-go-image writes, from the file that PHALANX_CORPUS names.
func TestTodaysRust(t *testing.T) {
	path := os.Getenv("PHALANX_CORPUS")
	if path == "" {
		skipped(t, "today's Rust", "PHALANX_CORPUS names no file; go/checks/run makes one")
		return
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	seen := map[string]map[string]int{}
	senders := map[LowS][]senderRow{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		operation, expected := fields[0], fields[len(fields)-1]
		var values [][]byte
		for _, field := range fields[1 : len(fields)-1] {
			value, err := hex.DecodeString(strings.TrimPrefix(field, "-"))
			if err != nil {
				t.Fatal(lines.Text())
			}
			values = append(values, value)
		}
		inputs, output := values[:len(values)-1], values[len(values)-1]
		if seen[operation] == nil {
			seen[operation] = map[string]int{}
		}
		seen[operation][expected]++
		if policy, ok := policyOfSenders[operation]; ok {
			row := senderRow{hash: [32]byte(inputs[0]), signature: [64]byte(inputs[1]), parity: inputs[2][0], description: lines.Text()}
			row.low = Verdict(slices.Index(reasons[:], expected))
			row.anyS = row.low
			copy(row.address[:], output)
			senders[policy] = append(senders[policy], row)
			continue
		}
		verdict, found := computed(t, operation, inputs)
		if verdict.String() != expected || verdict == Valid && !bytes.Equal(found, output) {
			t.Errorf("%s: %v %x, in Rust today %s", lines.Text(), verdict, found, expected)
		}
	}
	for _, operation := range []string{"verify", "verify_low", "recover", "senders", "senders_low", "schnorr", "sign", "schnorr_sign", "ecdh", "child",
		"silent_label", "silent_tweak", "der", "der_lax", "key"} {
		if seen[operation]["valid"] == 0 || len(seen[operation]) < 2 {
			t.Errorf("%s: %v", operation, seen[operation])
		}
	}
	for policy, rows := range senders {
		haveTheirSendersUnder(t, policy, rows)
	}
	t.Log(seen)
}

// policyOfSenders are the policies of the operations on senders, whose rows are computed in one call each.
var policyOfSenders = map[string]LowS{"senders": AllowHighS, "senders_low": RequireLowS}

// computed is the verdict and the output of one row.
func computed(t *testing.T, operation string, in [][]byte) (Verdict, []byte) {
	ofKey := func(key PublicKey, err error) (Verdict, []byte) {
		bytes := key.Compressed()
		return verdictOfError(err), bytes[:]
	}
	ofSignature := func(signature Signature, err error) (Verdict, []byte) {
		return verdictOfError(err), signature.compact[:]
	}
	secret := func(i int) SecretKey { return secretOf([32]byte(in[i])) }
	switch operation {
	case "verify", "verify_low":
		policy := AllowHighS
		if operation == "verify_low" {
			policy = RequireLowS
		}
		verdict := verdictOfECDSA(in[0], in[1], in[2], policy)
		if inBulk, ok := verdictInBulk(t, in[0], in[1], in[2], policy); ok && inBulk != verdict {
			t.Errorf("in bulk %v, alone %v", inBulk, verdict)
		}
		return verdict, nil
	case "recover":
		return ofKey(Recover([32]byte(in[0]), Signature{[64]byte(in[1])}, RecoveryID(in[2][0])))
	case "schnorr":
		return verdictOfSchnorr(in[0], in[1], in[2]), nil
	case "sign":
		signature, err := secret(1).SignDigest([32]byte(in[0]))
		return verdictOfError(err), signature.compact[:]
	case "schnorr_sign":
		signature, err := secret(1).SignSchnorr(in[0], [32]byte(in[2]))
		return verdictOfError(err), signature.bytes[:]
	case "ecdh":
		key, err := ParsePublicKey(in[0])
		if err != nil {
			t.Fatal(err)
		}
		shared, err := secret(1).SharedSecret(key)
		return verdictOfError(err), shared[:]
	case "child":
		var child [1]Child
		var verdict [1]Verdict
		err := new(Bulk).DeriveChildren(context.Background(), Repeat(in[0]), Repeat(in[1]),
			[]uint32{binary.BigEndian.Uint32(in[2])}, PayloadKind(in[3][0]), child[:], verdict[:])
		if err != nil {
			t.Fatal(err)
		}
		return verdict[0], columnOfRows(child[:]).Data
	case "silent_label", "silent_tweak":
		var tweak [32]byte
		number := binary.BigEndian.Uint32(in[len(in)-1])
		if operation == "silent_label" {
			return silentLabel((*[32]byte)(in[0]), number, &tweak), tweak[:]
		}
		return silentTweak(in[0], (*[32]byte)(in[1]), number, &tweak), tweak[:]
	case "der":
		return ofSignature(ParseDER(in[0]))
	case "der_lax":
		return ofSignature(ParseDERLax(in[0]))
	case "key":
		return ofKey(ParsePublicKey(in[0]))
	}
	t.Fatal(operation)
	return Undecided, nil
}
