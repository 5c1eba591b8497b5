// Package abi is the lab's side of a measured library in Go: it speaks the messages that abi/src/frames.rs describes on
// standard input and output, and takes the time of each run.
package abi

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Request says what is asked of the library.
type Request struct {
	Op      string
	Rows    int
	Group   int
	Threads int
	Single  bool
	CPU     bool
}

// Job is rows ready to be computed.
type Job interface {
	// Run computes the rows first to first+count: the timed part.
	Run(first, count int)
	// Output gives the results of the last run over each row, in row order.
	Output() []byte
}

// Prepare makes a job of request.Rows rows of input; its error is the library's refusal.
type Prepare func(request Request, input []byte) (Job, error)

// Spare is how many threads of a program may run Go beyond those that a request names. A call into C that lasts longer than
// 20 us loses its place in a program that has as many as threads, and waits for one when it comes back. With one place more,
// as programs have by default, it keeps its own.
var Spare = 0

// NotOffered is the refusal of an operation that the library does not have.
func NotOffered(request Request) error {
	return fmt.Errorf("does not offer %s", request.Op)
}

// Serve answers the lab until its input ends. It describes the library by the version of the given module.
func Serve(module string, prepare Prepare) {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	var peer peer
	for {
		tag, body, err := read(in)
		if err == io.EOF {
			return
		}
		if err == nil {
			var answer []byte
			answer, err = peer.step(module, prepare, tag, body)
			if err != nil {
				err = write(out, 'E', []byte(err.Error()))
			} else {
				err = write(out, 'K', answer)
			}
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// peer is what is known between messages.
type peer struct {
	job   Job
	clock func() time.Duration
}

func (peer *peer) step(module string, prepare Prepare, tag byte, body []byte) ([]byte, error) {
	switch tag {
	case 'D':
		return []byte("version=" + version(module) + "\nflags=" + flags() + "\n"), nil
	case 'P':
		if len(body) < 8 {
			return nil, fmt.Errorf("a cut request")
		}
		length := binary.LittleEndian.Uint64(body)
		if length > uint64(len(body)-8) {
			return nil, fmt.Errorf("a cut request")
		}
		request, err := parse(string(body[8 : 8+length]))
		if err != nil {
			return nil, err
		}
		runtime.GOMAXPROCS(request.Threads + Spare)
		peer.clock = wall
		if request.CPU {
			peer.clock = cpu
		}
		peer.job, err = prepare(request, body[8+length:])
		return []byte("backend=default\n"), err
	case 'R':
		if peer.job == nil || len(body) != 24 {
			return nil, fmt.Errorf("nothing to run")
		}
		first := int(binary.LittleEndian.Uint64(body))
		count := int(binary.LittleEndian.Uint64(body[8:]))
		times := int(binary.LittleEndian.Uint64(body[16:]))
		start := peer.clock()
		for ; times > 0; times-- {
			peer.job.Run(first, count)
		}
		return binary.LittleEndian.AppendUint64(nil, uint64((peer.clock() - start).Nanoseconds())), nil
	case 'C':
		if peer.job == nil || len(body) != 16 {
			return nil, fmt.Errorf("nothing to count")
		}
		first := int(binary.LittleEndian.Uint64(body))
		count := int(binary.LittleEndian.Uint64(body[8:]))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		peer.job.Run(first, count)
		runtime.ReadMemStats(&after)
		answer := binary.LittleEndian.AppendUint64(nil, after.Mallocs-before.Mallocs)
		return binary.LittleEndian.AppendUint64(answer, after.TotalAlloc-before.TotalAlloc), nil
	case 'O':
		if peer.job == nil {
			return nil, fmt.Errorf("no results")
		}
		return peer.job.Output(), nil
	}
	return nil, fmt.Errorf("a message of unknown kind %q", tag)
}

var begun = time.Now()

// wall is time as it passes.
func wall() time.Duration {
	return time.Since(begun)
}

// cpu is the time that the process had a CPU.
func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func read(in io.Reader) (byte, []byte, error) {
	var head [9]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return 0, nil, err
	}
	body := make([]byte, binary.LittleEndian.Uint64(head[1:]))
	_, err := io.ReadFull(in, body)
	return head[0], body, err
}

func write(out *bufio.Writer, tag byte, body []byte) error {
	head := binary.LittleEndian.AppendUint64([]byte{tag}, uint64(len(body)))
	if _, err := out.Write(head); err != nil {
		return err
	}
	if _, err := out.Write(body); err != nil {
		return err
	}
	return out.Flush()
}

func parse(text string) (Request, error) {
	var request Request
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		key, value, _ := strings.Cut(line, "=")
		number, _ := strconv.Atoi(value)
		switch key {
		case "op":
			request.Op = value
		case "rows":
			request.Rows = number
		case "group":
			request.Group = number
		case "threads":
			request.Threads = number
		case "inputs":
			if value != "encoded" {
				return request, fmt.Errorf("does not offer %s with %s inputs", request.Op, value)
			}
		case "clock":
			request.CPU = value == "cpu"
		case "single":
			request.Single = number != 0
		case "lanes", "shape":
			// There is no arithmetic here.
		case "without":
			return request, fmt.Errorf("cannot leave out %s", value)
		default:
			return request, fmt.Errorf("request line not understood: %s", line)
		}
	}
	return request, nil
}

// Version is that of a library which is no module: the lab sets it when it builds the program.
var Version = "unknown"

func version(module string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dependency := range info.Deps {
			if dependency.Path == module {
				return strings.TrimPrefix(dependency.Version, "v")
			}
		}
	}
	return Version
}

func flags() string {
	text := runtime.Version()
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			switch setting.Key {
			case "GOAMD64", "-tags", "CGO_CFLAGS":
				text += " " + setting.Key + "=" + setting.Value
			}
		}
	}
	return text
}
