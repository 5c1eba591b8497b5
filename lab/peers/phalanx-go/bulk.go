package main

import (
	"context"

	"phalanx.example/phalanx"
	"phalanx.lab/abi"
)

// manyRows is computed by one bulk call on columns that stand in the lab's rows. encode makes the lab's result of a row.
type manyRows[R any] struct {
	input    []byte
	width    int
	results  []R
	verdicts []phalanx.Verdict
	call     func(column columnAt, results []R, verdicts []phalanx.Verdict) error
	encode   func(result R, verdict phalanx.Verdict) []byte
}

// columnAt is the column of so many bytes from a place in each row on.
type columnAt func(place, width int) phalanx.Column

func (job *manyRows[R]) Run(first, count int) {
	end := first + count
	rows := job.input[first*job.width : end*job.width]
	column := func(place, width int) phalanx.Column {
		return phalanx.Column{Data: rows[place:], Stride: job.width, Width: width}
	}
	if err := job.call(column, job.results[first:end], job.verdicts[first:end]); err != nil {
		panic(err)
	}
}

func (job *manyRows[R]) Output() []byte {
	var out []byte
	for i, verdict := range job.verdicts {
		out = append(out, job.encode(job.results[i], verdict)...)
	}
	return out
}

func newManyRows[R any](
	request abi.Request,
	input []byte,
	call func(column columnAt, results []R, verdicts []phalanx.Verdict) error,
	encode func(result R, verdict phalanx.Verdict) []byte,
) abi.Job {
	rows := request.Rows
	width := len(input) / max(rows, 1)
	return &manyRows[R]{input, width, make([]R, rows), make([]phalanx.Verdict, rows), call, encode}
}

// nothing is the output of rows that have verdicts only.
type nothing struct{}

func isValid(_ nothing, verdict phalanx.Verdict) []byte {
	if verdict.IsValid() {
		return []byte{1}
	}
	return []byte{0}
}

// bulk makes the job of an operation that has a bulk call; nil where there is none.
func bulk(request abi.Request, input []byte) abi.Job {
	by, ctx := phalanx.Bulk{Goroutines: request.Threads}, context.Background()
	switch request.Op {
	case "verify-ecdsa":
		return newManyRows(request, input, func(column columnAt, _ []nothing, verdicts []phalanx.Verdict) error {
			return by.VerifyECDSA(ctx, column(0, 32), column(32, 64), column(96, 33), phalanx.RequireLowS, verdicts)
		}, isValid)
	case "verify-schnorr":
		return newManyRows(request, input, func(column columnAt, _ []nothing, verdicts []phalanx.Verdict) error {
			return by.VerifySchnorr(ctx, column(0, 32), column(32, 64), column(96, 32), verdicts)
		}, isValid)
	case "recover":
		return newManyRows(request, input, func(column columnAt, keys []phalanx.PublicKey, verdicts []phalanx.Verdict) error {
			return by.Recover(ctx, column(0, 32), column(32, 64), column(96, 1), keys, verdicts)
		}, func(key phalanx.PublicKey, verdict phalanx.Verdict) []byte {
			if !verdict.IsValid() {
				return make([]byte, 33)
			}
			encoded := key.Compressed()
			return encoded[:]
		})
	case "sign-ecdsa":
		return newManyRows(request, input, func(column columnAt, signatures []phalanx.Signature, verdicts []phalanx.Verdict) error {
			return by.SignECDSA(ctx, column(0, 32), column(32, 32), signatures, verdicts)
		}, func(signature phalanx.Signature, _ phalanx.Verdict) []byte {
			bytes := signature.Bytes()
			return bytes[:]
		})
	}
	return nil
}
