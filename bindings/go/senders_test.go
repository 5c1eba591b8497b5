package phalanx

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"testing"
	"unsafe"

	"golang.org/x/crypto/sha3"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

// senderRow is a row, and what it must give where low s is required and where it is not: no address where the verdict
// is not Valid.
type senderRow struct {
	hash        [32]byte
	signature   [64]byte
	parity      byte
	low, anyS   Verdict
	address     [20]byte
	description string
}

// expected is what the row must give.
func (r senderRow) expected(policy LowS) (verdict Verdict, address [20]byte) {
	verdict = r.low
	if policy == AllowHighS {
		verdict = r.anyS
	}
	if verdict == Valid {
		address = r.address
	}
	return verdict, address
}

// haveTheirSenders finds the senders of all rows in one call, and in another one under the other policy.
func haveTheirSenders(t *testing.T, rows []senderRow) {
	t.Helper()
	for _, policy := range []LowS{RequireLowS, AllowHighS} {
		haveTheirSendersUnder(t, policy, rows)
	}
}

func haveTheirSendersUnder(t *testing.T, policy LowS, rows []senderRow) {
	t.Helper()
	hashes, signatures := make([][32]byte, len(rows)), make([][64]byte, len(rows))
	parities := make([][1]byte, len(rows))
	for i, row := range rows {
		hashes[i], signatures[i], parities[i] = row.hash, row.signature, [1]byte{row.parity}
	}
	bulk := Bulk{Goroutines: 1 + len(rows)%3}
	addresses, verdicts := slices.Repeat([][20]byte{{1, 2, 3}}, len(rows)), make([]Verdict, len(rows))
	err := bulk.Senders(context.Background(), ColumnOf(hashes), ColumnOf(signatures), ColumnOf(parities), policy, addresses, verdicts)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		if verdict, address := row.expected(policy); verdicts[i] != verdict || addresses[i] != address {
			t.Errorf("%s, row %d of %d, policy %d: %v %x, not %v %x",
				row.description, i, len(rows), policy, verdicts[i], addresses[i], verdict, address)
		}
	}
}

// otherHalf is the signature with n - s for s.
func otherHalf(signature [64]byte) [64]byte {
	var s secp256k1.ModNScalar
	s.SetByteSlice(signature[32:])
	s.Negate().PutBytesUnchecked(signature[32:])
	return signature
}

// forms are a valid row with low s, and wrong ones made of it.
func forms(hash [32]byte, signature [64]byte, parity byte, address [20]byte) []senderRow {
	high, none := otherHalf(signature), [20]byte{}
	// with has another r, or another s.
	with := func(signature [64]byte, r, s []byte) [64]byte {
		copy(signature[:32], r)
		copy(signature[32:], s)
		return signature
	}
	zero, large, five := make([]byte, 32), bytes.Repeat([]byte{0xff}, 32), append(make([]byte, 31), 5)
	return []senderRow{
		{hash, signature, parity, Valid, Valid, address, "valid"},
		{hash, high, parity ^ 1, HighS, Valid, address, "high s"},
		// No point has the x 5.
		{hash, with(signature, five, nil), parity, InvalidSignature, InvalidSignature, none, "no point"},
		{hash, with(high, five, nil), parity, HighS, InvalidSignature, none, "no point and high s"},
		{hash, with(signature, zero, nil), parity, OutOfRange, OutOfRange, none, "r is zero"},
		{hash, with(high, zero, nil), parity, OutOfRange, OutOfRange, none, "r is zero, high s"},
		{hash, with(signature, order, nil), parity, OutOfRange, OutOfRange, none, "r is the order"},
		{hash, with(signature, nil, zero), parity, OutOfRange, OutOfRange, none, "s is zero"},
		{hash, with(signature, nil, large), parity, OutOfRange, OutOfRange, none, "s is large"},
		{hash, signature, parity + 2, OutOfRange, OutOfRange, none, "parity"},
		{hash, high, parity + 254, OutOfRange, OutOfRange, none, "parity and high s"},
		{hash, with(signature, five, nil), 27, OutOfRange, OutOfRange, none, "parity and no point"},
	}
}

// sampleOfSenders are the rows of the sample, real transactions of the main chain, each in all forms.
func sampleOfSenders(t *testing.T) (rows []senderRow) {
	for _, row := range table(t, "data/sample/ethereum-64.csv") {
		in, ok := bytesOf(row, "msg_hash", "r", "s")
		address, isHex := unhex(row["from_address"])
		v, err := strconv.Atoi(row["v"])
		if !ok || !isHex || err != nil {
			t.Fatal(row)
		}
		// 0 and 1, or 27, 35 + 2 * chain id and what follows them.
		if v > 1 {
			v = (v + 1) % 2
		}
		rows = append(rows, forms([32]byte(in[0]), [64]byte(append(in[1], in[2]...)), byte(v), [20]byte(address))...)
	}
	if len(rows) != 64*12 {
		t.Fatalf("%d rows", len(rows))
	}
	return rows
}

func TestSendersOfTheSample(t *testing.T) {
	rows := sampleOfSenders(t)
	for _, count := range []int{0, 1, 2, 3, 7, 8, 9, 63, 65, 128, 130, len(rows)} {
		haveTheirSenders(t, rows[:count])
	}
	// Rows by themselves, whatever stands beside them above.
	for i := range forms([32]byte{}, [64]byte{}, 0, [20]byte{}) {
		haveTheirSenders(t, rows[i:i+1])
	}
}

func TestKnownSenders(t *testing.T) {
	keccak := func(text string) [32]byte {
		message, ok := unhex(text)
		if !ok {
			t.Fatal(text)
		}
		hash := sha3.NewLegacyKeccak256()
		hash.Write(message)
		return [32]byte(hash.Sum(nil))
	}
	row := func(hash [32]byte, r, s string, parity byte, address, source string) senderRow {
		signature, ok := unhex(r + s)
		sender, isHex := unhex(address)
		if !ok || !isHex {
			t.Fatal(source)
		}
		return senderRow{hash, [64]byte(signature), parity, Valid, Valid, [20]byte(sender), source}
	}
	example := row(keccak("ec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080"),
		"28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276",
		"67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83",
		0, "9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f", "the example of EIP-155")
	if hash, _ := unhex("daf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53"); !bytes.Equal(example.hash[:], hash) {
		t.Errorf("the signing hash of EIP-155's example is not %x", example.hash)
	}
	rows := []senderRow{
		example,
		row(keccak("e480862d79883d2000825208945df9b87991262f6ba471f09758cde1c0fc1de734827a6980"),
			"88ff6cf0fefd94db46111149ae4bfc179e9b94721fffd821d38d16464b3f71d0",
			"45e0aff800961cfce805daef7016b9b675c137a6a41a548f7b60a3484c06a33a",
			1, "a1e4380a3b1f749673e270229993ee55f35663b4", "the first transaction of the main chain, in block 46,147"),
	}
	hash, _ := unhex("18c547e4f7b0f325ad1e56f57e26c745b09a3e503d86e00e5255ff7f715d3d1c")
	high := row([32]byte(hash),
		"73b1693892219d736caba55bdb67216e485557ea6b6af75f37096c9aa6a5a75f",
		"eeb940b1d03b21e36b0e47e79769f095fe2ab855bd91e3a38756b7d75a9c4549",
		1, "a94f5374fce5edbc8e2a8697c15331677e6ebf0b", "ValidKey of the clients' vectors for the precompile ECRECOVER")
	high.low = HighS
	rows = append(rows, high)
	// The addresses of the secret keys 1, 2 and 3, as every wallet shows them.
	for i, address := range []string{
		"7e5f4552091a69125d5dfcb7b8c2659029395bdf",
		"2b5ad5c4795c026514f8317c7a215e218dccd6cf",
		"6813eb9362372eef6200f3b1dbc3f819671cba69",
	} {
		digest := sha256Of([]byte{byte(i)})
		signature, id, err := secretOf([32]byte{31: byte(i + 1)}).SignRecoverable(digest)
		sender, _ := unhex(address)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, senderRow{digest, signature.Bytes(), byte(id), Valid, Valid, [20]byte(sender), "a small key"})
	}
	haveTheirSenders(t, rows)
	// Ten of each, so that there are more rows than lanes.
	haveTheirSenders(t, slices.Repeat(rows, 10))
	for i := range rows {
		haveTheirSenders(t, rows[i:i+1])
	}
}

// TestSendersInRecords has columns that are fields of records, and one value for all rows.
func TestSendersInRecords(t *testing.T) {
	const size = 32 + 64 + 1
	rows := sampleOfSenders(t)[:36]
	var records []byte
	for _, row := range rows {
		records = append(append(append(records, row.hash[:]...), row.signature[:]...), row.parity)
	}
	ctx, bulk := context.Background(), new(Bulk)
	addresses, verdicts := make([][20]byte, len(rows)), make([]Verdict, len(rows))
	column := func(first, width int) Column { return Column{records[first:], size, width} }
	err := bulk.Senders(ctx, column(0, 32), column(32, 64), column(96, 1), RequireLowS, addresses, verdicts)
	for i, row := range rows {
		if verdict, address := row.expected(RequireLowS); err != nil || verdicts[i] != verdict || addresses[i] != address {
			t.Errorf("row %d: %v %x, %v", i, verdicts[i], addresses[i], err)
		}
	}
	one := rows[0]
	err = bulk.Senders(ctx, Repeat(one.hash[:]), Repeat(one.signature[:]), Repeat([]byte{one.parity}), RequireLowS, addresses, verdicts)
	for i := range rows {
		if err != nil || verdicts[i] != Valid || addresses[i] != one.address {
			t.Errorf("row %d of one: %v %x, %v", i, verdicts[i], addresses[i], err)
		}
	}
}

// TestSendersThatAreRefused has calls that cannot be: no row is decided, and no address is left.
func TestSendersThatAreRefused(t *testing.T) {
	const rows = 36
	ctx, cancel := context.WithCancel(context.Background())
	bulk := new(Bulk)
	sample := sampleOfSenders(t)
	hashes, signatures, parities := make([]byte, 0, rows*32), make([]byte, 0, rows*64), make([]byte, 0, rows)
	for _, row := range sample[:rows] {
		hashes, signatures = append(hashes, row.hash[:]...), append(signatures, row.signature[:]...)
		parities = append(parities, row.parity)
	}
	addresses, verdicts := make([][20]byte, rows), make([]Verdict, rows)
	refused := func(name string, expected error, columns [3]Column, addresses [][20]byte, verdicts []Verdict) {
		t.Helper()
		for i := range addresses {
			addresses[i] = [20]byte{7}
		}
		for i := range verdicts {
			verdicts[i] = Valid
		}
		if err := bulk.Senders(ctx, columns[0], columns[1], columns[2], RequireLowS, addresses, verdicts); err != expected {
			t.Errorf("%s: %v, not %v", name, err, expected)
		}
		for i, address := range addresses {
			if address != ([20]byte{}) {
				t.Errorf("%s: the address of row %d is %x", name, i, address)
			}
		}
		for i, verdict := range verdicts {
			if verdict != Undecided {
				t.Errorf("%s: row %d is %v", name, i, verdict)
			}
		}
	}
	good := [3]Column{{hashes, 32, 32}, {signatures, 64, 64}, {parities, 1, 1}}
	for i := range good {
		for name, change := range map[string]struct {
			column Column
			err    error
		}{
			"no column":     {Column{}, ErrColumn},
			"another width": {Column{good[i].Data, good[i].Stride, good[i].Width + 1}, ErrColumn},
			"stride":        {Column{good[i].Data, -1, good[i].Width}, ErrColumn},
			"short":         {Column{good[i].Data[1:], good[i].Stride, good[i].Width}, ErrRows},
		} {
			columns := good
			columns[i] = change.column
			refused(name, change.err, columns, addresses, verdicts)
		}
	}
	refused("too few addresses", ErrRows, good, addresses[1:], verdicts)
	refused("too many addresses", ErrRows, good, append(addresses, [20]byte{}), verdicts)
	refused("no addresses", ErrRows, good, nil, verdicts)
	// Outputs in the memory of each column, by one byte, and of each other.
	memory := make([][20]byte, 400)
	inside := columnOfRows(memory).Data
	for i, column := range good {
		for _, end := range []int{len(column.Data) - 1, len(column.Data)} {
			columns := good
			columns[i].Data = inside[len(inside)-rows*20-end:][:len(column.Data)]
			copy(columns[i].Data, column.Data)
			if end == len(column.Data) {
				err := bulk.Senders(ctx, columns[0], columns[1], columns[2], RequireLowS, memory[len(memory)-rows:], verdicts)
				if err != nil || verdicts[0] != Valid || memory[len(memory)-rows] != sample[0].address {
					t.Errorf("beside column %d: %v", i, err)
				}
			} else {
				refused("overlap", ErrOverlap, columns, memory[len(memory)-rows:], verdicts)
			}
		}
	}
	both := make([]Verdict, rows*20+rows)
	places := unsafe.Slice((*[20]byte)(unsafe.Pointer(&both[0])), rows)
	refused("verdicts in the addresses", ErrOverlap, good, places, both[rows*20-1:][:rows])
	if err := bulk.Senders(ctx, good[0], good[1], good[2], RequireLowS, places, both[rows*20:]); err != nil || both[rows*20] != Valid {
		t.Errorf("verdicts behind the addresses: %v", err)
	}
	cancel()
	refused("cancelled", context.Canceled, good, addresses, verdicts)
}
