// Era1 writes an archive of blocks by go-ethereum's own writer, and what go-ethereum says of its transactions.
//
// The writer is in a package that only go-ethereum's own tree may import. So the path of this module lies in that tree.
//
//	go run . FOLDER
//
// writes FOLDER/go-ethereum.era1 with transactions of all types, and FOLDER/go-ethereum.csv with the number of the
// block, the place in it, the hash and the sender of each.
package main

import (
	"crypto/ecdsa"
	"encoding/csv"
	"fmt"
	"math/big"
	"os"
	"path/filepath"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/internal/era/onedb"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/holiman/uint256"
)

// first is a block of Prague on the main chain.
const first = 22_500_000

// blocks is how many blocks the archive has. The last one has no transactions.
const blocks = 6

func main() {
	if len(os.Args) != 2 {
		fail("usage: era1 FOLDER")
	}
	if err := write(os.Args[1]); err != nil {
		fail(err)
	}
}

func fail(reason any) {
	fmt.Fprintln(os.Stderr, "era1:", reason)
	os.Exit(1)
}

// data is a transaction of each type that names `nonce`, and a legacy one of before EIP-155.
func data(nonce uint64) []types.TxData {
	one, to, price := big.NewInt(1), common.Address{0x11}, big.NewInt(30_000_000_000)
	fee, tip, value := uint256.NewInt(30_000_000_000), uint256.NewInt(1), uint256.NewInt(7)
	access := types.AccessList{{Address: common.Address{2}, StorageKeys: []common.Hash{{3}, {4}}}}
	input := make([]byte, 60*nonce)
	authorization, err := types.SignSetCode(key(99), types.SetCodeAuthorization{ChainID: *uint256.NewInt(1), Address: to, Nonce: nonce})
	if err != nil {
		fail(err)
	}
	return []types.TxData{
		&types.LegacyTx{Nonce: nonce, GasPrice: price, Gas: 21_000, To: &to, Value: one},
		&types.LegacyTx{Nonce: nonce, GasPrice: price, Gas: 90_000, Value: one, Data: input},
		&types.AccessListTx{ChainID: one, Nonce: nonce, GasPrice: price, Gas: 90_000, To: &to, Value: one, Data: input, AccessList: access},
		&types.DynamicFeeTx{ChainID: one, Nonce: nonce, GasTipCap: one, GasFeeCap: price, Gas: 90_000, Value: one, Data: input},
		&types.BlobTx{ChainID: uint256.NewInt(1), Nonce: nonce, GasTipCap: tip, GasFeeCap: fee, Gas: 90_000, To: to, Value: value,
			BlobFeeCap: fee, BlobHashes: []common.Hash{{1}}},
		&types.SetCodeTx{ChainID: uint256.NewInt(1), Nonce: nonce, GasTipCap: tip, GasFeeCap: fee, Gas: 90_000, To: to, Value: value,
			AccessList: access, AuthList: []types.SetCodeAuthorization{authorization}},
	}
}

func write(folder string) error {
	file, err := os.Create(filepath.Join(folder, "go-ethereum.era1"))
	if err != nil {
		return err
	}
	defer file.Close()
	said, err := os.Create(filepath.Join(folder, "go-ethereum.csv"))
	if err != nil {
		return err
	}
	defer said.Close()
	builder, rows := onedb.NewBuilder(file), csv.NewWriter(said)
	difficulty := new(big.Int)
	for number := uint64(first); number < first+blocks; number++ {
		var transactions []*types.Transaction
		if number+1 < first+blocks {
			transactions, err = signed(number - first)
			if err != nil {
				return err
			}
		}
		var receipts types.Receipts
		for _, transaction := range transactions {
			receipts = append(receipts, &types.Receipt{Type: transaction.Type(), Status: types.ReceiptStatusSuccessful, CumulativeGasUsed: 21_000})
		}
		difficulty.Add(difficulty, big.NewInt(1))
		header := &types.Header{Number: new(big.Int).SetUint64(number), Difficulty: big.NewInt(1), GasLimit: 36_000_000, Time: 1_747_000_000 + 12*number}
		block := types.NewBlock(header, &types.Body{Transactions: transactions}, receipts, trie.NewStackTrie(nil))
		if err := builder.Add(block, receipts, new(big.Int).Set(difficulty)); err != nil {
			return err
		}
		for index, transaction := range block.Transactions() {
			sender, err := types.Sender(signer(), transaction)
			if err != nil {
				return err
			}
			row := []string{fmt.Sprint(number), fmt.Sprint(index), transaction.Hash().Hex(), fmt.Sprintf("0x%x", sender)}
			if err := rows.Write(row); err != nil {
				return err
			}
		}
	}
	if _, err := builder.Finalize(); err != nil {
		return err
	}
	rows.Flush()
	return rows.Error()
}

// signed has a transaction of each type, each by a key of its own.
func signed(nonce uint64) ([]*types.Transaction, error) {
	var transactions []*types.Transaction
	for place, data := range data(nonce) {
		signer := signer()
		if place == 0 {
			signer = types.HomesteadSigner{}
		}
		transaction, err := types.SignNewTx(key(byte(1+place)), signer, data)
		if err != nil {
			return nil, err
		}
		transactions = append(transactions, transaction)
	}
	return transactions, nil
}

func signer() types.Signer {
	return types.LatestSignerForChainID(params.MainnetChainConfig.ChainID)
}

func key(seed byte) *ecdsa.PrivateKey {
	key, err := crypto.ToECDSA(common.LeftPadBytes([]byte{seed}, 32))
	if err != nil {
		fail(err)
	}
	return key
}
