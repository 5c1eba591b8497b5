package abi

import "sync"

// perRow is the usual job: one independent computation a row, split over threads by equal ranges.
type perRow struct {
	input   []byte
	results []byte
	row     int
	result  int
	threads int
	compute func(row int, input, result []byte)
}

func newPerRow(request Request, input []byte, result int, compute func(row int, input, result []byte)) *perRow {
	return &perRow{
		input:   input,
		results: make([]byte, request.Rows*result),
		row:     len(input) / max(request.Rows, 1),
		result:  result,
		threads: max(request.Threads, 1),
		compute: compute,
	}
}

// Run computes rows.
func (job *perRow) Run(first, count int) {
	work := func(from, to int) {
		for i := from; i < to; i++ {
			job.compute(i, job.input[i*job.row:(i+1)*job.row], job.results[i*job.result:(i+1)*job.result])
		}
	}
	if job.threads == 1 {
		work(first, first+count)
		return
	}
	share := (count + job.threads - 1) / job.threads
	var group sync.WaitGroup
	for from := first; from < first+count; from += share {
		group.Add(1)
		go func() {
			defer group.Done()
			work(from, min(from+share, first+count))
		}()
	}
	group.Wait()
}

// Output gives the results.
func (job *perRow) Output() []byte {
	return job.results
}

// Scheme makes the job of an operation.
type Scheme func(request Request, input []byte) Job

// Schemes prepares the operations that a library has, by their names.
func Schemes(schemes map[string]Scheme) Prepare {
	return func(request Request, input []byte) (Job, error) {
		if scheme, ok := schemes[request.Op]; ok {
			return scheme(request, input), nil
		}
		return nil, NotOffered(request)
	}
}

// Each is a scheme with results of so many bytes. It calls compute for each row, with zeros where its result goes.
func Each(result int, compute func(row, out []byte)) Scheme {
	return func(request Request, input []byte) Job {
		return newPerRow(request, input, result, func(_ int, row, out []byte) {
			clear(out)
			compute(row, out)
		})
	}
}

// Verify is a scheme whose results are verdicts.
func Verify(verify func(row []byte) bool) Scheme {
	return Each(1, func(row, out []byte) {
		if verify(row) {
			out[0] = 1
		}
	})
}

// SignSchnorr is the scheme sign-schnorr, with key pairs that are made beforehand.
func SignSchnorr[P any](pair func(secret []byte) P, sign func(pair *P, message, auxiliary, out []byte)) Scheme {
	return func(request Request, input []byte) Job {
		pairs := make([]P, request.Rows)
		for i := range pairs {
			pairs[i] = pair(input[i*96+32 : i*96+64])
		}
		return newPerRow(request, input, 64, func(i int, row, out []byte) {
			sign(&pairs[i], row[:32], row[64:], out)
		})
	}
}
