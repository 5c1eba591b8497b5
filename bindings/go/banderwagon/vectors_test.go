package banderwagon_test

import (
	"context"
	"encoding/hex"
	"errors"
	"sync"
	"testing"

	"phalanx.example/phalanx/banderwagon"
)

// powers are the encodings of G, 2 G, 4 G and so on. Source: go-ipa, banderwagon/element_test.go.
var powers = [...]string{
	"4a2c7486fd924882bf02c6908de395122843e3e05264d7991e18e7985dad51e9",
	"43aa74ef706605705989e8fd38df46873b7eae5921fbed115ac9d937399ce4d5",
	"5e5f550494159f38aa54d2ed7f11a7e93e4968617990445cc93ac8e59808c126",
	"0e7e3748db7c5c999a7bcd93d71d671f1f40090423792266f94cb27ca43fce5c",
	"14ddaa48820cb6523b9ae5fe9fe257cbbd1f3d598a28e670a40da5d1159d864a",
	"6989d1c82b2d05c74b62fb0fbdf8843adae62ff720d370e209a7b84e14548a7d",
	"26b8df6fa414bf348a3dc780ea53b70303ce49f3369212dec6fbe4b349b832bf",
	"37e46072db18f038f2cc7d3d5b5d1374c0eb86ca46f869d6a95fc2fb092c0d35",
}

// outside are abscissas of points of the curve outside of the group. Source: as powers.
var outside = [...]string{
	"280e608d5bbbe84b16aac62aa450e8921840ea563f1c9c266e0240d89cbe6a78",
	"1b6989e2393c65bbad7567929cdbd72bbf0218521d975b0fb209fba0ee493c32",
	"31468782818807366dbbcd20b9f10f0d5b93f22e33fe49b450dfbddaf3ba6a9b",
	"6bfc4097e4874cdddebe74e041fcd329d8455278cd42b6dd4f40b042d4fc466b",
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	bytes, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

func TestPublishedEncodings(t *testing.T) {
	element := banderwagon.Generator()
	for i, power := range powers {
		if element.String() != power {
			t.Errorf("2^%d G is %v", i, element)
		}
		parsed, err := banderwagon.ParseElement(unhex(t, power))
		if err != nil || !parsed.Equal(element) {
			t.Errorf("2^%d G is read as %v, %v", i, parsed, err)
		}
		whole := element.Uncompressed()
		if parsed, err := banderwagon.ParseUncompressed(whole[:]); err != nil || !parsed.Equal(element) {
			t.Errorf("2^%d G is read as %v, %v", i, parsed, err)
		}
		element = element.Double()
	}
	for _, bytes := range outside {
		if _, err := banderwagon.ParseElement(unhex(t, bytes)); !errors.Is(err, banderwagon.ErrNotInGroup) {
			t.Errorf("%s: %v", bytes, err)
		}
	}
	modulus := "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001"
	if _, err := banderwagon.ParseElement(unhex(t, modulus)); !errors.Is(err, banderwagon.ErrNotCanonical) {
		t.Error(err)
	}
	if identity, err := banderwagon.ParseElement(make([]byte, 32)); err != nil || !identity.IsIdentity() {
		t.Error(identity, err)
	}
	if _, err := banderwagon.ParseElement(make([]byte, 31)); !errors.Is(err, banderwagon.ErrLength) {
		t.Error(err)
	}
}

// verkle are tables that tests share: those of Verkle trees in the image; whatever is asked for, plain Go has small ones.
var verkle = sync.OnceValue(func() *banderwagon.Tables {
	tables, err := banderwagon.NewVerkleTables(context.Background())
	if err != nil {
		panic(err)
	}
	return tables
})

// Source: rust-verkle, verkle-spec/src/lib.rs and ffi_interface/src/lib.rs.
func TestPublishedTreeKeys(t *testing.T) {
	ones, rising, falling := [32]byte{}, [32]byte{}, [32]byte{}
	for i := range ones {
		ones[i], rising[i], falling[i] = 1, byte(i+1), byte(64-i)
	}
	places := []banderwagon.Place{
		{SubIndex: 0x07}, {ones, ones, 0x11}, {rising, falling, 0},
	}
	expected := []string{
		"1a100684fd68185060405f3f160e4bb6e034194336b547bdae323f888d533207",
		"3afb8486ed3053ac55f62864da803c074844509d253260d870337c20fd73eb11",
		"ff7e3916badeb510dfcdad458726273319280742e553d8d229bd676428147300",
	}
	keys := make([][32]byte, len(places))
	if err := verkle().TreeKeys(context.Background(), places, keys); err != nil {
		t.Fatal(err)
	}
	for i, place := range places {
		key, err := verkle().TreeKey(place)
		if err != nil || key != keys[i] || hex.EncodeToString(key[:]) != expected[i] {
			t.Errorf("%x and %x, %v; expected %s", key, keys[i], err, expected[i])
		}
	}
}

func TestPlaces(t *testing.T) {
	place := banderwagon.StorageSlot([32]byte{}, [32]byte{31: 63})
	if place != banderwagon.Header([32]byte{}, 127) {
		t.Error(place)
	}
	place = banderwagon.StorageSlot([32]byte{}, [32]byte{31: 64})
	if place.TreeIndex != [32]byte{30: 1} || place.SubIndex != 64 {
		t.Error(place)
	}
	place = banderwagon.StorageSlot([32]byte{}, [32]byte{0: 0xff, 30: 7, 31: 9})
	if place.TreeIndex != [32]byte{0: 7, 31: 1} || place.SubIndex != 9 {
		t.Error(place)
	}
	for chunk, expected := range map[uint64]banderwagon.Place{
		0:          {SubIndex: 128},
		127:        {SubIndex: 255},
		128:        {TreeIndex: [32]byte{1}},
		^uint64(0): {TreeIndex: [32]byte{7: 1}, SubIndex: 127},
	} {
		if place := banderwagon.CodeChunk([32]byte{}, chunk); place != expected {
			t.Errorf("chunk %d: %v", chunk, place)
		}
	}
}
