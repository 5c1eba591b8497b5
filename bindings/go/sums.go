package phalanx

import "context"

// SumOfProducts computes the sum of so many products of a scalar (32 bytes, big-endian, below the group order) and a point
// (33 or 65 bytes; infinity is all zero). The sum is a compressed point, all zero for infinity, as it is where there is
// an error: [ErrScalar], [ErrPublicKey], or what is wrong with the call. Variable time: not for secrets.
//
// Work is cut into pieces of 2,048 products, which take two to ten milliseconds. The sum of more products than that is
// the sum of their pieces, so longer sums gain nothing but goroutines.
func (b *Bulk) SumOfProducts(ctx context.Context, scalars, points Column, products int) ([33]byte, error) {
	if products < 0 {
		return [33]byte{}, ErrRows
	}
	if err := scalars.check(products, []int{32}); err != nil {
		return [33]byte{}, err
	}
	if err := points.check(products, []int{33, 65}); err != nil {
		return [33]byte{}, err
	}
	return b.sumInRounds(ctx, scalars, points, products, piecesPerRound)
}

const (
	// productsPerPiece is how many products one goroutine sums before the context is asked again.
	productsPerPiece = 2048
	// piecesPerRound bounds the memory of a sum, whatever number of products columns of one repeated value claim.
	piecesPerRound = 1024
)

// sumInRounds is the sum by so many pieces at a time, of columns that have been checked.
func (b *Bulk) sumInRounds(ctx context.Context, scalars, points Column, products, pieces int) ([33]byte, error) {
	var total [33]byte
	for first := 0; ; {
		start, left := first, products-first
		count := min(pieces, 1+(left-1)/productsPerPiece)
		// The last one is that of the rounds before.
		sums, verdicts := make([][33]byte, count+1), make([]Verdict, count)
		sums[count] = total
		err := b.pieces(ctx, count, func(piece int, memory *workspace) {
			from := piece * productsPerPiece
			verdicts[piece] = sumPiece(scalars, points, start+from, min(productsPerPiece, left-from), memory, &sums[piece])
		})
		if err != nil {
			return [33]byte{}, err
		}
		for _, verdict := range verdicts {
			if verdict != Valid {
				return [33]byte{}, errorOfSum(verdict)
			}
		}
		if total = sums[0]; len(sums) > 2 || sums[count] != ([33]byte{}) {
			// Each times one.
			if total, err = b.sumInRounds(ctx, Repeat(one[:]), ColumnOf(sums), len(sums), pieces); err != nil {
				return [33]byte{}, err
			}
		}
		if first += min(left, count*productsPerPiece); first == products {
			return total, nil
		}
	}
}

var one = [32]byte{31: 1}
