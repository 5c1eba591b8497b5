//go:build amd64 && !purego

package painted

import (
	"bufio"
	"fmt"
	"os"
	"testing"

	"phalanx.example/phalanx/internal/ffi"
	"phalanx.example/phalanx/internal/image"
)

// bounds are the bytes of stack that the header of an image states for calls on one item and on many: less than half of the
// frame.
func bounds(t *testing.T, image string) (one, many int) {
	file, err := os.Open("../" + image + "/image_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if _, err := fmt.Sscanf(lines.Text(), "// stack %d %d", &one, &many); err == nil {
			if one*2 > 49152 || many*2 > Size {
				t.Errorf("bounds of %d and %d", one, many)
			}
			return one, many
		}
	}
	t.Fatal("the image states no bound")
	return 0, 0
}

// caller makes calls by an entry of an image, and keeps the most stack that they use: less than what the disassembly says.
type caller struct {
	t       *testing.T
	entry   func(*ffi.Call, *[Size]byte) uint32
	machine uint32
	bound   int
	most    int
}

func (c *caller) make(call ffi.Call) uint32 {
	stack := new([Size]byte)
	call.Machine = c.machine
	answer := c.entry(&call, stack)
	// What aligns the stack, and the call itself.
	if used := Used(stack); answer >= ffi.Misused || used > c.bound+64+8 {
		c.t.Errorf("operation %d on machine %d: %d, and %d bytes of stack", call.Operation, c.machine, answer, used)
	}
	c.most = max(c.most, Used(stack))
	return answer
}

func TestStackStaysBelowItsBound(t *testing.T) {
	one, many := bounds(t, "image")
	for _, machine := range image.Machines() {
		v := NewValues(machine, [32]byte{1}, [32]byte{2})
		single, rows := caller{t, Single, machine, one, 0}, caller{t, Rows, machine, many, 0}
		made := func(by *caller, calls []image.Call) {
			for _, call := range calls {
				if verdict := by.make(call); verdict != 0 {
					t.Errorf("operation %d on machine %d: %d", call.Operation, machine, verdict)
				}
			}
		}
		made(&single, v.Calls())
		for _, count := range []int{1, 9, 64, 128, 256, 300} {
			made(&rows, v.RowCalls(count))
		}
		t.Logf("machine %d: %d bytes for one item, %d for rows", machine, single.most, rows.most)
	}
}
