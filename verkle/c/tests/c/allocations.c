/* Commitments by tables allocate nothing after warm-up. The tables are built in memory of the program. */
#include "../../../../bindings/c/tests/c/counted.h"
#include <phalanx_verkle.h>

int main(void) {
    static uint8_t scalars[40][32 * 3], made[40][32];
    phalanx_column elements, vectors = column(scalars, sizeof scalars[0], sizeof scalars[0]);
    phalanx_output out = output(made, 32, 32);
    phalanx_bulk *bulk;
    phalanx_basis *verkle, *basis;
    phalanx_tables *tables;
    uint8_t encoded[3][32], *memory;
    size_t bytes = 0, before, i;
    /* The first element of that basis, three times. */
    static const uint8_t one[32] = {1};
    phalanx_column unit = column(one, 32, 32);
    phalanx_output first = output(encoded, 32, 32);
    check(phalanx_bulk_new(NULL, &bulk), "a handle");
    check(phalanx_basis_verkle(&verkle), "the Verkle basis");
    for (i = 0; i < 3; i++) {
        first.data = encoded[i];
        check(phalanx_commit_secret(verkle, &unit, 1, &first), "an element");
    }
    elements = column(encoded, 32, 32);
    check(phalanx_basis_new(&elements, 3, &basis), "a basis");
    check(phalanx_tables_bytes(basis, 5, &bytes), "bytes");
    memory = malloc(bytes + 63);
    memory += (64 - (uintptr_t)memory % 64) % 64;
    check(phalanx_tables_build(bulk, basis, 5, memory, bytes), "tables");
    check(phalanx_tables_open(bulk, basis, 5, memory, bytes, &tables), "tables");
    for (i = 0; i < sizeof scalars; i++) scalars[i / sizeof scalars[0]][i % sizeof scalars[0]] = i % 32 < 31 ? (uint8_t)i : 0;
    check(phalanx_commit(tables, &vectors, &out, 40), "warm-up");
    if (count == 0) {
        fprintf(stderr, "nothing was counted\n");
        return 1;
    }
    before = count;
    check(phalanx_commit(tables, &vectors, &out, 40), "commitments");
    check(phalanx_commit(tables, &vectors, &out, 1), "a commitment");
    if (count != before) {
        fprintf(stderr, "commitments: %lu allocations\n", (unsigned long)(count - before));
        return 1;
    }
    phalanx_tables_free(tables);
    phalanx_basis_free(basis);
    phalanx_basis_free(verkle);
    phalanx_bulk_free(bulk);
    return 0;
}
