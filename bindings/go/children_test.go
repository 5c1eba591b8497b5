package phalanx

import (
	"bytes"
	"context"
	"encoding/hex"
	"slices"
	"testing"

	"phalanx.example/phalanx/internal/pure"
)

// TestKnownChildren has the keys of BIP-32's test vector 1 along m/0h/1 and m/0h/1/2h/2, and vector 2's m/0.
func TestKnownChildren(t *testing.T) {
	for _, known := range []struct {
		parent, code string
		index        uint32
		child, next  string
	}{
		{"035a784662a4a20a65bf6aab9ae98a6c068a81c52e4b032c0fb5400c706cfccc56", "47fdacbd0f1097043b78c63c20c34ef4ed9a111d980047ad16282c7ae6236141", 1,
			"03501e454bf00751f24b1b489aa925215d66af2234e3891c3b21a52bedb3cd711c", "2a7857631386ba23dacac34180dd1983734e444fdbf774041578e9b6adb37c19"},
		{"0357bfe1e341d01c69fe5654309956cbea516822fba8a601743a012a7896ee8dc2", "04466b9cc8e161e966409ca52986c584f07e9dc81f735db683c3ff6ec7b1503f", 2,
			"02e8445082a72f29b75ca48748a914df60622a609cacfce8ed0e35804560741d29", "cfb71883f01676f587d023cc53a35bc7f88f724b1f8c2892ac1275ac822a3edd"},
		{"03cbcaa9c98c877a26977d00825c956a238e8dddfbd322cce4f74b0b5bd6ace4a7", "60499f801b896d83179a4374aeb7822aaeaceaa0db1f85ee3e904c4defbd9689", 0,
			"02fc9e5af0ac8d9b3cecfe2a888e2117ba3d089d8585886c9c826b6b22a98d12ea", "f0909affaa7ee7abe5dd4e100598d4dc53cd709d5a5c2cac40e7412f232f7c9c"},
	} {
		parent, _ := hex.DecodeString(known.parent)
		code, _ := hex.DecodeString(known.code)
		children, verdicts := make([]Child, 1), make([]Verdict, 1)
		err := new(Bulk).DeriveChildren(context.Background(), Repeat(parent), Repeat(code), []uint32{known.index}, NoPayload, children, verdicts)
		key := children[0].PublicKey.Compressed()
		if err != nil || hex.EncodeToString(key[:]) != known.child || hex.EncodeToString(children[0].ChainCode[:]) != known.next {
			t.Errorf("%v, %v: %x %x", err, verdicts, key, children[0].ChainCode)
		}
	}
}

// TestKnownPayloads has the first addresses of the accounts in BIP-84 and BIP-86.
func TestKnownPayloads(t *testing.T) {
	for _, known := range []struct {
		kind                  PayloadKind
		parent, code, payload string
	}{
		{KeyHash, "02360e9ef11126e1a27808ce81206c264de9326f8fa5a4d2c63bf20f235ecf650b",
			"5fb17f32471143583da296b3af79da1a98f63db12389a0150a67610620925a38", "c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2"},
		{TaprootKey, "0280acdda0a964dc495adc7d0b15fbbe3b0e67c5b10f87662e0cb4e0ebc320d804",
			"f0a04ece38a7efb8561d8b670f640f56d09eb29f2b00c73abb38e5ebe19f732a",
			"a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c"},
	} {
		parent, _ := hex.DecodeString(known.parent)
		code, _ := hex.DecodeString(known.code)
		payload, _ := hex.DecodeString(known.payload)
		children, verdicts := make([]Child, 1), make([]Verdict, 1)
		err := new(Bulk).DeriveChildren(context.Background(), Repeat(parent), Repeat(code), []uint32{0}, known.kind, children, verdicts)
		if found := children[0].Payload; err != nil || !bytes.Equal(found[:len(payload)], payload) {
			t.Errorf("%v, %v: %x", err, verdicts, found)
		}
	}
}

// TestChildrenAreThoseOfPureGo has parents that rows share or not, wrong ones, and hardened children, of every kind.
func TestChildrenAreThoseOfPureGo(t *testing.T) {
	const rows = 150
	var keys, codes []byte
	indices := make([]uint32, rows)
	for i := range rows {
		key := secretOf(sha256Of([]byte{byte(i / 7), 8})).PublicKey()
		compressed, code := key.Compressed(), sha256Of([]byte{byte(i / 20), 9})
		indices[i] = uint32(i) * 14_000_001 >> 1
		switch i % 11 {
		case 4:
			compressed[0] = 9
		case 7:
			indices[i] |= 1 << 31
		}
		keys, codes = append(keys, compressed[:]...), append(codes, code[:]...)
	}
	for kind := NoPayload; kind <= TaprootKey; kind++ {
		for _, count := range []int{0, 1, 9, rows} {
			children, verdicts := slices.Repeat([]Child{{ChainCode: [32]byte{1}}}, count), make([]Verdict, count)
			bulk := Bulk{Goroutines: 2}
			err := bulk.DeriveChildren(context.Background(), Column{keys, 33, 33}, Column{codes, 32, 32}, indices[:count], kind, children, verdicts)
			if err != nil {
				t.Fatal(err)
			}
			for i := range count {
				var expected [129]byte
				verdict := pure.DeriveChild(keys[33*i:][:33], (*[32]byte)(codes[32*i:]), indices[i], byte(kind), &expected)
				found := columnOfRows(children[i : i+1]).Data
				if verdicts[i] != Verdict(verdict)+Valid || !bytes.Equal(found, expected[:]) {
					t.Fatalf("kind %d, row %d of %d: %v %x, not %v %x", kind, i, count, verdicts[i], found, verdict, expected)
				}
			}
		}
	}
	// One parent for all rows, in the form of 65 bytes.
	key := secretOf([32]byte{31: 9}).PublicKey()
	full, compressed := key.Uncompressed(), key.Compressed()
	children, verdicts := make([]Child, rows), make([]Verdict, rows)
	sequence := make([]uint32, rows)
	for i := range sequence {
		sequence[i] = uint32(i)
	}
	err := new(Bulk).DeriveChildren(context.Background(), Repeat(full[:]), Repeat(codes[:32]), sequence, KeyHash, children, verdicts)
	for i := range rows {
		var expected [129]byte
		pure.DeriveChild(compressed[:], (*[32]byte)(codes), uint32(i), 1, &expected)
		if err != nil || verdicts[i] != Valid || !bytes.Equal(columnOfRows(children[i:i+1]).Data, expected[:]) {
			t.Fatalf("row %d: %v, %v", i, verdicts[i], err)
		}
	}
}

// TestChildrenThatAreRefused has calls that cannot be: no row is decided, and no child is left.
func TestChildrenThatAreRefused(t *testing.T) {
	const rows = 5
	ctx, bulk := context.Background(), new(Bulk)
	_, _, keys := columnsOfGoodRows(rows)
	codes, indices := ColumnOf(make([][32]byte, rows)), make([]uint32, rows)
	refused := func(name string, expected error, keys, codes Column, indices []uint32, kind PayloadKind, children []Child) {
		t.Helper()
		verdicts := slices.Repeat([]Verdict{Valid}, rows)
		if err := bulk.DeriveChildren(ctx, keys, codes, indices, kind, children, verdicts); err != expected {
			t.Errorf("%s: %v, not %v", name, err, expected)
		}
		for i, verdict := range verdicts {
			if verdict != Undecided || i < len(children) && children[i] != (Child{}) {
				t.Errorf("%s: row %d is %v", name, i, verdict)
			}
		}
	}
	children := slices.Repeat([]Child{{Payload: [32]byte{3}}}, rows)
	refused("a kind", ErrPayload, keys, codes, indices, TaprootKey+1, slices.Clone(children))
	refused("few indices", ErrRows, keys, codes, indices[1:], KeyHash, slices.Clone(children))
	refused("few children", ErrRows, keys, codes, indices, KeyHash, slices.Clone(children[1:]))
	refused("no children", ErrRows, keys, codes, indices, KeyHash, nil)
	refused("no keys", ErrColumn, Column{}, codes, indices, KeyHash, slices.Clone(children))
	refused("keys for codes", ErrColumn, keys, keys, indices, KeyHash, slices.Clone(children))
	codes.Data = codes.Data[1:]
	refused("short codes", ErrRows, keys, codes, indices, KeyHash, slices.Clone(children))
}
