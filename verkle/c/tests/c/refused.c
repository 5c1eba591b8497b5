/* What refused calls write: see refused.h. */
#include "../../../../bindings/c/tests/c/refused.h"
#include "basis.h"

static phalanx_basis *basis;
static phalanx_tables *tables;
static uint8_t elements[ROWS][32], scalars[ROWS][32], vectors[ROWS][ROWS * 32];

FUNCTION(basis_new) {
    phalanx_basis *made;
    int32_t status = phalanx_basis_new(C(0), rows, (phalanx_basis **)(void *)B(1));
    if (status == PHALANX_OK) {
        memcpy(&made, slots[1].data, sizeof made);
        phalanx_basis_free(made);
    }
    return status;
}
FUNCTION(commit_secret) { return phalanx_commit_secret(handle == NULL ? NULL : basis, C(0), rows, O(1)); }
FUNCTION(tables_build) { return phalanx_tables_build(handle, basis, 1, B(0), table_bytes); }
FUNCTION(tables_open) {
    phalanx_tables *made;
    int32_t status = phalanx_tables_open(handle, basis, 1, B(0), table_bytes, (phalanx_tables **)(void *)B(1));
    if (status == PHALANX_OK) {
        memcpy(&made, slots[1].data, sizeof made);
        phalanx_tables_free(made);
    }
    return status;
}
FUNCTION(commit) { return phalanx_commit(handle == NULL ? NULL : tables, C(0), O(1), rows); }

static const function functions[] = {
    {"phalanx_basis_new", "ch", {{'c', 32, elements, 0}, {'h', sizeof(void *), NULL, 0}}, basis_new, NO_HANDLE, 0},
    {"phalanx_tables_build", "m", {{'m', 0, NULL, 0}}, tables_build, 0, 0},
    {"phalanx_tables_open", "fh", {{'f', 0, NULL, 0}, {'h', sizeof(void *), NULL, 0}}, tables_open, 0, 0},
    {"phalanx_commit", "ca", {{'c', sizeof vectors[0], vectors, ANY_WIDTH}, {'a', 32, NULL, 0}}, commit, 0, 0},
    {"phalanx_commit_secret", "ca", {{'c', 32, scalars, 0}, {'a', 32, NULL, 0}}, commit_secret, ONE_ROW, 0},
};

/* A basis of a few elements, and its tables. */
static void make_tables(void) {
    basis = few_elements(elements, ROWS);
    check(phalanx_tables_bytes(basis, 1, &table_bytes), "a size");
    expect_true(table_bytes < REGION);
    check(phalanx_tables_build(bulk, basis, 1, made_tables(), table_bytes), "tables");
    check(phalanx_tables_open(bulk, basis, 1, made_tables(), table_bytes, &tables), "tables");
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    prepare(argv[1]);
    make_tables();
    refuse_all(functions, sizeof functions / sizeof functions[0]);
    phalanx_tables_free(tables);
    phalanx_basis_free(basis);
    return report(argv[1], 150);
}
