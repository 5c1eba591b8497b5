package pure

// r and s as 32 bytes each.
type pair [2][32]byte

const (
	integer  = 0x02
	sequence = 0x30
)

// readStrict reads exactly one DER signature and nothing after it.
func readStrict(bytes []byte) (pair, Verdict) {
	body, after, ok := strictValue(bytes, sequence)
	if !ok || len(after) > 0 {
		return pair{}, BadSignatureEncoding
	}
	r, rest, rOK := strictValue(body, integer)
	s, end, sOK := strictValue(rest, integer)
	if !rOK || !sOK || len(end) > 0 || !isMinimalNatural(r) || !isMinimalNatural(s) {
		return pair{}, BadSignatureEncoding
	}
	return pairOf(r, s)
}

// strictValue is the contents of the value at the front, which must carry this tag, and what follows the value.
func strictValue(bytes []byte, tag byte) (contents, after []byte, ok bool) {
	if len(bytes) < 2 || bytes[0] != tag {
		return nil, nil, false
	}
	length, rest := uint64(bytes[1]), bytes[2:]
	if length >= 0x80 {
		count := int(length & 0x7f)
		if count > len(rest) {
			return nil, nil, false
		}
		var fits bool
		length, fits = bigEndian(rest[:count])
		// As few bytes as can be, and none where the short form would do.
		if !fits || length < 0x80 || rest[0] == 0 {
			return nil, nil, false
		}
		rest = rest[count:]
	}
	return split(rest, length)
}

func split(bytes []byte, at uint64) (first, rest []byte, ok bool) {
	if at > uint64(len(bytes)) {
		return nil, nil, false
	}
	return bytes[:at], bytes[at:], true
}

// bigEndian is a number that fits four bytes.
func bigEndian(digits []byte) (uint64, bool) {
	var number uint64
	for _, digit := range digits {
		number = number<<8 | uint64(digit)
		if number > 0xffff_ffff {
			return 0, false
		}
	}
	return number, true
}

// isMinimalNatural: at least one byte, top bit clear, no zero in front that the top bit does not call for.
func isMinimalNatural(digits []byte) bool {
	switch {
	case len(digits) == 0 || digits[0] >= 0x80:
		return false
	case digits[0] == 0 && len(digits) > 1:
		return digits[1] >= 0x80
	default:
		return true
	}
}

// pairOf pads both numbers to 32 bytes.
func pairOf(r, s []byte) (pair, Verdict) {
	var numbers pair
	for i, digits := range [2][]byte{r, s} {
		for len(digits) > 0 && digits[0] == 0 {
			digits = digits[1:]
		}
		if len(digits) > 32 {
			return pair{}, OutOfRange
		}
		copy(numbers[i][32-len(digits):], digits)
	}
	return numbers, Valid
}

// readLax reads a signature as Bitcoin nodes did before BIP-66: the sequence's length is skipped unread, integers are
// unsigned with any padding, and what follows s is ignored.
func readLax(bytes []byte) (pair, Verdict) {
	if len(bytes) < 2 || bytes[0] != sequence {
		return pair{}, BadSignatureEncoding
	}
	skipped := uint64(0)
	if bytes[1] >= 0x80 {
		skipped = uint64(bytes[1] & 0x7f)
	}
	_, body, ok := split(bytes[2:], skipped)
	if !ok {
		return pair{}, BadSignatureEncoding
	}
	r, body, rOK := laxInteger(body)
	s, _, sOK := laxInteger(body)
	if !rOK || !sOK {
		return pair{}, BadSignatureEncoding
	}
	return pairOf(r, s)
}

func laxInteger(bytes []byte) (contents, after []byte, ok bool) {
	if len(bytes) < 2 || bytes[0] != integer {
		return nil, nil, false
	}
	length, rest := uint64(bytes[1]), bytes[2:]
	if length < 0x80 {
		return split(rest, length)
	}
	digits, rest, ok := split(rest, length&0x7f)
	if !ok {
		return nil, nil, false
	}
	for len(digits) > 0 && digits[0] == 0 {
		digits = digits[1:]
	}
	if len(digits) >= 4 {
		return nil, nil, false
	}
	length, _ = bigEndian(digits)
	return split(rest, length)
}
