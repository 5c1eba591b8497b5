/* What a refused call writes, for every function that takes memory. Spans that cannot exist, and verdicts over another
 * span, leave all memory as it is; any other refusal leaves undecided verdicts (zeros or NULL, where a call has no
 * verdicts) and nothing else. The test `every_function_is_refused` finds functions that are not in the table. */
#include "expect.h"

enum { MOST = 7, REGION = 1 << 16, WORKSPACE = 1 << 21, ELEMENTS = 2 };

/* An argument that is memory. Kinds: c column, o output, a output that is zeros first, s the 33 bytes of a sum, v
 * verdicts, h room for a handle, f bytes that are read, m bytes that are written, w a workspace. */
typedef struct {
    char kind;
    size_t width; /* of a value, or of all bytes */
    const void *good;
    int any_width;
} argument;

typedef struct {
    const char *name, *kinds;
    argument arguments[MOST];
    int32_t (*call)(void);
    uint32_t operation;
    int one_row; /* the output has one row */
} function;

/* The arguments of the call that is made. */
typedef struct {
    uint8_t *data;
    size_t stride, width, rows;
    int null, misaligned;
} given;
static given slots[MOST];
static phalanx_column columns[MOST];
static phalanx_output outputs[MOST];
static phalanx_call means;
static const phalanx_bulk *handle;
static size_t rows, workspace_bytes;
static uint32_t flags;
static const function *now;

static void *odd(void *pointer, size_t i) { return slots[i].misaligned ? (void *)((char *)pointer + 1) : pointer; }
static const phalanx_column *C(size_t i) {
    columns[i] = column(slots[i].data, slots[i].stride, slots[i].width);
    return slots[i].null ? NULL : (const phalanx_column *)odd(&columns[i], i);
}
static const phalanx_output *O(size_t i) {
    outputs[i] = output(slots[i].data, slots[i].stride, slots[i].width);
    return slots[i].null ? NULL : (const phalanx_output *)odd(&outputs[i], i);
}
static uint8_t *B(size_t i) { return slots[i].null ? NULL : slots[i].data; }
static const phalanx_call *W(size_t i) {
    memset(&means, 0, sizeof means);
    means.workspace = slots[i].data;
    means.workspace_bytes = workspace_bytes;
    return &means;
}

static phalanx_basis *basis;
static phalanx_tables *tables;
static size_t fixed_bytes, table_bytes;
static uint8_t *fixed, *committed, elements[ELEMENTS][32], scalars[ELEMENTS * 32], recoverable[ROWS], random_bytes[32];

#define FUNCTION(name) static int32_t name(void)
FUNCTION(verify_ecdsa) { return phalanx_verify_ecdsa(handle, C(0), C(1), C(2), flags, B(3), rows, W(4)); }
FUNCTION(verify_schnorr) { return phalanx_verify_schnorr(handle, C(0), C(1), C(2), B(3), rows, W(4)); }
FUNCTION(batch_ecdsa) {
    return phalanx_batch_ecdsa(handle, C(0), C(1), C(2), C(3), flags, B(4), B(5), rows, W(6));
}
FUNCTION(batch_schnorr) { return phalanx_batch_schnorr(handle, C(0), C(1), C(2), B(3), B(4), rows, W(5)); }
FUNCTION(recover) { return phalanx_recover(handle, C(0), C(1), C(2), O(3), B(4), rows, W(5)); }
FUNCTION(public_keys) { return phalanx_public_keys(handle, C(0), O(1), B(2), rows, W(3)); }
FUNCTION(sign_ecdsa) { return phalanx_sign_ecdsa(handle, C(0), C(1), O(2), O(3), B(4), rows, W(5)); }
FUNCTION(sign_schnorr) { return phalanx_sign_schnorr(handle, C(0), C(1), C(2), O(3), B(4), rows, W(5)); }
FUNCTION(shared_secrets) { return phalanx_shared_secrets(handle, C(0), C(1), O(2), B(3), rows, W(4)); }
FUNCTION(tweak_add_public) { return phalanx_tweak_add_public(handle, C(0), C(1), O(2), B(3), rows, W(4)); }
FUNCTION(decompress) { return phalanx_decompress(handle, C(0), O(1), B(2), rows, W(3)); }
FUNCTION(sum_of_products) { return phalanx_sum_of_products(handle, C(0), C(1), rows, B(2)); }
FUNCTION(sum_of_products_in) {
    return phalanx_sum_of_products_in(handle, C(0), C(1), rows, B(2), slots[3].data, workspace_bytes);
}
FUNCTION(fixed_base_build) { return phalanx_fixed_base_build(handle, C(0), rows, 1, B(1), fixed_bytes); }
FUNCTION(fixed_base_sums) { return phalanx_fixed_base_sums(handle, B(0), fixed_bytes, C(1), O(2), rows); }
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

#define V {'v', 1, NULL, 0}
#define K {'w', 1, NULL, 0}
static function functions[] = {
    {"phalanx_verify_ecdsa", "cccvw", {{'c', 32, digests, 0}, {'c', 64, signatures, 0}, {'c', 33, keys, 0}, V, K},
     verify_ecdsa, PHALANX_OPERATION_ROWS, 0},
    {"phalanx_verify_schnorr", "cccvw", {{'c', 32, digests, 1}, {'c', 64, schnorr, 0}, {'c', 32, NULL, 0}, V, K},
     verify_schnorr, PHALANX_OPERATION_ROWS, 0},
    {"phalanx_batch_ecdsa", "ccccfvw",
     {{'c', 32, digests, 0}, {'c', 64, signatures, 0}, {'c', 33, keys, 0}, {'c', 1, recoverable, 0},
      {'f', 32, random_bytes, 0}, V, K},
     batch_ecdsa, PHALANX_OPERATION_BATCH_ECDSA, 0},
    {"phalanx_batch_schnorr", "cccfvw",
     {{'c', 32, digests, 1}, {'c', 64, schnorr, 0}, {'c', 32, NULL, 0}, {'f', 32, random_bytes, 0}, V, K},
     batch_schnorr, PHALANX_OPERATION_BATCH_SCHNORR, 0},
    {"phalanx_recover", "cccovw",
     {{'c', 32, digests, 0}, {'c', 64, signatures, 0}, {'c', 1, recoverable, 0}, {'o', 33, NULL, 0}, V, K},
     recover, PHALANX_OPERATION_ROWS, 0},
    {"phalanx_public_keys", "covw", {{'c', 32, secrets, 0}, {'o', 33, NULL, 0}, V, K},
     public_keys, PHALANX_OPERATION_ROWS, 0},
    {"phalanx_sign_ecdsa", "ccoovw",
     {{'c', 32, digests, 0}, {'c', 32, secrets, 0}, {'o', 64, NULL, 0}, {'o', 1, NULL, 0}, V, K},
     sign_ecdsa, PHALANX_OPERATION_ROWS, 0},
    {"phalanx_sign_schnorr", "cccovw",
     {{'c', 32, digests, 1}, {'c', 32, secrets, 0}, {'c', 32, random_bytes, 0}, {'o', 64, NULL, 0}, V, K},
     sign_schnorr, PHALANX_OPERATION_ROWS, 0},
    {"phalanx_shared_secrets", "ccovw", {{'c', 33, keys, 0}, {'c', 32, secrets, 0}, {'o', 32, NULL, 0}, V, K},
     shared_secrets, PHALANX_OPERATION_ROWS, 0},
    {"phalanx_tweak_add_public", "ccovw", {{'c', 33, keys, 0}, {'c', 32, secrets, 0}, {'o', 33, NULL, 0}, V, K},
     tweak_add_public, PHALANX_OPERATION_ROWS, 0},
    {"phalanx_decompress", "covw", {{'c', 33, keys, 0}, {'o', 33, NULL, 0}, V, K},
     decompress, PHALANX_OPERATION_ROWS, 0},
    {"phalanx_sum_of_products", "ccs", {{'c', 32, secrets, 0}, {'c', 33, keys, 0}, {'s', 33, NULL, 0}},
     sum_of_products, 0, 0},
    {"phalanx_sum_of_products_in", "ccsw", {{'c', 32, secrets, 0}, {'c', 33, keys, 0}, {'s', 33, NULL, 0}, K},
     sum_of_products_in, PHALANX_OPERATION_SUM_OF_PRODUCTS, 0},
    {"phalanx_fixed_base_build", "cm", {{'c', 33, keys, 0}, {'m', 0, NULL, 0}}, fixed_base_build, 0, 0},
    {"phalanx_fixed_base_sums", "fca", {{'f', 0, NULL, 0}, {'c', 32, secrets, 1}, {'a', 33, NULL, 0}},
     fixed_base_sums, 0, 0},
    {"phalanx_basis_new", "ch", {{'c', 32, elements, 0}, {'h', sizeof(void *), NULL, 0}}, basis_new, 0, 0},
    {"phalanx_commit_secret", "ca", {{'c', 32, scalars, 0}, {'a', 32, NULL, 0}}, commit_secret, 0, 1},
    {"phalanx_tables_build", "m", {{'m', 0, NULL, 0}}, tables_build, 0, 0},
    {"phalanx_tables_open", "fh", {{'f', 0, NULL, 0}, {'h', sizeof(void *), NULL, 0}}, tables_open, 0, 0},
    {"phalanx_commit", "ca", {{'c', 64, scalars, 1}, {'a', 32, NULL, 0}}, commit, 0, 0},
};

/* All memory that calls are given, with a page of it for each argument. */
static uint8_t memory[MOST * REGION + WORKSPACE + 64], before[sizeof memory];
static uint8_t *start;

static size_t count_of(void) { return strlen(now->kinds); }
static size_t needed(void) {
    size_t bytes = 0;
    phalanx_workspace_bytes(bulk, now->operation, ROWS, &bytes);
    return bytes;
}
static int is_first(size_t i) { return strchr("vash", now->kinds[i]) != NULL; }
static int is_written(size_t i) { return strchr("om", now->kinds[i]) != NULL || now->kinds[i] == 'w'; }
static int is_column(size_t i) { return strchr("coa", now->kinds[i]) != NULL; }
/* Moved elsewhere, they would be misaligned, or no tables. */
static int stays(size_t i) {
    return strchr("mw", now->kinds[i]) != NULL || (now->kinds[i] == 'f' && slots[i].width > 64);
}

/* Bytes from the first to the last one of an argument. */
static size_t extent(size_t i) {
    if (now->kinds[i] == 'w') return needed();
    return slots[i].rows == 0 ? 0 : (slots[i].rows - 1) * slots[i].stride + slots[i].width;
}

/* Good arguments, each in memory of its own. */
static void reset(void) {
    size_t i, row;
    handle = bulk;
    flags = 0;
    rows = strncmp(now->name, "phalanx_commit", 14) == 0 || now->call == basis_new ? ELEMENTS : ROWS;
    workspace_bytes = needed();
    memset(memory, 0xa5, sizeof memory);
    for (i = 0; i < count_of(); i++) {
        const argument *it = &now->arguments[i];
        size_t width = it->width;
        const uint8_t *good = (const uint8_t *)it->good;
        int whole = strchr("shfmw", it->kind) != NULL;
        if (it->kind == 'm' || (it->kind == 'f' && width == 0))
            width = now->call == tables_build || now->call == tables_open ? table_bytes : fixed_bytes;
        if (it->kind == 'f' && good == NULL) good = now->call == tables_open ? committed : fixed;
        memset(&slots[i], 0, sizeof slots[i]);
        slots[i].data = start + i * REGION;
        slots[i].stride = slots[i].width = width;
        slots[i].rows = whole || (now->one_row && it->kind == 'a') ? 1 : rows;
        if (it->kind == 'c' && good == NULL) /* x of the keys */
            for (row = 0; row < ROWS; row++) memcpy(slots[i].data + 32 * row, keys[row] + 1, 32);
        else if (now->call == commit) memset(slots[i].data, 0, REGION);
        else if (good != NULL) memcpy(slots[i].data, good, extent(i));
    }
}

enum { NOTHING, FIRST };

/* Makes the call, which must be refused so, and leave memory as it is but for what is written first. */
static void refused_at(int line, int32_t status, int leaves, size_t about) {
    size_t i, row;
    int32_t found;
    memcpy(before, memory, sizeof memory);
    found = now->call();
    checks++;
    if (found != status) {
        fprintf(stderr, "line %d: %s, argument %d: status %d, not %d\n", line, now->name, (int)about, (int)found,
                (int)status);
        failures++;
    }
    if (leaves == FIRST)
        for (i = 0; i < count_of(); i++)
            if (is_first(i) && !slots[i].null)
                for (row = 0; row < slots[i].rows; row++)
                    memset(before + (slots[i].data - memory) + row * slots[i].stride,
                           now->kinds[i] == 'v' ? PHALANX_UNDECIDED : 0, slots[i].width);
    checks++;
    if (memcmp(before, memory, sizeof memory) != 0) {
        fprintf(stderr, "line %d: %s, argument %d: the call wrote something else\n", line, now->name, (int)about);
        failures++;
    }
    reset();
}
#define refused(status, leaves, about) refused_at(__LINE__, (status), (leaves), (about))

/* An argument laid over another one: at its first byte, at its last one, and so that it ends in its first one. */
static void overlaps(size_t mover, size_t other, int leaves) {
    size_t step = now->kinds[mover] == 'h' ? sizeof(void *) : 1, turn;
    for (turn = 0; turn < 3; turn++) {
        size_t reach = extent(mover);
        uint8_t *data = slots[other].data;
        if (turn == 1) data += (extent(other) - 1) / step * step;
        if (turn == 2) data -= (reach - 1) / step * step;
        if (data < start) data = start;
        slots[mover].data = data;
        refused(PHALANX_OVERLAP, leaves, other);
        /* The same with something else that is wrong. */
        if (turn > 0 || leaves == FIRST) continue;
        slots[mover].data = data;
        handle = now->call == basis_new || (count_of() > 1 && now->kinds[other] == 'w') ? bulk : NULL;
        if (now->call != commit && now->call != tables_open) refused(PHALANX_OVERLAP, leaves, other);
        reset();
    }
}

static void spans(void) {
    static const size_t many[] = {SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX / 4 + 1, (size_t)1 << (sizeof(size_t) * 8 - 7)};
    size_t i, j, k;
    for (i = 0; i < count_of(); i++)
        for (j = 0; j < count_of(); j++) {
            if (i == j) continue;
            if (is_first(i)) overlaps(i, j, NOTHING);
            else if (is_written(i) && !is_first(j) && !(stays(i) && stays(j)))
                overlaps(stays(i) ? j : i, stays(i) ? i : j, FIRST);
        }
    for (k = 0; k < sizeof many / sizeof many[0]; k++) {
        /* More rows than there is memory for, and with columns of one value more verdicts. */
        if (strchr(now->kinds, 'c') != NULL) {
            rows = many[k];
            refused(PHALANX_BAD_COLUMN, NOTHING, k);
        }
        if (strchr(now->kinds, 'v') != NULL) {
            rows = many[k];
            for (i = 0; i < count_of(); i++)
                if (now->kinds[i] == 'c') slots[i].stride = 0;
            refused(PHALANX_BAD_COLUMN, NOTHING, k);
        }
        for (i = 0; i < count_of(); i++) {
            if (!is_column(i) || slots[i].rows < 2) continue;
            slots[i].stride = many[k];
            refused(PHALANX_BAD_COLUMN, NOTHING, i);
        }
    }
    for (i = 0; i < count_of(); i++) {
        if (now->kinds[i] == 'h' || stays(i)) continue;
        slots[i].data = (uint8_t *)(UINTPTR_MAX - 1); /* the last byte ends behind the end of all addresses */
        if (extent(i) > 2) refused(PHALANX_BAD_COLUMN, NOTHING, i);
        reset();
    }
}

static void other_refusals(void) {
    size_t i;
    for (i = 0; i < count_of(); i++) {
        int leaves = is_first(i) ? NOTHING : FIRST;
        if (now->kinds[i] != 'w' && !(now->kinds[i] == 'f' && strchr(now->kinds, 'v') != NULL) &&
            !(now->call == sign_ecdsa && i == 3)) {
            slots[i].null = 1;
            refused(PHALANX_NULL_POINTER, leaves, i);
        }
        if (is_column(i)) {
            slots[i].misaligned = 1;
            refused(PHALANX_MISALIGNED, leaves, i);
            slots[i].data = NULL;
            refused(PHALANX_NULL_POINTER, leaves, i);
            if (!now->arguments[i].any_width) {
                slots[i].width--;
                refused(PHALANX_BAD_COLUMN, leaves, i);
            }
        }
        if (now->kinds[i] == 'w') {
            workspace_bytes = 0;
            refused(PHALANX_WORKSPACE_TOO_SMALL, FIRST, i);
            slots[i].data++;
            refused(PHALANX_MISALIGNED, FIRST, i);
        }
    }
    if (now->call != basis_new) {
        handle = NULL;
        refused(PHALANX_NULL_POINTER, FIRST, 0);
    }
    if (now->call == verify_ecdsa || now->call == batch_ecdsa) {
        flags = 77;
        refused(PHALANX_BAD_ARGUMENT, FIRST, 0);
    }
}

/* A basis of two elements, its tables, and those of a fixed base. */
static void make_tables(void) {
    static uint8_t place[4 * REGION];
    phalanx_column one = column(scalars, 32, 32), of = column(elements, 32, 32);
    phalanx_output out = output(elements, 32, 32);
    phalanx_basis *verkle;
    fixed = place + (64 - (uintptr_t)place % 64) % 64;
    committed = fixed + REGION;
    check(phalanx_basis_verkle(&verkle), "a basis");
    scalars[0] = 1;
    check(phalanx_commit_secret(verkle, &one, 1, &out), "an element");
    scalars[0] = 2;
    out.data = elements[1];
    check(phalanx_commit_secret(verkle, &one, 1, &out), "an element");
    phalanx_basis_free(verkle);
    check(phalanx_basis_new(&of, ELEMENTS, &basis), "a basis");
    check(phalanx_fixed_base_bytes(ROWS, 1, &fixed_bytes), "a size");
    check(phalanx_tables_bytes(basis, 1, &table_bytes), "a size");
    expect_true(fixed_bytes < REGION && table_bytes < REGION);
    check(phalanx_fixed_base_build(bulk, &key_column, ROWS, 1, fixed, fixed_bytes), "tables");
    check(phalanx_tables_build(bulk, basis, 1, committed, table_bytes), "tables");
    check(phalanx_tables_open(bulk, basis, 1, committed, table_bytes, &tables), "tables");
}

int main(int argc, char **argv) {
    size_t i;
    if (argc != 2) return 2;
    prepare(argv[1]);
    memcpy(recoverable, ids, sizeof recoverable);
    make_tables();
    start = memory + (64 - (uintptr_t)memory % 64) % 64;
    for (i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        now = &functions[i];
        reset();
        expect_true(strchr(now->kinds, 'w') == NULL || needed() <= WORKSPACE);
        expect(now->call(), PHALANX_OK);
        reset();
        spans();
        other_refusals();
    }
    phalanx_tables_free(tables);
    phalanx_basis_free(basis);
    return report(argv[1], 1000);
}
