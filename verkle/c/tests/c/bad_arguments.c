/* Bad input to bases and tables: each gets its documented status, and nothing crashes. */
#include "../../../../bindings/c/tests/c/expect.h"
#include "basis.h"

/* What begins as a handle of libphalanx does, but for one byte. A handle has more bytes, which nobody may read. */
static const phalanx_bulk *foreign_handle(size_t changed) {
    static uint64_t head[4];
    memcpy(head, bulk, sizeof head);
    ((uint8_t *)head)[changed] ^= 1;
    return (const phalanx_bulk *)(const void *)head;
}

static void foreign_handles(const phalanx_basis *basis, const uint8_t *memory, size_t bytes) {
    static const uint64_t zeros[4] = {0};
    phalanx_tables *tables;
    size_t i;
    for (i = 0; i < 8; i++)
        expect(phalanx_tables_open(foreign_handle(i), basis, 4, memory, bytes, &tables), PHALANX_BAD_ARGUMENT);
    expect(phalanx_tables_open((const phalanx_bulk *)(const void *)zeros, basis, 4, memory, bytes, &tables),
           PHALANX_BAD_ARGUMENT);
    expect_true(tables == NULL);
    expect(phalanx_tables_open(foreign_handle(8), basis, 4, memory, bytes, &tables), PHALANX_BACKEND_UNAVAILABLE);
    expect_true(tables == NULL);
    /* Another number of threads: the head alone is enough. */
    expect(phalanx_tables_open(foreign_handle(24), basis, 4, memory, bytes, &tables), PHALANX_OK);
    phalanx_tables_free(tables);
}

static void commitments(void) {
    static uint8_t place[1 << 18];
    static const uint8_t zeros[32] = {0};
    uint8_t *memory = place + (64 - (uintptr_t)place % 64) % 64, elements[2][32], out[2][32], scalars[2][64];
    phalanx_column element_column = column(elements, 32, 32), vectors = column(scalars, 64, 64), bad;
    phalanx_output output_column = output(out, 32, 32), wrong;
    phalanx_basis *basis, *verkle, *none = NULL;
    phalanx_tables *tables;
    size_t bytes;

    expect(phalanx_basis_verkle(NULL), PHALANX_NULL_POINTER);
    expect(phalanx_basis_verkle(&verkle), PHALANX_OK);
    basis = few_elements(elements, 2);
    /* What makes these two elements again. */
    memset(scalars, 0, sizeof scalars);
    scalars[0][0] = 1;
    scalars[1][0] = 2;

    expect(phalanx_basis_new(NULL, 2, &none), PHALANX_NULL_POINTER);
    expect(phalanx_basis_new(&element_column, 2, NULL), PHALANX_NULL_POINTER);
    expect(phalanx_basis_new(&element_column, 0, &none), PHALANX_BAD_ARGUMENT);
    expect(phalanx_basis_new(&element_column, SIZE_MAX, &none), PHALANX_BAD_COLUMN);
    bad = element_column;
    bad.width = 33;
    expect(phalanx_basis_new(&bad, 2, &none), PHALANX_BAD_COLUMN);
    bad = column(memory, 32, 32);
    memset(memory, 0xff, 64);
    expect(phalanx_basis_new(&bad, 2, &none), PHALANX_BAD_POINT);
    expect_true(none == NULL);

    expect(phalanx_tables_bytes(basis, 4, &bytes), PHALANX_OK);
    expect_true(bytes > 0 && bytes % 64 == 0 && bytes + 128 <= sizeof place);
    expect(phalanx_tables_bytes(basis, 4, NULL), PHALANX_NULL_POINTER);
    {
        size_t other = 1;
        expect(phalanx_tables_bytes(NULL, 4, &other), PHALANX_NULL_POINTER);
        expect(phalanx_tables_bytes(basis, 0, &other), PHALANX_BAD_ARGUMENT);
        expect(phalanx_tables_bytes(basis, 21, &other), PHALANX_BAD_ARGUMENT);
        expect(phalanx_tables_bytes(basis, UINT32_MAX, &other), PHALANX_BAD_ARGUMENT);
        expect_true(other == 0);
        expect(phalanx_tables_bytes(verkle, 0, &other), PHALANX_OK);
        expect_true(other > ((size_t)80 << 20));
    }
    expect(phalanx_tables_build(bulk, basis, 4, NULL, bytes), PHALANX_NULL_POINTER);
    expect(phalanx_tables_build(bulk, basis, 4, memory + 1, bytes), PHALANX_MISALIGNED);
    expect(phalanx_tables_build(bulk, basis, 4, memory, bytes - 1), PHALANX_BAD_ARGUMENT);
    expect(phalanx_tables_build(NULL, basis, 4, memory, bytes), PHALANX_NULL_POINTER);
    expect(phalanx_tables_build(foreign_handle(0), basis, 4, memory, bytes), PHALANX_BAD_ARGUMENT);
    memory[bytes] = 77;
    expect(phalanx_tables_build(bulk, basis, 4, memory, bytes), PHALANX_OK);
    expect_true(memory[bytes] == 77);

    expect(phalanx_tables_open(bulk, basis, 4, memory, bytes, NULL), PHALANX_NULL_POINTER);
    expect(phalanx_tables_open(bulk, basis, 4, NULL, bytes, &tables), PHALANX_NULL_POINTER);
    foreign_handles(basis, memory, bytes);
    expect(phalanx_tables_open(bulk, basis, 4, memory + 1, bytes, &tables), PHALANX_MISALIGNED);
    expect(phalanx_tables_open(bulk, basis, 4, memory, bytes - 1, &tables), PHALANX_BAD_TABLES);
    expect(phalanx_tables_open(bulk, basis, 3, memory, bytes, &tables), PHALANX_BAD_TABLES);
    memory[bytes - 1] ^= 1;
    expect(phalanx_tables_open(bulk, basis, 4, memory, bytes, &tables), PHALANX_BAD_TABLES);
    expect_true(tables == NULL);
    memory[bytes - 1] ^= 1;
    expect(phalanx_tables_open(bulk, basis, 4, memory, bytes, &tables), PHALANX_OK);

    expect(phalanx_commit(tables, &vectors, &output_column, 2), PHALANX_OK);
    expect_true(memcmp(out, elements, sizeof out) == 0);
    expect(phalanx_commit(tables, &vectors, &output_column, 0), PHALANX_OK);
    expect(phalanx_commit(NULL, &vectors, &output_column, 2), PHALANX_NULL_POINTER);
    expect(phalanx_commit(tables, NULL, &output_column, 2), PHALANX_NULL_POINTER);
    expect(phalanx_commit(tables, &vectors, NULL, 2), PHALANX_NULL_POINTER);
    wrong = output(scalars, 32, 32);
    expect(phalanx_commit(tables, &vectors, &wrong, 2), PHALANX_OVERLAP);
    wrong = output(memory + bytes - 33, 32, 32);
    expect(phalanx_commit(tables, &vectors, &wrong, 2), PHALANX_OVERLAP);
    bad = vectors;
    bad.width = 33;
    expect(phalanx_commit(tables, &bad, &output_column, 2), PHALANX_BAD_COLUMN);
    bad = column(place, 96, 96);
    expect(phalanx_commit(tables, &bad, &output_column, 2), PHALANX_BAD_COLUMN);
    bad = column(scalars, 0, 0);
    expect(phalanx_commit(tables, &bad, &output_column, 2), PHALANX_OK);
    expect_true(memcmp(out[0], zeros, 32) == 0);
    memset(scalars[1], 0xff, 32);
    memset(out, 1, sizeof out);
    expect(phalanx_commit(tables, &vectors, &output_column, 2), PHALANX_BAD_SCALAR);
    expect_true(memcmp(out[0], zeros, 32) == 0 && memcmp(out[1], zeros, 32) == 0);
    bad = column(scalars[1], 32, 32);
    expect(phalanx_commit_secret(basis, &bad, 1, &output_column), PHALANX_BAD_SCALAR);
    bad = column(digests, 0, 32);
    expect(phalanx_commit_secret(basis, &bad, 3, &output_column), PHALANX_BAD_COLUMN);
    expect(phalanx_commit_secret(NULL, &bad, 1, &output_column), PHALANX_NULL_POINTER);
    phalanx_tables_free(tables);
    phalanx_tables_free(NULL);
    phalanx_basis_free(basis);
    phalanx_basis_free(verkle);
    phalanx_basis_free(NULL);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    prepare(argv[1]);
    commitments();
    return report(argv[1], 60);
}
