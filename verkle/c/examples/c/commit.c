/* Commitments over the basis of Verkle trees, by tables in memory of this program; and the same in constant time. */
#include "../../../../bindings/c/examples/c/common.h"
#include <phalanx_verkle.h>
#include <string.h>

enum { VECTORS = 3, LENGTH = 256, WINDOW_BITS = 4 };

int main(void) {
    static uint8_t scalars[VECTORS][LENGTH][32];
    uint8_t commitments[VECTORS][32], again[32];
    phalanx_column vectors = column(scalars, sizeof scalars[0], sizeof scalars[0]), first = column(scalars[0], 32, 32);
    phalanx_output out = output(commitments, 32, 32), slow = output(again, 32, 32);
    phalanx_bulk *bulk;
    phalanx_basis *basis;
    phalanx_tables *tables;
    uint8_t *memory, *aligned;
    size_t bytes;
    int i, j;

    for (i = 0; i < VECTORS; i++)
        for (j = 0; j < LENGTH; j++) scalars[i][j][0] = (uint8_t)(i + j + 1);

    check(phalanx_bulk_new(NULL, &bulk), "a handle");
    check(phalanx_basis_verkle(&basis), "the basis");
    check(phalanx_tables_bytes(basis, WINDOW_BITS, &bytes), "the size of tables");
    memory = (uint8_t *)malloc(bytes + 64);
    if (memory == NULL) return 1;
    aligned = memory + (64 - (uintptr_t)memory % 64) % 64;
    check(phalanx_tables_build(bulk, basis, WINDOW_BITS, aligned, bytes), "tables"); /* Could be kept in a file. */
    check(phalanx_tables_open(bulk, basis, WINDOW_BITS, aligned, bytes, &tables), "tables");

    check(phalanx_commit(tables, &vectors, &out, VECTORS), "commitments");
    for (i = 0; i < VECTORS; i++) print_hex("commitment", commitments[i], 32);
    check(phalanx_commit_secret(basis, &first, LENGTH, &slow), "a commitment to secrets");

    phalanx_tables_free(tables);
    free(memory);
    phalanx_basis_free(basis);
    phalanx_bulk_free(bulk);
    return memcmp(again, commitments[0], 32) == 0 ? 0 : 1;
}
