package abi

import "sync"

// PerRow is the usual job: one independent computation a row, split over threads by equal ranges.
type PerRow struct {
	input   []byte
	results []byte
	row     int
	result  int
	threads int
	compute func(row int, input, result []byte)
}

// NewPerRow makes a job that calls compute for each row with its number, its bytes and room for its result.
func NewPerRow(request Request, input []byte, result int, compute func(row int, input, result []byte)) *PerRow {
	return &PerRow{
		input:   input,
		results: make([]byte, request.Rows*result),
		row:     len(input) / max(request.Rows, 1),
		result:  result,
		threads: max(request.Threads, 1),
		compute: compute,
	}
}

// Run computes rows.
func (job *PerRow) Run(first, count int) {
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
func (job *PerRow) Output() []byte {
	return job.results
}

// Truth is the byte of a verdict.
func Truth(value bool) byte {
	if value {
		return 1
	}
	return 0
}
