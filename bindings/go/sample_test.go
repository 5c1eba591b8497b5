package phalanx

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// table reads a file of the repository as rows by the names of its columns.
func table(t *testing.T, path string) []map[string]string {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", path))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// unhex reads hex with or without 0x; false for what is no hex.
func unhex(text string) ([]byte, bool) {
	bytes, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	return bytes, err == nil
}

// bytesOf are the bytes of some columns of a row; false where one is empty or no hex.
func bytesOf(row map[string]string, columns ...string) (values [3][]byte, ok bool) {
	ok = true
	for i, column := range columns {
		value, isHex := unhex(row[column])
		values[i], ok = value, ok && isHex && row[column] != ""
	}
	return values, ok
}

// gives checks the error of a call, nil or another one.
func gives(t *testing.T, expected error) func(any, error) {
	return func(value any, err error) {
		t.Helper()
		if !errors.Is(err, expected) {
			t.Errorf("%v and the error %v, not %v", value, err, expected)
		}
	}
}

// verdictOfECDSA is the verdict of an encoded row by calls for one item, in the order of the contract.
func verdictOfECDSA(digest, signature, key []byte, policy LowS) Verdict {
	if len(digest) != 32 {
		return MalformedRow
	}
	parsed, err := ParsePublicKey(key)
	if err != nil {
		return verdictOfError(err)
	}
	read := ParseDER
	if len(signature) == 64 {
		read = ParseSignature
	}
	read64, err := read(signature)
	if err != nil {
		return verdictOfError(err)
	}
	return verdictOfError(Verify([32]byte(digest), read64, parsed, policy))
}

func verdictOfSchnorr(message, signature, key []byte) Verdict {
	parsed, err := ParseXOnlyPublicKey(key)
	if err != nil {
		return verdictOfError(err)
	}
	read, err := ParseSchnorrSignature(signature)
	if err != nil {
		return verdictOfError(err)
	}
	return verdictOfError(VerifySchnorr(message, read, parsed))
}

func verdictOfError(err error) Verdict {
	if err == ErrSecretKey || err == ErrTweak {
		return MalformedRow
	}
	for verdict := Valid; verdict <= InvalidSignature; verdict++ {
		if verdict.Err() == err {
			return verdict
		}
	}
	return Undecided
}

// verdictInBulk is the verdict of a row among valid neighbours, where a column can carry the row.
func verdictInBulk(t *testing.T, digest, signature, key []byte, policy LowS) (Verdict, bool) {
	t.Helper()
	if len(digest) != 32 || len(signature) != 64 || len(key) != 33 && len(key) != 65 {
		return Undecided, false
	}
	verdicts := make([]Verdict, 3)
	good := goodRow(len(key))
	var digests, signatures, keys []byte
	for i := range verdicts {
		row := good
		if i == 1 {
			row = [3][]byte{digest, signature, key}
		}
		digests, signatures, keys = append(digests, row[0]...), append(signatures, row[1]...), append(keys, row[2]...)
	}
	err := new(Bulk).VerifyECDSA(context.Background(), Column{digests, 32, 32}, Column{signatures, 64, 64},
		Column{keys, len(key), len(key)}, policy, verdicts)
	if err != nil || verdicts[0] != Valid || verdicts[2] != Valid {
		t.Fatalf("neighbours: %v, %v", err, verdicts)
	}
	return verdicts[1], true
}

// goodRow is a valid row, whose key is encoded in so many bytes.
func goodRow(width int) [3][]byte {
	secret := secretOf([32]byte{31: 7})
	digest := [32]byte{1, 2, 3}
	signature, _ := secret.SignDigest(digest)
	compressed, uncompressed := secret.PublicKey().Compressed(), secret.PublicKey().Uncompressed()
	key := compressed[:]
	if width == 65 {
		key = uncompressed[:]
	}
	return [3][]byte{digest[:], signature.compact[:], key}
}

func TestRowsWithErrorsOfEveryClass(t *testing.T) {
	seen := map[string]int{}
	inBulk := 0
	for _, row := range table(t, "data/sample/errors.csv") {
		in, ok := bytesOf(row, "msg_hash", "sig", "pubkey")
		digest, signature, key := in[0], in[1], in[2]
		if !ok || row["scheme"] != "ecdsa" && row["scheme"] != "schnorr" || len(signature) == 65 {
			continue
		}
		for policy, column := range map[LowS]string{AllowHighS: "expected_reason", RequireLowS: "expected_low_s_require"} {
			expected := row[column]
			var found Verdict
			if row["scheme"] == "ecdsa" {
				found = verdictOfECDSA(digest, signature, key, policy)
				if verdict, ok := verdictInBulk(t, digest, signature, key, policy); ok {
					inBulk++
					if verdict.String() != expected {
						t.Errorf("%s: in bulk %v, not %s", row["id"], verdict, expected)
					}
				}
			} else if len(digest) != 32 {
				continue // The command's rule: here a message may have any length.
			} else {
				found = verdictOfSchnorr(digest, signature, key)
			}
			if found.String() != expected {
				t.Errorf("%s: %v, not %s", row["id"], found, expected)
			}
			seen[expected]++
		}
	}
	for _, reason := range reasons[Valid:] {
		if seen[reason] == 0 {
			t.Errorf("no row is %s", reason)
		}
	}
	t.Logf("%v; %d in bulk", seen, inBulk)
}

func TestRealSignatures(t *testing.T) {
	count := 0
	for _, row := range append(table(t, "data/sample/bitcoin-64.csv"), table(t, "data/sample/schnorr-64.csv")...) {
		in, _ := bytesOf(row, "msg_hash", "sig", "pubkey")
		verdict := verdictOfSchnorr(in[0], in[1], in[2])
		if len(in[2]) != 32 {
			verdict = verdictOfECDSA(in[0], in[1], in[2], AllowHighS)
			if parsed, err := ParseDER(in[1]); err != nil || !bytes.Equal(parsed.DER(), in[1]) {
				t.Errorf("%s: another DER", row["id"])
			}
		}
		if verdict != Valid {
			t.Errorf("%s: %v", row["id"], verdict)
		}
		count++
	}
	for _, row := range table(t, "data/sample/ethereum-64.csv") {
		in, _ := bytesOf(row, "msg_hash", "r", "s")
		v, _ := strconv.Atoi(row["v"])
		if v >= 35 {
			v = (v - 35) & 1
		} else if v >= 27 {
			v -= 27
		}
		signature, err := ParseSignature(append(in[1], in[2]...))
		if err != nil {
			t.Fatal(err)
		}
		key, err := Recover([32]byte(in[0]), signature, RecoveryID(v))
		if err != nil || Verify([32]byte(in[0]), signature, key, AllowHighS) != nil {
			t.Errorf("%s: %v", row["transaction_hash"], err)
		}
		count++
	}
	if count != 192 {
		t.Errorf("%d rows", count)
	}
}

func TestVectorsOfBIP340(t *testing.T) {
	signed, verified := 0, 0
	for _, row := range table(t, "testkit/vectors/bip-0340.csv") {
		in, _ := bytesOf(row, "message", "signature", "public key")
		verdict := verdictOfSchnorr(in[0], in[1], in[2])
		if verdict.IsValid() != (row["verification result"] == "TRUE") {
			t.Errorf("vector %s: %v", row["index"], verdict)
		}
		verified++
		if row["secret key"] == "" {
			continue
		}
		signer, _ := bytesOf(row, "secret key", "aux_rand")
		made, err := secretOf([32]byte(signer[0])).SignSchnorr(in[0], [32]byte(signer[1]))
		if err != nil || !bytes.Equal(made.bytes[:], in[1]) {
			t.Errorf("vector %s: another signature", row["index"])
		}
		signed++
	}
	if signed < 8 || verified < 19 {
		t.Errorf("%d signed, %d verified", signed, verified)
	}
}

// wycheproof is what is read of a file of vectors.
type wycheproof struct {
	TestGroups []struct {
		PublicKey struct{ Uncompressed string }
		Tests     []struct {
			TcId             int
			Msg, Sig, Result string
		}
	}
}

func TestWycheproof(t *testing.T) {
	folder := os.Getenv("PHALANX_VECTORS")
	if folder == "" {
		folder = "../../../shared/vectors/wycheproof"
	}
	for name, policy := range map[string]LowS{
		"ecdsa_secp256k1_sha256_test.json":         AllowHighS,
		"ecdsa_secp256k1_sha256_bitcoin_test.json": RequireLowS,
		"ecdsa_secp256k1_sha256_p1363_test.json":   AllowHighS,
	} {
		read := ParseDER
		if strings.Contains(name, "p1363") {
			read = ParseSignature
		}
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			skipped(t, "Wycheproof", name+" is not there; PHALANX_VECTORS names its folder")
			continue
		}
		var vectors wycheproof
		if err := json.Unmarshal(text, &vectors); err != nil {
			t.Fatal(err)
		}
		count := map[string]int{}
		for _, group := range vectors.TestGroups {
			encoded, _ := unhex(group.PublicKey.Uncompressed)
			key, err := ParsePublicKey(encoded)
			if err != nil {
				t.Fatal(err)
			}
			for _, test := range group.Tests {
				message, _ := unhex(test.Msg)
				signature, _ := unhex(test.Sig)
				parsed, err := read(signature)
				if err == nil {
					err = Verify(sha256Of(message), parsed, key, policy)
				}
				found := verdictOfError(err)
				if found.IsValid() != (test.Result == "valid") {
					t.Errorf("%s %d: %v, not %s", name, test.TcId, found, test.Result)
				}
				count[test.Result]++
			}
		}
		t.Logf("%s: %v", name, count)
		if count["valid"] < 50 || count["invalid"] < 50 {
			t.Errorf("%s: few vectors", name)
		}
	}
}
