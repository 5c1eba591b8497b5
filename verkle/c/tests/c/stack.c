/* How much of the calling thread's stack commitments take. */
#include "../../../../bindings/c/tests/c/painted.h"
#include "basis.h"

enum { LENGTH = 20, VECTORS = 50 };

static uint8_t scalars[VECTORS * LENGTH][32], found[VECTORS][32];

static void commitments(void) {
    phalanx_column vectors = column(scalars, 32 * LENGTH, 32 * LENGTH), numbers = column(scalars, 32, 32);
    phalanx_output made = output(found, 32, 32);
    phalanx_basis *basis = few_elements(found, LENGTH);
    phalanx_tables *opened;
    size_t bytes;
    expect(phalanx_commit_secret(basis, &numbers, LENGTH, &made), PHALANX_OK);
    expect(phalanx_tables_bytes(basis, BITS, &bytes), PHALANX_OK);
    expect_true(bytes + 64 <= sizeof tables_place);
    expect(phalanx_tables_build(bulk, basis, BITS, tables(), bytes), PHALANX_OK);
    expect(phalanx_tables_open(bulk, basis, BITS, tables(), bytes, &opened), PHALANX_OK);
    expect(phalanx_commit(opened, &vectors, &made, VECTORS), PHALANX_OK);
    phalanx_tables_free(opened);
    phalanx_basis_free(basis);
}

int main(int argc, char **argv) {
    int i;
    if (argc != 2) return 2;
    prepare(argv[1]);
    for (i = 0; i < VECTORS * LENGTH; i++) {
        scalars[i][0] = (uint8_t)(1 + i % 250);
        scalars[i][1] = (uint8_t)(i / 256);
    }
    expect_little(argv[1], "commitments", commitments);
    return report(argv[1], 6);
}
