//go:build cgo

package main

import "github.com/ethereum/go-ethereum/crypto/secp256k1"

// addCgo adds go-ethereum's libsecp256k1 to the contests that it has.
func addCgo(contests []contest, s sample) []contest {
	i := 0
	next := func() int {
		i = (i + 1) % rows
		return i
	}
	calls := map[string]func(){
		"verify": func() {
			i := next()
			compact := s.signatures[i].Bytes()
			check(secp256k1.VerifySignature(s.compressed[i][:], s.digests[i][:], compact[:]))
		},
		"recover": func() {
			i := next()
			compact := s.signatures[i].Bytes()
			must(secp256k1.RecoverPubkey(s.digests[i][:], append(compact[:], byte(s.ids[i]))))
		},
		"sign": func() {
			i := next()
			must(secp256k1.Sign(s.digests[i][:], s.secrets[i][:]))
		},
	}
	calls["bulk verify"], calls["bulk recover"], calls["bulk sign"] = calls["verify"], calls["recover"], calls["sign"]
	for j, contest := range contests {
		if call, ok := calls[contest.name]; ok {
			contests[j].contenders = append(contest.contenders, contender{name: "go-ethereum", rows: 1, call: call})
		}
	}
	return contests
}
