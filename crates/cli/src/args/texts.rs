//! The longer texts of the help.

pub(super) const STATUSES: &str = "\
Exit status:
  0    every row is valid
  1    at least one row is invalid, none is malformed
  2    wrong usage, or an input or output error; the output is incomplete
  3    at least one row is malformed
  130  interrupted; no output is left behind

A file that cannot be read does not keep the others from being read. The status is 2 then, the summary names it, and \
no --out file appears.

An answer that cannot be written to standard output is an output error. It is none if the reader of a summary, of \
information or of help has gone away. Messages that cannot be written to standard error are lost; the status stays \
the same.";

pub(super) const COLUMNS: &str = "\
Columns, with other names in brackets; capitals, underscores, hyphens and spaces do not matter:
  id            any type, passed through
                [transaction_hash, tx_hash, txid, hash]
  scheme        ecdsa or schnorr; without it a 32-byte key means schnorr
  msg_hash      what was signed, 32 bytes [digest, sighash, message_hash]
  message       what was signed, of any length; for schnorr rows that have no
                msg_hash
  pubkey        33 or 65 bytes for ecdsa, 32 for schnorr [public_key]
  sig           64 bytes, 65 with a recovery id, any other length is DER
                [signature]
  r, s          instead of sig, at most 32 bytes each
  v             the recovery id, a whole number of any type: 0 to 3, 27 to 30,
                or by EIP-155 from 35 on; under --v header 27 to 42; also true
                or false. It is not read if sig has an id. verify does not
                check that it is the right one
                [recovery_id, recid, y_parity, recovery_param]
  from_address  the Ethereum address that recovery should find [from, sender]

Values are binary, or hex text with or without 0x. Other text is read if it can be nothing else: 0X, \\x, pairs of \
digits with colons, Base64, blobs as DuckDB and Python show them; for r and s also decimal numbers of 65 digits or \
more. Empty CSV fields are null, and spaces around values of CSV do not count. Two names of one value are an error unless \
--columns says which counts.

Signatures of 65 bytes whose recovery id seems to stand at the other end than --v says are out_of_range. A file of them \
is refused if recover could find wrong keys in it.";

pub(super) const EVENTS: &str = "\
Nostr events (NIP-01): a JSON line with any of the keys created_at, kind, tags and content is an event, and so is the \
object in a relay's message [\"EVENT\", \"subscription\", {...}]. It is malformed unless id, pubkey, created_at, \
kind, tags, content and sig are there, each as NIP-01 says. No other key counts, whatever --columns says. The id is \
computed; where the event names another, the row is invalid (invalid_signature). Messages without an event are no \
rows.";

pub(super) const VERDICTS: &str = "\
Verdicts, in the order of the checks:
  malformed_row           a value missing or null, text that cannot be read, a
                          column of the wrong type, a digest that is not 32
                          bytes, an unknown scheme; with the column's name;
                          also a row of more than 16 MiB
  bad_public_key          length, prefix, x >= p, not on the curve, not
                          liftable
  bad_signature_encoding  length, DER
  out_of_range            r or s zero or >= n; BIP-340: r >= p or s >= n; a
                          number that is no recovery id
  high_s                  s > n/2, only under --low-s require
  invalid_signature       the equation does not hold; recovery has no result
                          or not the expected key
  valid";

pub(super) const VERIFY_EXAMPLES: &str = "\
Examples:
  phalanx verify block.parquet
  phalanx verify --json --low-s require rows.csv.gz
  phalanx verify --out verdicts.parquet --columns sig=witness 2024-*.parquet
  phalanx verify --format csv --delimiter tab rows.txt
  zcat events.jsonl.gz | phalanx verify --out - - | grep '\"valid\":false'";

pub(super) const RECOVER_EXAMPLES: &str = "\
Examples:
  phalanx recover --out senders.parquet transactions.parquet
  phalanx recover --json --columns msg_hash=signing_hash transactions.csv
  phalanx recover --v header bitcoin-messages.csv";

pub(super) const SENDERS_INPUT: &str = "\
Input, by the ending of the name, else by content:
  .rlp          blocks, one after another, as nodes export them
  .era1         archives of blocks before the merge
  .jsonl        a block a line, as eth_getBlockByNumber answers with whole
                transactions, or a transaction a line; alone or as the result
                of a response [.ndjson, .json]
  hex           a raw transaction a line, by content alone
  .parquet      tables with a column raw [rawTx, raw_transaction], or of cryo,
  .csv          with the columns r, s and v. cryo has no access lists: a
                transaction whose hash says that it had one is malformed. So
                are types 3 and 4

A file of RLP or era1 fails where the transactions of a block are not those of its header. A line of JSON with such a \
block is one malformed row.

The output has the columns block, index, hash, row, sender, valid, reason and column. index is the place in the block.";

pub(super) const SENDERS_VERDICTS: &str = "\
Verdicts:
  malformed_row      no transaction, a field that is not canonical RLP, an
                     unknown type; with the field's name
  out_of_range       r or s zero or >= n; a v that the fork does not allow
  high_s             s > n/2, since Homestead
  invalid_signature  no key can have made it; another sender or hash than the
                     input says; another chain id; a type before its fork
  valid

Transactions of types without a signature have no verdict: valid is empty, the reason is unsigned, and the exit status \
does not depend on them.";

pub(super) const SENDERS_EXAMPLES: &str = "\
Examples:
  phalanx senders --out senders.parquet mainnet-01895-3f81607c.era1
  phalanx senders --fork prague --chain-id 10 optimism.jsonl.gz
  curl ... | phalanx senders --format jsonl --out - -";

pub(super) const MSM_STATUSES: &str = "\
Exit status:
  0    the sum of all rows is printed
  1    a scalar is not below the group order (out_of_range), or a point is
       none (bad_public_key)
  2    wrong usage, or an input or output error
  3    a row is malformed: a value missing or null, text that is not hex, a
       scalar that is not 32 bytes
  130  interrupted

The first row that is no term of the sum decides between 1 and 3 and is named on standard error; there is no sum \
then.";

pub(super) const MSM_COLUMNS: &str = "\
Columns, with other names that are understood in brackets; case does not matter:
  scalar        32 bytes, below the group order [coefficient]
  point         33 or 65 bytes; 33 zero bytes are infinity

Values are binary, or hex text with or without 0x. Of JSON lines, every line is a row.";

pub(super) const MSM_EXAMPLES: &str = "\
Examples:
  phalanx msm terms.parquet
  phalanx msm --columns point=pubkey,scalar=weight --memory 64 part-*.csv.gz";

pub(super) const SECRETS: &str = "\
The secret key is read from --secret-file or, without it, from the first line of standard input: 64 hex digits, with \
or without 0x, alone or after the word `secret` as keygen writes it. It is never taken from the command line, where \
the machine's other users and the shell's history would see it. What is typed at a terminal is not shown. Input behind that line is left to the next program \
that reads it.";

pub(super) const BENCH_STATUSES: &str = "\
Exit status:
  0    the rates are printed
  2    wrong usage, an output error, or backends that disagree
  130  interrupted";

pub(super) const BENCH_JSON: &str = "\
The JSON object:
  version    of this command
  cpu        the processor's name, or null
  features   instruction sets that Phalanx can make use of
  threads    how many threads all threads are
  load       threads of all programs that wanted to run in the minute before,
             or null
  backends   those that were measured
  backend    the one that is chosen here unless another is asked for; with
             --backend that one
  seconds    how long the run took
  rates      an array; each element has
    operation        verify-ecdsa, verify-ecdsa-few-keys, verify-schnorr,
                     recover, sign-ecdsa, sign-schnorr, public-keys,
                     shared-secrets, tweak-add-public, decompress or sum
    way              single, one row a call; or bulk
    threads          1 or all
    backend          the one that computed
    rows_per_second  the median; of a sum, products per second
    spread           the distance between the quartiles, as a share of the
                     median
    samples          how many the median is of
    rows_per_call    rows, or products of a sum, in a call
  gains      an array; each element has operation, way and threads, and
    gain             the rate of the chosen backend over that of the portable
                     one, the median over the rounds of samples. There are
                     none if the chosen backend is portable, or the only one
    best             the backend with the highest rate";

pub(super) const BENCH_EXAMPLES: &str = "\
Examples:
  phalanx bench
  phalanx bench --seconds 60 --json
  phalanx bench --backend portable";

pub(super) const BLOCKS_FILES: &str = "\
A file has one block: NAME.raw as bytes, or as bitcoin-cli getblock HASH 0 prints it, in hex. What the block spends is \
in a file beside it, unless the block has only a coinbase:
  NAME.undo.raw            for each output its value (8 bytes, little-endian),
                           the length of its script (compact size), the script
  NAME.spent-outputs.json  an array of objects with value in satoshis and
                           script_pubkey, or with both of them in txout; or what
                           REST gives: GET /rest/spenttxouts/HASH.json
NAME.json, as getblock HASH 3 prints it, has the block and what it spends.

Each may be packed as .zst. Rules go by the height that the block names (BIP-34), by that in its JSON, or by \
--heights N..N if neither is there.";
pub(super) const BLOCKS_COLUMNS: &str = "\
Columns of --out, a row for each signature under each key that was tried:
  height    of the block
  block     the block's hash, as text shows it
  txid      the transaction's id, as text shows it
  input     the number of the input
  scheme    ecdsa or schnorr
  msg_hash  what is signed
  pubkey    33 or 65 bytes for ecdsa, 32 for schnorr
  sig       64 bytes, without the sighash type
  valid     whether the signature holds; a valid input may have some that do
            not, where CHECKMULTISIG passes over a key
Columns of --inputs, a row for each input that spends something:
  height, block, txid, input  as above
  verdict   valid, invalid, or block_invalid if the block breaks a rule as a
            whole: then no script ran
  reason    why it is not valid: Bitcoin Core's name, such as EVAL_FALSE, or the
            rule that the block breaks
Blocks that could not be read, or that are damaged, have no rows.";

pub(super) const BLOCKS_STATUSES: &str = "\
Exit status:
  0    every input is valid
  1    at least one input is invalid, or a block as a whole
  2    wrong usage, or an input or output error; the output is incomplete
  3    at least one block could not be verified, or a file is damaged or
       missing, or a named height is not there: each is named, and all else is
       verified
  130  interrupted; no output is left behind, and a line says from which height
       to go on";

pub(super) const BLOCKS_EXAMPLES: &str = "\
Examples:
  phalanx blocks ~/.bitcoin
  phalanx blocks --heights 840000..840999 --out checks.parquet ~/.bitcoin
  phalanx blocks --network signet --json ~/.bitcoin/signet
  phalanx blocks block-866342.raw.zst";

pub(super) const DERIVE_KEYS: &str = "\
Keys: on the command line an extended public key. In a file a line has an extended key, public or secret; empty lines \
and lines that begin with # are passed over. Keys are numbered from 0 in the order of the input, malformed ones \
included. A secret key is never taken from the command line, where the machine's other users and the shell's history \
would see it; what is typed at a terminal is not shown.

Forms of a key, with prv for pub in secret keys:
  xpub..., tpub...     the key; --path leads to the parent of the children
  zpub..., ypub...     the same, and only for --address p2wpkh; p2sh-p2wpkh
                       [vpub..., upub...]
  [d34db33f/84h]xpub   the same key; its origin has no effect
  xpub.../0/*          the children of xpub.../0, without --path
  wpkh(xpub.../0/*)    the same, and only for --address p2wpkh; also pkh(),
                       sh(wpkh()) and tr(), with or without #checksum";

pub(super) const DERIVE_COLUMNS: &str = "\
Columns of --out, a row for each child:
  key         the number of the key
  index       the index of the child
  public_key  33 bytes
  script      of the output that pays to the address, with --address
  address     with --address

An index without a child, where BIP-32 says to take the next one, has a row without values. None is known.";

pub(super) const DERIVE_STATUSES: &str = "\
Exit status:
  0    every child is derived
  1    at least one index has no child
  2    wrong usage, or an input or output error; the output is incomplete
  3    at least one key is none, or has no such path: each is named, and all
       other children are derived
  130  interrupted; no output is left behind";

pub(super) const DERIVE_EXAMPLES: &str = "\
Examples:
  phalanx derive xpub6CatW... --path m/0 --range 0..999 --address p2wpkh
  phalanx derive accounts.txt --range 0..999 --address p2tr --out keys.parquet
  phalanx derive 'wpkh(xpub6CatW.../0/*)' --range 0..9 --address p2wpkh
  phalanx derive - --path m/86h/0h/0h/0 --range 0..19 --address p2tr < xprv.txt";

pub(super) const SCAN_COLUMNS: &str = "\
Columns of an index; case does not matter:
  txid       any type, passed through; may be missing
  height     a number, passed through; may be missing
  tweak_key  the tweak point: 33 or 65 bytes, or the 64 bytes in which
             libsecp256k1 keeps a point (x, then y, least significant byte
             first)
  outputs    a list: of each taproot output's key the first eight bytes as a
             big-endian number with a sign, or in text the whole key in hex

Values are binary, or hex text with or without 0x. A list in CSV is text such as [1, -2].";

pub(super) const SCAN_OUTPUT: &str = "\
Columns of --out, a row for each match:
  txid    as the index has it; bytes in hex
  height  as the index has it
  output  which of the row's outputs, from 0
  k       which of the receiver's outputs in the transaction, from 0
  label   the label that was paid to, if any; 0 is change
  key     the x of the output, 32 bytes
  tweak   what is added to the spend secret to spend it, 32 bytes

Who reads the file learns which outputs are the receiver's.";

pub(super) const SCAN_STATUSES: &str = "\
Exit status:
  0    every row was read, with matches or without
  2    wrong usage, or an input or output error; the output is incomplete
  3    at least one row is malformed, or its tweak point is none
  130  interrupted; no output is left behind";

pub(super) const SCAN_EXAMPLES: &str = "\
Examples:
  phalanx scan index.parquet --scan-key scan.txt --spend-key 025cc9...
  phalanx scan index.jsonl.zst --scan-key - --spend-key 025cc9... < scan.txt";
