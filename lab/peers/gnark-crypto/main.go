// The Go module gnark-crypto: multi-scalar multiplication as people call it, over its own affine points and scalars.
package main

import (
	"fmt"
	"math/big"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark-crypto/ecc/secp256k1"
	"github.com/consensys/gnark-crypto/ecc/secp256k1/fr"
	"phalanx.lab/abi"
)

func main() {
	abi.Serve("github.com/consensys/gnark-crypto", prepare)
}

func prepare(request abi.Request, input []byte) (abi.Job, error) {
	if request.Op != "msm" && request.Op != "msm-naive" {
		return nil, abi.NotOffered(request)
	}
	job := sums{
		scalars: make([]fr.Element, request.Rows),
		points:  make([]secp256k1.G1Affine, request.Rows),
		group:   request.Group,
		results: make([]secp256k1.G1Jac, request.Rows/request.Group),
		config:  ecc.MultiExpConfig{NbTasks: request.Threads},
		naive:   request.Op == "msm-naive",
	}
	for i := range job.scalars {
		row := input[i*96 : (i+1)*96]
		job.scalars[i].SetBytes(row[:32])
		job.points[i].X.SetBytes(row[32:64])
		job.points[i].Y.SetBytes(row[64:])
		if !job.points[i].IsOnCurve() {
			return nil, fmt.Errorf("refuses a point")
		}
	}
	return &job, nil
}

// sums of products, group by group.
type sums struct {
	scalars []fr.Element
	points  []secp256k1.G1Affine
	group   int
	results []secp256k1.G1Jac
	config  ecc.MultiExpConfig
	// Whether each product is computed alone.
	naive bool
}

func (job *sums) Run(first, count int) {
	for from := first; from < first+count; from += job.group {
		to := from + job.group
		if job.naive {
			job.results[from/job.group] = oneByOne(job.points[from:to], job.scalars[from:to])
			continue
		}
		_, err := job.results[from/job.group].MultiExp(job.points[from:to], job.scalars[from:to], job.config)
		if err != nil {
			panic(err)
		}
	}
}

func oneByOne(points []secp256k1.G1Affine, scalars []fr.Element) secp256k1.G1Jac {
	var sum, product secp256k1.G1Jac
	var scalar big.Int
	for i := range points {
		product.FromAffine(&points[i])
		product.ScalarMultiplication(&product, scalars[i].BigInt(&scalar))
		sum.AddAssign(&product)
	}
	return sum
}

func (job *sums) Output() []byte {
	out := make([]byte, 0, 64*len(job.results))
	for i := range job.results {
		var point secp256k1.G1Affine
		point.FromJacobian(&job.results[i])
		x, y := point.X.Bytes(), point.Y.Bytes()
		out = append(append(out, x[:]...), y[:]...)
	}
	return out
}
