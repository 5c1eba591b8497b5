package pure

import "encoding/binary"

// Row is a row of an operation in columns: its values, and where its output goes. Their lengths have been checked. Each
// operation has a method of its name.
type Row struct {
	In         [4][]byte
	Out        []byte
	AllowHighS bool
	// Payload is what is wanted of children: its number in the library.
	Payload byte
	// Secret is 32 bytes that all rows share.
	Secret *[32]byte
}

func (r Row) in32(i int) *[32]byte { return (*[32]byte)(r.In[i]) }
func (r Row) in64(i int) *[64]byte { return (*[64]byte)(r.In[i]) }
func (r Row) out20() *[20]byte     { return (*[20]byte)(r.Out) }
func (r Row) out32() *[32]byte     { return (*[32]byte)(r.Out) }
func (r Row) out64() *[64]byte     { return (*[64]byte)(r.Out) }
func (r Row) out65() *[65]byte     { return (*[65]byte)(r.Out) }

func (r Row) VerifyECDSA() Verdict { return VerifyECDSA(r.in32(0), r.in64(1), r.In[2], r.AllowHighS) }

func (r Row) VerifySchnorr() Verdict {
	var key [65]byte
	if verdict := ReadXOnly(r.In[2], &key); verdict != Valid {
		return verdict
	}
	return VerifySchnorr(r.In[0], r.in64(1), key[:])
}

func (r Row) Recover() Verdict    { return Recover(r.in32(0), r.in64(1), r.In[2][0], r.out65()) }
func (r Row) PublicKeys() Verdict { return PublicKey(r.in32(0), r.out65()) }

func (r Row) SignECDSA() Verdict {
	var id [1]byte
	return SignECDSA(r.in32(0), r.in32(1), r.out64(), &id)
}

func (r Row) SignSchnorr() Verdict    { return SignSchnorr(r.In[0], r.in32(1), r.in32(2), r.out64()) }
func (r Row) SharedSecrets() Verdict  { return SharedSecret(r.In[0], r.in32(1), r.out32()) }
func (r Row) TweakAddPublic() Verdict { return TweakPublic(r.In[0], r.in32(1), r.out65()) }
func (r Row) Decompress() Verdict     { return ReadPublicKey(r.In[0], r.out65()) }

func (r Row) BatchECDSA() Verdict   { return r.VerifyECDSA() }
func (r Row) BatchSchnorr() Verdict { return r.VerifySchnorr() }

func (r Row) Senders() Verdict {
	return Sender(r.in32(0), r.in64(1), r.In[2][0], r.AllowHighS, r.out20())
}

func (r Row) DeriveChildren() Verdict {
	index := binary.NativeEndian.Uint32(r.In[2])
	return DeriveChild(r.In[0], r.in32(1), index, r.Payload, (*[129]byte)(r.Out))
}
