/* Commitments by tables allocate nothing after warm-up. The tables are built in memory of the program. */
#include "../../../../bindings/c/tests/c/counted.h"
#include "basis.h"

int main(void) {
    static uint8_t scalars[40][32 * 3], made[40][32];
    phalanx_column vectors = column(scalars, sizeof scalars[0], sizeof scalars[0]);
    phalanx_output out = output(made, 32, 32);
    phalanx_bulk *bulk;
    phalanx_basis *basis;
    phalanx_tables *tables;
    uint8_t encoded[3][32], *memory;
    size_t bytes = 0, before, i;
    check(phalanx_bulk_new(NULL, &bulk), "a handle");
    basis = few_elements(encoded, 3);
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
    phalanx_bulk_free(bulk);
    return 0;
}
