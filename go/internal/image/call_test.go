package image
import ("testing";"unsafe";"fmt";"crypto/sha256")
func TestX(t *testing.T){
 c := Call{Operation: Nothing}
 if got := Small(&c); uintptr(got) != unsafe.Sizeof(c) { t.Fatal(got, unsafe.Sizeof(c)) }
 for m := uint32(0); m<3; m++ {
 d := sha256.Sum256([]byte("x")); sk := [32]byte{31:7}
 var pk [65]byte; var sig [64]byte; var id [1]byte
 c = Call{Operation: PublicKey, Machine: m, Inputs:[3]Input{{unsafe.Pointer(&sk),0,32}}, Outputs:[2]Output{{unsafe.Pointer(&pk),0,65}}}
 fmt.Println(Large(&c), pk)
 c = Call{Operation: SignEcdsa, Machine: m, Inputs:[3]Input{{unsafe.Pointer(&d),0,32},{unsafe.Pointer(&sk),0,32}}, Outputs:[2]Output{{unsafe.Pointer(&sig),0,64},{unsafe.Pointer(&id),0,1}}}
 fmt.Println(Large(&c), sig, id)
 c = Call{Operation: VerifyEcdsa, Machine: m, Inputs:[3]Input{{unsafe.Pointer(&d),0,32},{unsafe.Pointer(&sig),0,64},{unsafe.Pointer(&pk),0,65}}}
 fmt.Println(Small(&c)); d[0]^=1; fmt.Println(Small(&c))
 }
}
func BenchmarkNothing(b *testing.B){ c := Call{Operation: Nothing}; for b.Loop() { Small(&c) } }
func BenchmarkVerify(b *testing.B){
 for m := uint32(0); m<3; m++ { b.Run(fmt.Sprint(m), func(b *testing.B){
 d := sha256.Sum256([]byte("x")); sk := [32]byte{31:7}
 var pk [65]byte; var sig [64]byte; var id [1]byte
 c := Call{Operation: PublicKey, Machine: m, Inputs:[3]Input{{unsafe.Pointer(&sk),0,32}}, Outputs:[2]Output{{unsafe.Pointer(&pk),0,65}}}
 Large(&c)
 c = Call{Operation: SignEcdsa, Machine: m, Inputs:[3]Input{{unsafe.Pointer(&d),0,32},{unsafe.Pointer(&sk),0,32}}, Outputs:[2]Output{{unsafe.Pointer(&sig),0,64},{unsafe.Pointer(&id),0,1}}}
 Large(&c)
 b.Run("sign", func(b *testing.B){ for b.Loop() { Large(&c) }})
 c2 := Call{Operation: VerifyEcdsa, Machine: m, Inputs:[3]Input{{unsafe.Pointer(&d),0,32},{unsafe.Pointer(&sig),0,64},{unsafe.Pointer(&pk),0,65}}}
 b.Run("verify", func(b *testing.B){ for b.Loop() { Small(&c2) }})
 })}
}
