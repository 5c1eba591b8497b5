package phalanx

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// silentCase is a receiver of BIP-352's vectors, and what is expected of it.
type silentCase struct {
	Given struct {
		Outputs     []string
		Labels      []uint32
		KeyMaterial struct {
			Spend string `json:"spend_priv_key"`
			Scan  string `json:"scan_priv_key"`
		} `json:"key_material"`
	}
	Expected struct {
		Tweak   *string
		Outputs []struct {
			Tweak string `json:"priv_key_tweak"`
			Key   string `json:"pub_key"`
		}
		Count *int `json:"n_outputs"`
	}
}

// receiver is one as a scan takes it, and the transaction of its case.
type receiver struct {
	scan, spend SecretKey
	labels      []uint32
	row         silentRow
}

// silentRow is a transaction: no point where it is nil.
type silentRow struct {
	point []byte
	keys  [][32]byte
}

// silentVectors are the cases of a file, and how many there are.
func silentVectors(t *testing.T, path string) (cases []silentCase, count int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", path))
	if err != nil {
		skipped(t, "BIP-352's file "+path, "it is not there")
		return nil, 0
	}
	var all []struct{ Receiving []silentCase }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		cases = append(cases, one.Receiving...)
	}
	return cases, len(all)
}

func hexOf[T [32]byte | [33]byte](t *testing.T, text string) (value T) {
	t.Helper()
	bytes, err := hex.DecodeString(text)
	if err != nil || len(bytes) != len(value) {
		t.Fatal(text)
	}
	return T(bytes)
}

func (c *silentCase) receiver(t *testing.T) receiver {
	t.Helper()
	r := receiver{labels: c.Given.Labels}
	r.scan = secretOf(hexOf[[32]byte](t, c.Given.KeyMaterial.Scan))
	r.spend = secretOf(hexOf[[32]byte](t, c.Given.KeyMaterial.Spend))
	point := hexOf[[33]byte](t, *c.Expected.Tweak)
	r.row.point = point[:]
	for _, key := range c.Given.Outputs {
		r.row.keys = append(r.row.keys, hexOf[[32]byte](t, key))
	}
	return r
}

func (r receiver) scanner(t *testing.T) *Scanner {
	t.Helper()
	scanner, err := NewScanner(r.scan, r.spend.PublicKey(), r.labels...)
	if err != nil {
		t.Fatal(err)
	}
	return scanner
}

// stored is a point as libsecp256k1 keeps it.
func stored(point []byte) []byte {
	key, err := ParsePublicKey(point)
	if err != nil {
		panic(err)
	}
	full := key.Uncompressed()
	bytes := slices.Clone(full[1:])
	slices.Reverse(bytes[:32])
	slices.Reverse(bytes[32:])
	return bytes
}

// silentRowsOf are the transactions in one of the forms of points, with keys or prefixes.
func silentRowsOf(all []silentRow, width int, whole bool) (rows SilentRows) {
	rows.Points = Column{nil, width, width}
	rows.Offsets = []uint64{0}
	for _, row := range all {
		point := make([]byte, width)
		if row.point != nil {
			switch width {
			case 33:
				point = row.point
			case 64:
				point = stored(row.point)
			default:
				key, _ := ParsePublicKey(row.point)
				full := key.Uncompressed()
				point = full[:]
			}
		}
		rows.Points.Data = append(rows.Points.Data, point...)
		for _, key := range row.keys {
			if whole {
				rows.Keys = append(rows.Keys, key)
			} else {
				rows.Prefixes = append(rows.Prefixes, int64(binary.BigEndian.Uint64(key[:8])))
			}
		}
		rows.Offsets = append(rows.Offsets, uint64(len(rows.Keys)+len(rows.Prefixes)))
	}
	return rows
}

// TestVectorsOfSilentPayments has every case of BIP-352: what is found is what is expected, and spends.
func TestVectorsOfSilentPayments(t *testing.T) {
	for path, expected := range map[string]int{
		"testkit/vectors/bip-0352.json":                               27,
		"../shared/vectors/bip352/send_and_receive_test_vectors.json": 28,
	} {
		cases, count := silentVectors(t, path)
		if cases != nil && count != expected {
			t.Errorf("%s: %d cases", path, count)
		}
		for number, one := range cases {
			if one.Expected.Tweak == nil {
				continue
			}
			r := one.receiver(t)
			if testing.Short() && len(r.row.keys) > 100 {
				continue
			}
			scanner := r.scanner(t)
			for _, width := range []int{33, 64, 65} {
				rows, verdicts := silentRowsOf([]silentRow{r.row}, width, width != 64), make([]Verdict, 1)
				matches, err := new(Bulk).ScanSilentPayments(context.Background(), []*Scanner{scanner}, rows, verdicts)
				if err != nil || verdicts[0] != Valid {
					t.Fatalf("case %d: %v, %v", number, verdicts, err)
				}
				if one.Expected.Count != nil {
					if len(matches) != *one.Expected.Count {
						t.Errorf("case %d: %d outputs", number, len(matches))
					}
					break
				}
				var found, expected []string
				for _, match := range matches {
					tweak := match.Tweak.Bytes()
					found = append(found, hex.EncodeToString(match.Key[:])+hex.EncodeToString(tweak[:]))
					spending, err := r.spend.TweakAdd(tweak)
					x, _ := spending.PublicKey().XOnly()
					if err != nil || x.Bytes() != match.Key || match.Key != r.row.keys[match.Output] {
						t.Errorf("case %d: output %d is not spent: %v", number, match.Output, err)
					}
				}
				for _, output := range one.Expected.Outputs {
					expected = append(expected, output.Key+output.Tweak)
				}
				slices.Sort(found)
				slices.Sort(expected)
				if !slices.Equal(found, expected) {
					t.Errorf("case %d: %v, not %v", number, found, expected)
				}
			}
		}
	}
}
