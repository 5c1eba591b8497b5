/* Phalanx: commitments over Banderwagon, the group of Ethereum's Verkle trees.
 *
 * Made from the library's source by a test; verkle/c/README.md of the repository is the page to read first.
 *
 * The library stands beside that of phalanx.h, of the same version: handles, columns and statuses are made there, and
 * what that header says of calls holds here too. PHALANX_BAD_ARGUMENT also stands for a handle that is none, or comes
 * from a version of that library that this one does not know.
 *
 * THREADS. Threads may share bases; only phalanx_tables is for one thread at a time. A basis or tables may be freed by
 * any thread, after the last call that uses it.
 */
#ifndef PHALANX_VERKLE_H
#define PHALANX_VERKLE_H

#include <phalanx.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The elements that commitments are sums of. Threads may share one. */
typedef struct phalanx_basis phalanx_basis;

/* Makes the basis of a Verkle tree: 256 elements.
 *
 * Writes NULL to `basis` first. */
int32_t phalanx_basis_verkle(phalanx_basis **basis);

/* Makes a basis of up to 65,536 elements of 32 bytes, in the encoding of Verkle trees.
 *
 * Writes NULL to `basis` first. PHALANX_BAD_POINT for what is no element; PHALANX_BAD_ARGUMENT for none or too many. */
int32_t phalanx_basis_new(const phalanx_column *elements, size_t count, phalanx_basis **basis);

/* Frees a basis. NULL is allowed. */
void phalanx_basis_free(phalanx_basis *basis);

/* Commits by tables, on one thread. It reads the memory that holds the tables until it is freed. Threads that share
 * tables open them once each. */
typedef struct phalanx_tables phalanx_tables;

/* Writes the bytes of the tables over a basis with windows of so many bits (1 to 20; 8 is a good start). More bits
 * take more memory and less time: 2^(bits - 1) entries of 64 bytes for each window of each element. 0 stands for the
 * tables of Verkle trees, of 138 MiB, over a basis of 256 elements.
 *
 * Writes 0 first. PHALANX_BAD_ARGUMENT for bits or a basis that the tables cannot have, and for 2^26 entries (4 GiB) and
 * more. */
int32_t phalanx_tables_bytes(const phalanx_basis *basis, uint32_t window_bits, size_t *bytes);

/* Computes the tables into memory of at least as many bytes as phalanx_tables_bytes says, aligned to 64 bytes. The
 * memory may be saved to a file and loaded or mapped again, on a machine of the same byte order. Allocates some
 * megabytes for the time of the call. PHALANX_BAD_ARGUMENT for fewer bytes. */
int32_t phalanx_tables_build(
    const phalanx_bulk *bulk,
    const phalanx_basis *basis,
    uint32_t window_bits,
    uint8_t *memory,
    size_t bytes);

/* Opens tables that phalanx_tables_build has written, in memory that stays as it is until they are freed.
 *
 * Writes NULL to `tables` first. PHALANX_BAD_TABLES if they are damaged, or over another basis, or of other windows.
 * Damage is found by checksums; a file that somebody made up is not. */
int32_t phalanx_tables_open(
    const phalanx_bulk *bulk,
    const phalanx_basis *basis,
    uint32_t window_bits,
    const uint8_t *memory,
    size_t bytes,
    phalanx_tables **tables);

/* Frees what phalanx_tables_open has made, not the memory of the tables. NULL is allowed. */
void phalanx_tables_free(phalanx_tables *tables);

/* Commits to vectors by tables. Row i of `vectors` is a vector of scalars of 32 bytes, little-endian, below the
 * order of the group, so that the width is 32 times their number; they stand at the first elements of the basis, and
 * behind them is zero. Writes commitments of 32 bytes. Variable time: not for secrets.
 *
 * Writes zeros first. PHALANX_BAD_SCALAR if some scalar is not below the order; then all are zero. */
int32_t phalanx_commit(
    phalanx_tables *tables,
    const phalanx_column *vectors,
    const phalanx_output *commitments,
    size_t rows);

/* Commits to one vector of `count` scalars of 32 bytes, little-endian and below the order, in constant time: for
 * scalars that are secret. Writes 32 bytes. It takes no tables, and is many times slower.
 *
 * Writes zeros first. PHALANX_BAD_SCALAR, and PHALANX_BAD_COLUMN for more scalars than elements. */
int32_t phalanx_commit_secret(
    const phalanx_basis *basis,
    const phalanx_column *scalars,
    size_t count,
    const phalanx_output *commitment);

#ifdef __cplusplus
}
#endif

#endif
