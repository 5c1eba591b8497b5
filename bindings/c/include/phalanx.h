/* Phalanx: secp256k1 one at a time and many side by side.
 *
 * Made from the library's source by a test; docs/use/c.md of the repository is the page to read first.
 *
 * CALLS. Those that can fail return a status, 0 (PHALANX_OK) for success. Calls on rows take columns (a pointer, a
 * stride and a width, each in bytes), write their answers to outputs of the same kind, and give each row a verdict of
 * one byte, 0 (PHALANX_VALID) for a good row. Outputs of rows that are not good are zero. A public key is written in
 * 33 or 65 bytes, by the width of its output. A secret key that is zero, or not below the group order, makes a row
 * PHALANX_MALFORMED_ROW. Randomness may be one value for all rows, by a stride of 0. Zero rows are allowed where a call
 * does not say otherwise. Pointers that are no columns point to as many bytes as a call says in brackets.
 *
 * TABLES OF KEYS. Where keys repeat, verification makes tables of them and keeps them, for which it allocates memory,
 * unless the handle's options or a workspace forbid it.
 *
 * REFUSED CALLS. All memory that a call is given is checked before any of it is written. A call writes nothing where
 * a column, an output or verdicts have more bytes than there can be (128 TiB; PHALANX_BAD_COLUMN), and
 * where verdicts overlap other memory of the call (PHALANX_OVERLAP). Any other call that is refused leaves
 * PHALANX_UNDECIDED in every verdict, and its outputs as they were. So look at the status before the verdicts. Where
 * a call has no verdicts, the place of its answer takes their part: what the call says that it writes first, zeros or
 * NULL. PHALANX_BAD_ROW is no refusal: every row has its verdict, and the answer is zeros or NULL. A call that was
 * cancelled leaves the rows that it has done, and PHALANX_UNDECIDED and zeros for the others.
 *
 * WHAT THE CALLER PROMISES. Memory that is passed is there for as many bytes as the arguments say, and nobody else
 * writes to it, or reads what is written, before the call ends. Structures and handles lie outside of what the call
 * writes. What a call can see of its arguments it checks: NULL, alignment, widths, strides, overlap of columns, outputs,
 * verdicts and workspace. A structure's numbers are read once, when the call begins.
 *
 * THREADS. Any thread may make any call at any time. Threads may share handles. A handle may be freed by any thread,
 * after the last call that uses it.
 *
 * ABI. Until version 1.0 a new minor version (0.x) may change the interface, and the shared library's name changes
 * with it. Within a minor version what is here stays: functions, structures and numbers may be added, and verdicts
 * too, so take none but PHALANX_VALID for a good row. No exception leaves the library; phalanx_progress says what
 * one does that leaves a callback.
 */
#ifndef PHALANX_H
#define PHALANX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first number of the version of the header. */
#define PHALANX_VERSION_MAJOR 0

/* The second number. */
#define PHALANX_VERSION_MINOR 1

/* The third number. */
#define PHALANX_VERSION_PATCH 0

/* The version of the library that runs, "major.minor.patch": a constant, never NULL. Compare it with the header's
 * numbers before anything else where the library is shared. */
const char *phalanx_version(void);

/* Values of one kind, one a row: that of row i is the `width` bytes from `data + i * stride` on. The values may lie
 * anywhere, in an array of their own or as a field of an array of structures. A stride of 0 gives all rows one
 * value. `data` may be NULL where there are no rows. */
typedef struct phalanx_column {

    /* The value of row 0. */
    const uint8_t *data;

    /* Bytes from the value of a row to that of the next one. */
    size_t stride;

    /* Bytes of a value. */
    size_t width;
} phalanx_column;

/* Room for values of one kind, one a row, as in a column. The stride must not be smaller than the width. */
typedef struct phalanx_output {

    /* The place of row 0. */
    uint8_t *data;

    /* Bytes from the place of a row to that of the next one. */
    size_t stride;

    /* Bytes of a value. */
    size_t width;
} phalanx_output;

/* What a program does when some rows are done: `done` of `rows`. It returns 0 to go on, and anything else to cancel
 * the call. It is called on the thread that made the call, and must return. A C++ exception that leaves it, and the
 * end of its thread (pthread_exit), end the program. A longjmp out of it is undefined: it skips what the call has to
 * free and to wipe. To throw or to jump, return 1, and do it when the call has returned. */
typedef int (*phalanx_progress)(void *user, size_t done, size_t rows);

/* What can be chosen for a handle. Set all of it to zero, then what is to be different. */
typedef struct phalanx_options {

    /* The name of a backend ("portable", "fma", "fma512", "ifma", on 64-bit ARM "neon"), or NULL for the one that the environment
     * variable PHALANX_BACKEND names, or else the best. */
    const char *backend;

    /* The number of threads, up to 4,096, the calling one included where it is 1; 0 for one a core. */
    size_t threads;

    /* 0 for tables of keys that many rows share, in at most 64 MiB; otherwise the largest number of bytes for them,
     * of which 1 forbids them. */
    size_t key_table_bytes;
} phalanx_options;

/* What can be chosen for one call. Set all of it to zero, then what is to be different. */
typedef struct phalanx_call {

    /* Memory that the call computes in, aligned to 64 bytes; what it holds does not matter. The call then runs on
     * the calling thread, allocates nothing and makes no tables of keys. NULL for the memory that the library's
     * threads keep. */
    void *workspace;

    /* Bytes of the workspace: at least what phalanx_workspace_bytes says. */
    size_t workspace_bytes;

    /* NULL, or what is to be done between steps. */
    phalanx_progress progress;

    /* Handed to `progress`. */
    void *user;

    /* Rows of a step; 0 for 65,536 where there is a `progress`, and for all rows where there is none. */
    size_t rows_per_step;
} phalanx_call;

/* The verdict of a row: its signature is valid. */
#define PHALANX_VALID 0

/* The verdict of a row: a value has the wrong length, or a secret key, a message or a public nonce cannot be. */
#define PHALANX_MALFORMED_ROW 1

/* The verdict of a row: the public key is none. */
#define PHALANX_BAD_PUBLIC_KEY 2

/* The verdict of a row: the signature has the wrong form. */
#define PHALANX_BAD_SIGNATURE_ENCODING 3

/* The verdict of a row: a number of the signature, or the recovery id, is out of range. */
#define PHALANX_OUT_OF_RANGE 4

/* The verdict of a row: s is above half the group order, which the call refuses. */
#define PHALANX_HIGH_S 5

/* The verdict of a row: the equation does not hold. */
#define PHALANX_INVALID_SIGNATURE 6

/* The verdict of a row that has none: the call failed or was cancelled before. */
#define PHALANX_UNDECIDED 255

/* Accept s in either half. The default is to refuse the upper one, as Bitcoin and Ethereum do. */
#define PHALANX_ALLOW_HIGH_S 1

/* Payload of phalanx_derive_children: none. */
#define PHALANX_PAYLOAD_NONE 0

/* Payload of phalanx_derive_children: HASH160 of the key in 33 bytes, for P2PKH and P2WPKH; 20 bytes. */
#define PHALANX_PAYLOAD_KEY_HASH 1

/* Payload of phalanx_derive_children: HASH160 of the P2WPKH script of the key, for P2SH-P2WPKH; 20 bytes. */
#define PHALANX_PAYLOAD_SCRIPT_HASH 2

/* Payload of phalanx_derive_children: the x of the taproot output key without a tree of scripts, for P2TR; 32 bytes. */
#define PHALANX_PAYLOAD_TAPROOT_KEY 3

/* Operation of phalanx_workspace_bytes: a function that gives each row a verdict, one by one. */
#define PHALANX_OPERATION_ROWS 0

/* Operation of phalanx_workspace_bytes: phalanx_batch_ecdsa. */
#define PHALANX_OPERATION_BATCH_ECDSA 1

/* Operation of phalanx_workspace_bytes: phalanx_batch_schnorr. */
#define PHALANX_OPERATION_BATCH_SCHNORR 2

/* Operation of phalanx_workspace_bytes: phalanx_sum_of_products_in. */
#define PHALANX_OPERATION_SUM_OF_PRODUCTS 3

/* All went well. Rows may still have been refused: each has its verdict. */
#define PHALANX_OK 0

/* A pointer is NULL that must not be. */
#define PHALANX_NULL_POINTER 1

/* A pointer is not aligned as what it points to. */
#define PHALANX_MISALIGNED 2

/* A column or an output has a width that the call does not take, a stride that lets outputs overlap, or more bytes
 * than there can be. */
#define PHALANX_BAD_COLUMN 3

/* An output lies within another output, an input or the workspace; from its first byte to its last one. */
#define PHALANX_OVERLAP 4

/* The workspace is smaller than phalanx_workspace_bytes says. */
#define PHALANX_WORKSPACE_TOO_SMALL 5

/* This build or this CPU does not have the backend. */
#define PHALANX_BACKEND_UNAVAILABLE 6

/* The threads asked for could not be started. */
#define PHALANX_THREADS_UNAVAILABLE 7

/* The program cancelled the call. */
#define PHALANX_CANCELLED 8

/* A flag, another number or a key is none that the call takes. */
#define PHALANX_BAD_ARGUMENT 9

/* A scalar is not below the order of the group, or is zero and cannot be. */
#define PHALANX_BAD_SCALAR 10

/* A point is not the encoding of one. */
#define PHALANX_BAD_POINT 11

/* The tables are damaged, or of another basis or width. */
#define PHALANX_BAD_TABLES 12

/* An error of the library itself. Nothing that the call wrote may be used. */
#define PHALANX_INTERNAL_ERROR 13

/* Some row is not good, and so the answer is zeros or NULL. The row's verdict says what is wrong. */
#define PHALANX_BAD_ROW 14

/* The secret nonce has been used up, or its randomness was used before and is zero. */
#define PHALANX_USED_NONCE 15

/* The program's memory has no room for all matches. Their number is told, and nothing else. */
#define PHALANX_CAPACITY_TOO_SMALL 16

/* What a status says, in English. The text is a constant of the library, never NULL. */
const char *phalanx_status_text(int32_t status);

/* A backend, threads, and tables of keys that are kept from call to call. Threads may share one. */
typedef struct phalanx_bulk phalanx_bulk;

/* Makes a handle by these options; NULL stands for options that are all zero.
 *
 * Writes NULL to `bulk` first. PHALANX_BACKEND_UNAVAILABLE, PHALANX_THREADS_UNAVAILABLE. */
int32_t phalanx_bulk_new(const phalanx_options *options, phalanx_bulk **bulk);

/* Frees a handle, which no call uses any more. NULL is allowed. */
void phalanx_bulk_free(phalanx_bulk *bulk);

/* The name of the handle's backend, a constant of the library; NULL for no handle. */
const char *phalanx_bulk_backend(const phalanx_bulk *bulk);

/* The number of threads of the handle; 0 for no handle. */
size_t phalanx_bulk_threads(const phalanx_bulk *bulk);

/* Writes the bytes of a workspace that is enough for an operation (PHALANX_OPERATION_...) on a given number of rows,
 * and on fewer. Operations on rows compute them in chunks, and take as many bytes for any number. Batches stop growing
 * too. A sum of products takes more for more rows; there SIZE_MAX rows take SIZE_MAX bytes. With somewhat fewer
 * bytes batches and sums may still be computed, and take longer.
 *
 * Writes 0 first. PHALANX_BAD_ARGUMENT for an operation that is none. */
int32_t phalanx_workspace_bytes(const phalanx_bulk *bulk, uint32_t operation, size_t rows, size_t *bytes);

/* Verifies ECDSA signatures. Variable time.
 *
 * Reads: digests (32 bytes), signatures (64 bytes), public_keys (33 or 65 bytes). Flags: 0 or PHALANX_ALLOW_HIGH_S.
 * Writes: verdicts to out. */
int32_t phalanx_verify_ecdsa(
    const phalanx_bulk *bulk,
    const phalanx_column *digests,
    const phalanx_column *signatures,
    const phalanx_column *public_keys,
    uint32_t flags,
    uint8_t *out,
    size_t rows,
    const phalanx_call *call);

/* Verifies Schnorr signatures of BIP-340. Variable time.
 *
 * Reads: messages (any one width), signatures (64 bytes), public_keys (32 bytes).
 * Writes: verdicts to out. */
int32_t phalanx_verify_schnorr(
    const phalanx_bulk *bulk,
    const phalanx_column *messages,
    const phalanx_column *signatures,
    const phalanx_column *public_keys,
    uint8_t *out,
    size_t rows,
    const phalanx_call *call);

/* Recovers the public keys of ECDSA signatures by recovery ids from 0 to 3. High s is accepted. Variable time.
 *
 * Reads: digests (32 bytes), signatures (64 bytes), recovery_ids (1 byte).
 * Writes: found_keys (33 or 65 bytes), verdicts to out. */
int32_t phalanx_recover(
    const phalanx_bulk *bulk,
    const phalanx_column *digests,
    const phalanx_column *signatures,
    const phalanx_column *recovery_ids,
    const phalanx_output *found_keys,
    uint8_t *out,
    size_t rows,
    const phalanx_call *call);

/* Computes the public keys of secret keys. Constant time.
 *
 * Reads: secret_keys (32 bytes).
 * Writes: public_keys (33 or 65 bytes), verdicts to out. */
int32_t phalanx_public_keys(
    const phalanx_bulk *bulk,
    const phalanx_column *secret_keys,
    const phalanx_output *public_keys,
    uint8_t *out,
    size_t rows,
    const phalanx_call *call);

/* Signs digests by secret keys: ECDSA with the nonces of RFC 6979 and low s. Constant time.
 *
 * Reads: digests (32 bytes), secret_keys (32 bytes).
 * Writes: signatures (64 bytes), recovery_ids (1 byte, or NULL), verdicts to out. */
int32_t phalanx_sign_ecdsa(
    const phalanx_bulk *bulk,
    const phalanx_column *digests,
    const phalanx_column *secret_keys,
    const phalanx_output *signatures,
    const phalanx_output *recovery_ids,
    uint8_t *out,
    size_t rows,
    const phalanx_call *call);

/* Signs messages by secret keys and auxiliary randomness, which may be zero: BIP-340. Constant time.
 *
 * Reads: messages (any one width), secret_keys (32 bytes), randomness (32 bytes).
 * Writes: signatures (64 bytes), verdicts to out. */
int32_t phalanx_sign_schnorr(
    const phalanx_bulk *bulk,
    const phalanx_column *messages,
    const phalanx_column *secret_keys,
    const phalanx_column *randomness,
    const phalanx_output *signatures,
    uint8_t *out,
    size_t rows,
    const phalanx_call *call);

/* Computes the shared secrets of public keys and secret keys: ECDH with the hash that libsecp256k1 takes by default,
 * SHA-256 of the compressed point. Constant time in the secret keys.
 *
 * Reads: public_keys (33 or 65 bytes), secret_keys (32 bytes).
 * Writes: shared_secrets (32 bytes), verdicts to out. */
int32_t phalanx_shared_secrets(
    const phalanx_bulk *bulk,
    const phalanx_column *public_keys,
    const phalanx_column *secret_keys,
    const phalanx_output *shared_secrets,
    uint8_t *out,
    size_t rows,
    const phalanx_call *call);

/* Adds tweaks times the generator to public keys. Constant time in the tweaks, except that it tells whether a row
 * has a result.
 *
 * Reads: public_keys (33 or 65 bytes), tweaks (32 bytes).
 * Writes: tweaked_keys (33 or 65 bytes), verdicts to out. */
int32_t phalanx_tweak_add_public(
    const phalanx_bulk *bulk,
    const phalanx_column *public_keys,
    const phalanx_column *tweaks,
    const phalanx_output *tweaked_keys,
    uint8_t *out,
    size_t rows,
    const phalanx_call *call);

/* Reads public keys, and writes them in another form. Variable time.
 *
 * Reads: public_keys (33 or 65 bytes).
 * Writes: found_keys (33 or 65 bytes), verdicts to out. */
int32_t phalanx_decompress(
    const phalanx_bulk *bulk,
    const phalanx_column *public_keys,
    const phalanx_output *found_keys,
    uint8_t *out,
    size_t rows,
    const phalanx_call *call);

/* Derives children of extended public keys (BIP-32), and what scripts hold of them. A parent is its key and its
 * chain code, and is read once for rows that follow each other. An index of 2^31 or more is that of a hardened
 * child, which no public key has, and makes a row malformed. Variable time.
 *
 * Reads: parent_keys (33 or 65 bytes), chain_codes (32 bytes), indices (4 bytes, a uint32_t). Payload: one of
 * PHALANX_PAYLOAD_...; with PHALANX_PAYLOAD_NONE the payloads are NULL.
 * Writes: child_keys (33 or 65 bytes, or NULL), child_chain_codes (32 bytes, or NULL), payloads (20 or 32 bytes, or
 * NULL), verdicts to out. */
int32_t phalanx_derive_children(
    const phalanx_bulk *bulk,
    const phalanx_column *parent_keys,
    const phalanx_column *chain_codes,
    const phalanx_column *indices,
    uint32_t payload,
    const phalanx_output *child_keys,
    const phalanx_output *child_chain_codes,
    const phalanx_output *payloads,
    uint8_t *out,
    size_t rows,
    const phalanx_call *call);

/* Finds the Ethereum addresses that made ECDSA signatures of signing hashes. The parity of a row is 0, or 1 where
 * the y of the nonce point is odd; any other is out of range. Variable time.
 *
 * Reads: signing_hashes (32 bytes), signatures (64 bytes), parities (1 byte). Flags: 0 or PHALANX_ALLOW_HIGH_S.
 * Writes: addresses (20 bytes), verdicts to out. */
int32_t phalanx_senders(
    const phalanx_bulk *bulk,
    const phalanx_column *signing_hashes,
    const phalanx_column *signatures,
    const phalanx_column *parities,
    uint32_t flags,
    const phalanx_output *addresses,
    uint8_t *out,
    size_t rows,
    const phalanx_call *call);

/* Verifies ECDSA signatures by sums of products over many rows, which is faster where there are a hundred and more
 * of them and nearly all are valid. A recovery id is a hint: a wrong one costs time and changes no verdict, and a
 * value above 3 gives no hint. A wrong row is valid with probability below 2^-124. Variable time.
 *
 * Reads: digests (32 bytes), signatures (64 bytes), public_keys (33 or 65 bytes), recovery_ids (1 byte). Flags: 0 or
 * PHALANX_ALLOW_HIGH_S. Randomness: 32 bytes that nobody could know when the rows were chosen, or NULL for those of
 * the operating system. With a workspace it must be given; without one, memory is allocated.
 * Writes: verdicts to out. */
int32_t phalanx_batch_ecdsa(
    const phalanx_bulk *bulk,
    const phalanx_column *digests,
    const phalanx_column *signatures,
    const phalanx_column *public_keys,
    const phalanx_column *recovery_ids,
    uint32_t flags,
    const uint8_t *randomness,
    uint8_t *out,
    size_t rows,
    const phalanx_call *call);

/* Verifies Schnorr signatures of BIP-340 by sums of products over many rows, which is faster where there are a
 * hundred and more of them and nearly all are valid. A wrong row is valid with probability below 2^-124. Variable
 * time.
 *
 * Reads: messages (any one width), signatures (64 bytes), public_keys (32 bytes). Randomness: 32 bytes that nobody
 * could know when the rows were chosen, or NULL for those of the operating system. With a workspace it must be
 * given; without one, memory is allocated.
 * Writes: verdicts to out. */
int32_t phalanx_batch_schnorr(
    const phalanx_bulk *bulk,
    const phalanx_column *messages,
    const phalanx_column *signatures,
    const phalanx_column *public_keys,
    const uint8_t *randomness,
    uint8_t *out,
    size_t rows,
    const phalanx_call *call);

/* A receiver of silent payments (BIP-352) who scans: scan secret, spend key, labels. Threads may share one. It takes
 * the scan secret to find payments, and spends none. */
typedef struct phalanx_scanner phalanx_scanner;

/* An output that is a receiver's. */
typedef struct phalanx_match {

    /* The number of the row. */
    size_t row;

    /* The number of the receiver. */
    size_t scanner;

    /* Which of the row's outputs, from 0. */
    size_t output;

    /* Which of the receiver's outputs in the transaction, from 0. */
    uint32_t k;

    /* The label that was paid to; 0 too where there is none. */
    uint32_t label;

    /* 1 where a label was paid to, else 0. Label 0 is change. */
    uint8_t has_label;

    /* The x of the output's key. */
    uint8_t key[32];

    /* What spends the output: added to the spend secret, modulo the order of the group, it is the output's secret key.
     * The program wipes it. */
    uint8_t tweak[32];
} phalanx_match;

/* Makes a receiver of a scan secret (32 bytes) and a spend key (33 bytes), with labels (4 bytes, a uint32_t; NULL for no
 * labels). Label 0 is always among them, and with it there are at most 100,000. Constant time in the scan secret. A scan
 * takes an addition for each label and row.
 *
 * Writes NULL to `scanner` first. PHALANX_BAD_SCALAR, PHALANX_BAD_POINT, PHALANX_BAD_ARGUMENT for labels. */
int32_t phalanx_scanner_new(
    const uint8_t *scan_secret,
    const uint8_t *spend_key,
    const phalanx_column *labels,
    size_t label_count,
    phalanx_scanner **scanner);

/* Wipes and frees a receiver, whom no call uses any more. NULL is allowed. */
void phalanx_scanner_free(phalanx_scanner *scanner);

/* Finds the outputs of receivers in transactions (BIP-352), of which an index has a row each: the tweak point, and the
 * taproot outputs. Writes matches, by row, receiver and k, to room for `capacity` of them, and their number to `found`.
 * A tweak point that is none makes its row PHALANX_BAD_PUBLIC_KEY; other rows are PHALANX_VALID, whether they pay or
 * not. Without receivers no row is read, and all are PHALANX_UNDECIDED.
 *
 * Reads: tweak_points (33 or 65 bytes of SEC 1; 64 bytes as libsecp256k1 keeps a point), outputs of all rows one behind
 * the other (their keys of 32 bytes; or the first eight bytes of each as an int64_t, aligned, of which the highest byte
 * is the first one), offsets (4 or 8 bytes, a uint32_t or uint64_t; none for no rows). There is an offset more than
 * there are rows, and the outputs of row i are those from its offset to the next one. By prefixes a match is as sure as
 * eight bytes.
 *
 * Writes 0 to `found` first. PHALANX_BAD_ARGUMENT for offsets that fall, or are more than `output_count`.
 * PHALANX_CAPACITY_TOO_SMALL for more matches than there is room for: then `found` is their number, verdicts are
 * undecided, and no match is written. For progress, scan some of the rows at a time. Allocates memory. Constant time in
 * scan secrets, shared points and tweaks; time may tell which rows pay. */
int32_t phalanx_scan_silent_payments(
    const phalanx_bulk *bulk,
    const phalanx_scanner *const *scanners,
    size_t scanner_count,
    const phalanx_column *tweak_points,
    const phalanx_column *outputs,
    size_t output_count,
    const phalanx_column *offsets,
    phalanx_match *matches,
    size_t capacity,
    size_t *found,
    uint8_t *out,
    size_t rows);

/* Computes the sum of scalars (32 bytes, big-endian, below the order) times points (33 or 65 bytes, SEC 1; infinity
 * is all zero). Writes it to the 33 bytes at `sum`, compressed; infinity is all zero. Variable time: not for
 * secrets. Allocates memory.
 *
 * Writes zeros first. PHALANX_BAD_SCALAR, PHALANX_BAD_POINT. */
int32_t phalanx_sum_of_products(
    const phalanx_bulk *bulk,
    const phalanx_column *scalars,
    const phalanx_column *points,
    size_t rows,
    uint8_t *sum);

/* As phalanx_sum_of_products, on the calling thread and in the program's memory: a workspace aligned to 64 bytes, of
 * as many as phalanx_workspace_bytes says. Allocates nothing.
 *
 * PHALANX_WORKSPACE_TOO_SMALL where the sum cannot be computed in the workspace. */
int32_t phalanx_sum_of_products_in(
    const phalanx_bulk *bulk,
    const phalanx_column *scalars,
    const phalanx_column *points,
    size_t rows,
    uint8_t *sum,
    void *workspace,
    size_t workspace_bytes);

/* Writes the bytes of the tables over 1 to 65,536 points of secp256k1, with windows of so many bits (1 to 16; 8 is a
 * good start). More bits take more memory and less time: 2^(bits - 1) entries of 64 bytes for each of the 256 / bits
 * windows (rounded up) of each point, and 64 bytes before them.
 *
 * Writes 0 first. PHALANX_BAD_ARGUMENT for other numbers, and for tables of 2^26 entries (4 GiB) and more. */
int32_t phalanx_fixed_base_bytes(size_t points, uint32_t window_bits, size_t *bytes);

/* Computes the tables over points (33 or 65 bytes, SEC 1; infinity is all zero) into memory of at least as many bytes
 * as phalanx_fixed_base_bytes says, aligned to 64 bytes, on the calling thread. The memory may be saved to a file and
 * loaded or mapped again, on a machine of the same byte order. Allocates some memory for the time of the call.
 *
 * PHALANX_BAD_ARGUMENT for points or bits that tables cannot have, and for fewer bytes; PHALANX_BAD_POINT. */
int32_t phalanx_fixed_base_build(
    const phalanx_bulk *bulk,
    const phalanx_column *points,
    size_t count,
    uint32_t window_bits,
    uint8_t *memory,
    size_t bytes);

/* Computes sums by tables that phalanx_fixed_base_build has written, on the calling thread. Row i of `vectors` is a
 * vector of scalars of 32 bytes, big-endian, below the order of the group, so that the width is 32 times their number;
 * they are for the first points, and those behind them count nothing. Writes sums of 33 bytes, compressed; infinity is
 * all zero. Variable time: not for secrets. Allocates memory for the time of the call.
 *
 * Writes zeros first. PHALANX_BAD_SCALAR if some scalar is not below the order; then all are zero. PHALANX_BAD_TABLES
 * for memory that is none, or not all, of such tables. Damage of their entries is not found. */
int32_t phalanx_fixed_base_sums(
    const phalanx_bulk *bulk,
    const uint8_t *memory,
    size_t bytes,
    const phalanx_column *vectors,
    const phalanx_output *sums,
    size_t rows);

/* A flag: the secret key of phalanx_ellswift_xdh is that of the responder. The default is the initiator, who opened the
 * connection. */
#define PHALANX_RESPONDER 1

/* Writes an ElligatorSwift encoding of a public key (33 bytes): 64 bytes that look like noise to whoever does not know
 * the 32 bytes of randomness. Variable time.
 *
 * Writes zeros first. PHALANX_BAD_POINT. */
int32_t phalanx_ellswift_encode(const uint8_t *public_key, const uint8_t *randomness, uint8_t *encoding);

/* Writes an ElligatorSwift encoding (64 bytes) of the public key of a secret key. It looks like noise, and depends on
 * the secret key and on 32 bytes of auxiliary randomness, or on the secret key alone where they are NULL. Constant
 * time.
 *
 * Writes zeros first. PHALANX_BAD_SCALAR for what is no secret key. */
int32_t phalanx_ellswift_create(const uint8_t *secret_key, const uint8_t *auxiliary, uint8_t *encoding);

/* Writes the public key (33 bytes) that an encoding of 64 bytes stands for. Any bytes are an encoding. Variable time.
 *
 * Writes zeros first. */
int32_t phalanx_ellswift_decode(const uint8_t *encoding, uint8_t *public_key);

/* Writes the secret (32 bytes) that BIP-324 makes of the two parties' encodings (64 bytes each) and one of their secret
 * keys. Flags: 0, or PHALANX_RESPONDER where the secret key is the responder's. Constant time in the secret key.
 *
 * Writes zeros first. PHALANX_BAD_ARGUMENT, PHALANX_BAD_SCALAR for what is no secret key. */
int32_t phalanx_ellswift_xdh(
    const uint8_t *initiator,
    const uint8_t *responder,
    const uint8_t *secret_key,
    uint32_t flags,
    uint8_t *shared);

/* The keys of all signers of MuSig2, and the aggregate key, tweaked or not. It never changes. */
typedef struct phalanx_musig_keys phalanx_musig_keys;

/* The secret half of a nonce, which signs once. It cannot be copied or written down. */
typedef struct phalanx_musig_secret_nonce phalanx_musig_secret_nonce;

/* What a nonce depends on besides its signer's public key. Set all of it to zero, then what is known: each value makes
 * a repeated nonce less likely where randomness fails. */
typedef struct phalanx_musig_nonce_inputs {

    /* The signer's secret key (32 bytes), or NULL. */
    const uint8_t *secret_key;

    /* The x of the aggregate key (32 bytes: those behind the first one of the 33), or NULL. */
    const uint8_t *aggregate_key;

    /* The message, or NULL where it is not known yet. */
    const uint8_t *message;

    /* Bytes of the message. */
    size_t message_bytes;

    /* Anything else, such as a counter. */
    const uint8_t *extra;

    /* Its bytes. */
    size_t extra_bytes;

    /* 32 uniform bytes that are used for nothing else, and which the call zeroes; or NULL for the operating system's. */
    uint8_t *randomness;
} phalanx_musig_nonce_inputs;

/* A flag: the tweak of phalanx_musig_keys_tweak is added to the point with even y, as that of a taproot output key is. The
 * default is to add it to the aggregate key, as BIP-32 does. */
#define PHALANX_X_ONLY_TWEAK 1

/* Aggregates the public keys of all signers (33 bytes), which must be in the same order everywhere. Writes a handle, and
 * the aggregate key (33 bytes), whose last 32 bytes are the key that signatures verify under. A row whose key is none
 * is PHALANX_BAD_PUBLIC_KEY. Variable time.
 *
 * Writes NULL to `keys` first. PHALANX_BAD_ROW if some key is none; PHALANX_BAD_ARGUMENT for no keys, or if the
 * aggregate is infinity. */
int32_t phalanx_musig_keys_new(
    const phalanx_column *public_keys,
    phalanx_musig_keys **keys,
    uint8_t *aggregate_key,
    uint8_t *out,
    size_t rows);

/* Adds a tweak (32 bytes) times the generator to an aggregate key. Flags: 0 or PHALANX_X_ONLY_TWEAK. Writes another
 * handle, and its aggregate key (33 bytes). Variable time.
 *
 * Writes NULL to `tweaked` and zeros to `aggregate_key` first. PHALANX_BAD_SCALAR if the tweak is not below the order, or the result is infinity;
 * PHALANX_BAD_ARGUMENT. */
int32_t phalanx_musig_keys_tweak(
    const phalanx_musig_keys *keys,
    const uint8_t *tweak,
    uint32_t flags,
    phalanx_musig_keys **tweaked,
    uint8_t *aggregate_key);

/* Frees keys, which no call uses any more; sessions go on. NULL is allowed. */
void phalanx_musig_keys_free(phalanx_musig_keys *keys);

/* Makes a nonce of the signer with this public key (33 bytes). Writes a handle of the secret half, and the public half
 * (66 bytes), which the signer sends. NULL stands for inputs that are all zero. Constant time in secrets.
 *
 * Writes NULL to `nonce` and zeros to `public_nonce` first. PHALANX_BAD_POINT, PHALANX_BAD_SCALAR for what is no secret key, PHALANX_USED_NONCE for
 * randomness that is zero. */
int32_t phalanx_musig_secret_nonce_new(
    const uint8_t *public_key,
    const phalanx_musig_nonce_inputs *inputs,
    phalanx_musig_secret_nonce **nonce,
    uint8_t *public_nonce);

/* Frees a secret nonce, which no call uses any more, and wipes it if it has not signed. NULL is allowed. */
void phalanx_musig_secret_nonce_free(phalanx_musig_secret_nonce *nonce);

/* Adds the public nonces of all signers (66 bytes). Writes the aggregate nonce (66 bytes). A row whose nonce is none is
 * PHALANX_MALFORMED_ROW. Variable time.
 *
 * PHALANX_BAD_ROW if some nonce is none; PHALANX_BAD_ARGUMENT for no nonces. */
int32_t phalanx_musig_aggregate_nonce(
    const phalanx_column *public_nonces,
    uint8_t *aggregate_nonce,
    uint8_t *out,
    size_t rows);

/* What all signers of a message share in the second round: keys, the aggregate nonce, the message. All of it is public. */
typedef struct phalanx_musig_session phalanx_musig_session;

/* Makes the session of a message, from the sum of the nonces that the signers made for it (66 bytes). It copies the keys
 * and the message. Make a new one for each message. Variable time.
 *
 * Writes NULL to `session` first. PHALANX_BAD_POINT for what is no aggregate nonce: the fault of who made it. */
int32_t phalanx_musig_session_new(
    const phalanx_musig_keys *keys,
    const uint8_t *aggregate_nonce,
    const uint8_t *message,
    size_t message_bytes,
    phalanx_musig_session **session);

/* Frees a session, which no call uses any more. NULL is allowed. */
void phalanx_musig_session_free(phalanx_musig_session *session);

/* Writes a signer's partial signature (32 bytes), which uses the secret nonce up and wipes it, also where the call fails
 * once its memory is found good. Of calls with one nonce, on any threads, one signs. Constant time in secrets.
 *
 * Writes zeros first. PHALANX_USED_NONCE for a nonce that was used; PHALANX_BAD_SCALAR for what is no secret key;
 * PHALANX_BAD_ARGUMENT if the secret key is no signer's, or not the one that the nonce was made for. */
int32_t phalanx_musig_partial_sign(
    const phalanx_musig_session *session,
    phalanx_musig_secret_nonce *nonce,
    const uint8_t *secret_key,
    uint8_t *partial);

/* Verifies the partial signatures (32 bytes) of some signers, or of all in one call, which takes less time by one sum.
 * `first` is the number of the first of them in the order of the keys, from 0; their public nonces (66 bytes) and partial
 * signatures are those of it and of the signers behind it. Variable time.
 *
 * A row is PHALANX_MALFORMED_ROW if its nonce is none, PHALANX_OUT_OF_RANGE if its partial signature is not below the
 * order, PHALANX_INVALID_SIGNATURE if it does not hold. PHALANX_BAD_ARGUMENT for more signers than there are. */
int32_t phalanx_musig_partial_verify(
    const phalanx_musig_session *session,
    size_t first,
    const phalanx_column *public_nonces,
    const phalanx_column *partials,
    uint8_t *out,
    size_t rows);

/* Makes the signature (64 bytes, BIP-340) of the partial signatures of all signers, and verifies it, which costs one
 * verification if nobody cheats: where the signature holds, partial signatures are not looked at one by one.
 * Otherwise the rows of those who cheat have the verdicts of phalanx_musig_partial_verify. Variable time.
 *
 * PHALANX_BAD_ROW if somebody cheats. PHALANX_BAD_ARGUMENT if there is not one row for each signer; or if all partial
 * signatures hold, but the session's aggregate nonce is not the sum of these nonces, or that sum is infinity. */
int32_t phalanx_musig_aggregate(
    const phalanx_musig_session *session,
    const phalanx_column *public_nonces,
    const phalanx_column *partials,
    uint8_t *signature,
    uint8_t *out,
    size_t rows);

#ifdef __cplusplus
}
#endif

#endif
