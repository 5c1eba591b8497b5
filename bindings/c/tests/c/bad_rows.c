/* Bad input to calls on rows: NULL, short, misaligned, overlapping, zero rows, one row, absurd strides, wrong values.
 * Each gets its documented status or verdict, the outputs are never good, and nothing crashes. */
#include "expect.h"

static phalanx_call call;

/* Each function on rows, by number, with these arguments in place of good ones. */
enum { VERIFY_ECDSA, VERIFY_SCHNORR, RECOVER, PUBLIC_KEYS, SIGN_ECDSA, SIGN_SCHNORR, SHARED, TWEAK, DECOMPRESS, BATCH_ECDSA,
       BATCH_SCHNORR, FUNCTIONS };
#define MOST_COLUMNS 4

typedef struct {
    const phalanx_column *columns[MOST_COLUMNS];
    int count;
    const phalanx_output *out;
    size_t width; /* of the output */
} arguments;

static arguments good(int function) {
    arguments made;
    memset(&made, 0, sizeof made);
    switch (function) {
    case VERIFY_ECDSA:
    case BATCH_ECDSA:
        made.columns[0] = &digest_column;
        made.columns[1] = &signature_column;
        made.columns[2] = &key_column;
        made.columns[3] = &id_column;
        made.count = function == VERIFY_ECDSA ? 3 : 4;
        break;
    case VERIFY_SCHNORR:
    case BATCH_SCHNORR:
        made.columns[0] = &digest_column;
        made.columns[1] = &schnorr_column;
        made.columns[2] = &x_column;
        made.count = 3;
        break;
    case RECOVER:
        made.columns[0] = &digest_column;
        made.columns[1] = &signature_column;
        made.columns[2] = &id_column;
        made.count = 3;
        made.out = &found_output;
        break;
    case PUBLIC_KEYS:
        made.columns[0] = &secret_column;
        made.count = 1;
        made.out = &found_output;
        break;
    case SIGN_ECDSA:
        made.columns[0] = &digest_column;
        made.columns[1] = &secret_column;
        made.count = 2;
        made.out = &signature_output;
        break;
    case SIGN_SCHNORR:
        made.columns[0] = &digest_column;
        made.columns[1] = &secret_column;
        made.columns[2] = &aux_column;
        made.count = 3;
        made.out = &schnorr_output;
        break;
    case TWEAK:
        made.columns[0] = &key_column;
        made.columns[1] = &secret_column;
        made.count = 2;
        made.out = &found_output;
        break;
    case DECOMPRESS:
        made.columns[0] = &key_column;
        made.count = 1;
        made.out = &found_output;
        break;
    default:
        made.columns[0] = &key_column;
        made.columns[1] = &secret_column;
        made.count = 2;
        made.out = &shared_output;
    }
    return made;
}

static int32_t run(int function, const phalanx_bulk *handle, arguments a, uint8_t *out, size_t rows,
                   const phalanx_call *with) {
    const phalanx_column **c = a.columns;
    memset(verdicts, 0, sizeof verdicts);
    switch (function) {
    case VERIFY_ECDSA: return phalanx_verify_ecdsa(handle, c[0], c[1], c[2], 0, out, rows, with);
    case BATCH_ECDSA: return phalanx_batch_ecdsa(handle, c[0], c[1], c[2], c[3], 0, aux, out, rows, with);
    case VERIFY_SCHNORR: return phalanx_verify_schnorr(handle, c[0], c[1], c[2], out, rows, with);
    case BATCH_SCHNORR: return phalanx_batch_schnorr(handle, c[0], c[1], c[2], NULL, out, rows, with);
    case RECOVER: return phalanx_recover(handle, c[0], c[1], c[2], a.out, out, rows, with);
    case PUBLIC_KEYS: return phalanx_public_keys(handle, c[0], a.out, out, rows, with);
    case SIGN_ECDSA: return phalanx_sign_ecdsa(handle, c[0], c[1], a.out, &id_output, out, rows, with);
    case SIGN_SCHNORR: return phalanx_sign_schnorr(handle, c[0], c[1], c[2], a.out, out, rows, with);
    case TWEAK: return phalanx_tweak_add_public(handle, c[0], c[1], a.out, out, rows, with);
    case DECOMPRESS: return phalanx_decompress(handle, c[0], a.out, out, rows, with);
    default: return phalanx_shared_secrets(handle, c[0], c[1], a.out, out, rows, with);
    }
}

/* No row is good, and the byte behind the last verdict is as it was. */
static void expect_undecided_at(int line) {
    size_t i;
    for (i = 0; i < ROWS; i++) expect_true_at(line, verdicts[i] == PHALANX_UNDECIDED);
    expect_true_at(line, verdicts[ROWS] == 0);
}
#define expect_undecided() expect_undecided_at(__LINE__)

static int cancel(void *user, size_t done, size_t rows) {
    *(size_t *)user = done;
    return rows == ROWS;
}

/* Makes a call of its own, on the same handle. */
static int call_again(void *user, size_t done, size_t rows) {
    uint8_t made[ROWS][33], found[ROWS];
    phalanx_output own = output(made, 33, 33);
    (void)done, (void)rows;
    expect(phalanx_public_keys(bulk, &secret_column, &own, found, ROWS, NULL), PHALANX_OK);
    expect_true(found[0] == PHALANX_VALID && memcmp(made, keys, sizeof made) == 0);
    ++*(size_t *)user;
    return 0;
}

static void rows_of(int function) {
    static uint64_t aligned[1 << 19];
    uint8_t *workspace = (uint8_t *)aligned + (64 - (uintptr_t)aligned % 64) % 64;
    size_t i, j, seen = 0, bytes = sizeof aligned - 64;
    arguments a = good(function);
    phalanx_column other;
    phalanx_output wrong;

    /* Good rows, and one, and none: with outputs and columns that may then be NULL. */
    expect(run(function, bulk, a, verdicts, ROWS, NULL), PHALANX_OK);
    for (i = 0; i < ROWS; i++) expect_true(verdicts[i] == PHALANX_VALID);
    expect_true(verdicts[ROWS] == 0);
    expect(run(function, bulk, a, verdicts, 1, NULL), PHALANX_OK);
    expect_true(verdicts[0] == PHALANX_VALID && verdicts[1] == 0);
    expect(run(function, bulk, a, NULL, 0, NULL), PHALANX_OK);
    for (i = 0; i < (size_t)a.count; i++) {
        other = *a.columns[i];
        other.data = NULL;
        a.columns[i] = &other;
        expect(run(function, bulk, a, verdicts, 0, NULL), PHALANX_OK);
        expect(run(function, bulk, a, verdicts, ROWS, NULL), PHALANX_NULL_POINTER);
        expect_undecided();
        a = good(function);
    }

    /* NULL. */
    expect(run(function, NULL, a, verdicts, ROWS, NULL), PHALANX_NULL_POINTER);
    expect_undecided();
    expect(run(function, bulk, a, NULL, ROWS, NULL), PHALANX_NULL_POINTER);
    for (i = 0; i < (size_t)a.count; i++) {
        a.columns[i] = NULL;
        expect(run(function, bulk, a, verdicts, ROWS, NULL), PHALANX_NULL_POINTER);
        expect_undecided();
        a = good(function);
    }
    if (a.out != NULL) {
        a.out = NULL;
        expect(run(function, bulk, a, verdicts, ROWS, NULL), PHALANX_NULL_POINTER);
        expect_undecided();
        a = good(function);
        wrong = *a.out;
        wrong.data = NULL;
        a.out = &wrong;
        expect(run(function, bulk, a, verdicts, ROWS, NULL), PHALANX_NULL_POINTER);
        expect_undecided();
    }

    /* Widths and strides. */
    for (i = 0; i < (size_t)a.count; i++) {
        a = good(function);
        other = *a.columns[i];
        a.columns[i] = &other;
        other.width = SIZE_MAX;
        expect(run(function, bulk, a, verdicts, ROWS, NULL), PHALANX_BAD_COLUMN);
        other = *good(function).columns[i];
        for (j = 0; j < 4; j++) {
            static const size_t strides[] = {SIZE_MAX, SIZE_MAX / 2, (size_t)1 << (8 * sizeof(size_t) - 1),
                                             SIZE_MAX / ROWS + 1};
            other.stride = strides[j];
            expect(run(function, bulk, a, verdicts, ROWS, NULL), PHALANX_BAD_COLUMN);
        }
        /* All rows with the first value: not an error, whatever it is for the rows. */
        other.stride = 0;
        expect(run(function, bulk, a, verdicts, ROWS, NULL), PHALANX_OK);
        expect_true(verdicts[0] == PHALANX_VALID);
        other.stride = SIZE_MAX;
        expect(run(function, bulk, a, verdicts, 1, NULL), PHALANX_OK);
        other = *good(function).columns[i];
        other.width = other.width == 32 && i == 0 ? 32 : other.width - 1;
        if (other.width != good(function).columns[i]->width) {
            expect(run(function, bulk, a, verdicts, ROWS, NULL), PHALANX_BAD_COLUMN);
            expect_undecided();
        }
    }
    a = good(function);
    expect(run(function, bulk, a, verdicts, SIZE_MAX, NULL), PHALANX_BAD_COLUMN);
    if (a.out != NULL) {
        wrong = *a.out;
        a.out = &wrong;
        wrong.width++;
        expect(run(function, bulk, a, verdicts, ROWS, NULL), PHALANX_BAD_COLUMN);
        expect_undecided();
        wrong = *good(function).out;
        wrong.stride = wrong.width - 1;
        expect(run(function, bulk, a, verdicts, ROWS, NULL), PHALANX_BAD_COLUMN);
        expect_undecided();
        wrong.stride = SIZE_MAX / 2;
        expect(run(function, bulk, a, verdicts, ROWS, NULL), PHALANX_BAD_COLUMN);
        /* Overlap with an input, and with the verdicts. */
        wrong = *good(function).out;
        wrong.data = (uint8_t *)(uintptr_t)a.columns[0]->data + 1;
        expect(run(function, bulk, a, verdicts, ROWS, NULL), PHALANX_OVERLAP);
        expect_undecided();
        wrong.data = verdicts + ROWS - 1;
        expect(run(function, bulk, a, verdicts, ROWS, NULL), PHALANX_OVERLAP);
    }
    a = good(function);
    other = *a.columns[0];
    other.data = verdicts;
    other.stride = 0;
    a.columns[0] = &other;
    expect(run(function, bulk, a, verdicts, ROWS, NULL), PHALANX_OVERLAP);

    /* A workspace. */
    a = good(function);
    memset(&call, 0, sizeof call);
    if (function != BATCH_ECDSA && function != BATCH_SCHNORR) {
        size_t needed;
        expect(phalanx_workspace_bytes(bulk, PHALANX_OPERATION_ROWS, ROWS, &needed), PHALANX_OK);
        expect_true(needed > 0 && needed <= bytes);
        call.workspace = workspace;
        call.workspace_bytes = needed;
        memset(workspace, 0xa5, bytes);
        expect(run(function, bulk, a, verdicts, ROWS, &call), PHALANX_OK);
        for (i = 0; i < ROWS; i++) expect_true(verdicts[i] == PHALANX_VALID);
        /* Nothing is written behind the workspace's end, and no secret key is left in it. */
        for (i = needed; i < bytes && workspace[i] == 0xa5; i++) continue;
        expect_true(i == bytes);
        for (i = 0; i + 32 <= needed && memcmp(workspace + i, secrets[1], 32) != 0; i++) continue;
        expect_true(i + 32 > needed);
        call.workspace_bytes = needed - 1;
        expect(run(function, bulk, a, verdicts, ROWS, &call), PHALANX_WORKSPACE_TOO_SMALL);
        expect_undecided();
        call.workspace_bytes = 0;
        expect(run(function, bulk, a, verdicts, ROWS, &call), PHALANX_WORKSPACE_TOO_SMALL);
        call.workspace = workspace + 8;
        call.workspace_bytes = needed;
        expect(run(function, bulk, a, verdicts, ROWS, &call), PHALANX_MISALIGNED);
        expect_undecided();
        call.workspace = workspace;
        call.workspace_bytes = SIZE_MAX;
        expect(run(function, bulk, a, verdicts, ROWS, &call), PHALANX_OK);
        call.workspace = (uint8_t *)aligned + (64 - (uintptr_t)aligned % 64) % 64;
        other = *a.columns[0];
        other.data = workspace + 8;
        a.columns[0] = &other;
        expect(run(function, bulk, a, verdicts, ROWS, &call), PHALANX_OVERLAP);
        expect_undecided();
        a = good(function);
    }

    /* Cancelled after the first of three steps. */
    memset(&call, 0, sizeof call);
    call.progress = cancel;
    call.user = &seen;
    call.rows_per_step = 1;
    expect(run(function, bulk, a, verdicts, ROWS, &call), PHALANX_CANCELLED);
    expect_true(seen == 1 && verdicts[0] == PHALANX_VALID && verdicts[1] == PHALANX_UNDECIDED &&
                verdicts[2] == PHALANX_UNDECIDED && verdicts[3] == 0);
    call.rows_per_step = SIZE_MAX;
    expect(run(function, bulk, a, verdicts, ROWS, &call), PHALANX_OK);
    expect_true(seen == ROWS && verdicts[2] == PHALANX_VALID);
    call.progress = call_again;
    call.rows_per_step = 1;
    seen = 0;
    expect(run(function, bulk, a, verdicts, ROWS, &call), PHALANX_OK);
    expect_true(seen == ROWS && verdicts[0] == PHALANX_VALID && verdicts[2] == PHALANX_VALID);

    /* A structure that is not aligned. */
    {
        uint8_t copy[sizeof(phalanx_column) + 1];
        memcpy(copy + 1, a.columns[0], sizeof(phalanx_column));
        a.columns[0] = (const phalanx_column *)(const void *)(copy + ((uintptr_t)copy % 2 == 0));
        expect(run(function, bulk, a, verdicts, ROWS, NULL), PHALANX_MISALIGNED);
        expect_undecided();
    }
}

/* Rows that are wrong get their verdict, and outputs of zeros. */
static void wrong_rows(void) {
    uint8_t bad[ROWS][32] = {{0}};
    static const uint8_t zeros[64] = {0};
    phalanx_column bad_column = column(bad, 32, 32);
    size_t i;
    memset(bad[1], 0xff, 32);
    memcpy(bad[2], secrets[2], 32);
    for (i = PUBLIC_KEYS; i <= SHARED; i++) {
        arguments a = good((int)i);
        const uint8_t *first = a.out->data;
        a.columns[i == PUBLIC_KEYS ? 0 : 1] = &bad_column;
        expect(run((int)i, bulk, a, verdicts, ROWS, NULL), PHALANX_OK);
        expect_true(verdicts[0] == PHALANX_MALFORMED_ROW && verdicts[1] == PHALANX_MALFORMED_ROW);
        expect_true(verdicts[2] == PHALANX_VALID);
        expect_true(memcmp(first, zeros, a.out->width) == 0 &&
                    memcmp(first + a.out->stride, zeros, a.out->width) == 0 &&
                    memcmp(first + 2 * a.out->stride, zeros, a.out->width) != 0);
    }
    {
        arguments a = good(SHARED);
        uint8_t bad_keys[ROWS][33];
        phalanx_column bad_key_column = column(bad_keys, 33, 33);
        memcpy(bad_keys, keys, sizeof bad_keys);
        bad_keys[1][0] = 9;
        a.columns[0] = &bad_key_column;
        expect(run(SHARED, bulk, a, verdicts, ROWS, NULL), PHALANX_OK);
        expect_true(verdicts[0] == PHALANX_VALID && verdicts[1] == PHALANX_BAD_PUBLIC_KEY);
        expect_true(memcmp(shared[1], zeros, 32) == 0);
    }
    expect(run(SIGN_ECDSA, bulk, good(SIGN_ECDSA), verdicts, ROWS, NULL), PHALANX_OK);
    expect(phalanx_verify_ecdsa(bulk, &digest_column, &signature_column, &key_column, 4, verdicts, ROWS, NULL),
           PHALANX_BAD_ARGUMENT);
    expect_undecided();
    expect(phalanx_verify_ecdsa(bulk, &digest_column, &signature_column, &key_column, PHALANX_ALLOW_HIGH_S, verdicts,
                                ROWS, NULL),
           PHALANX_OK);
    expect_true(verdicts[0] == PHALANX_VALID);
    ids[0] ^= 1;
    expect(run(RECOVER, bulk, good(RECOVER), verdicts, ROWS, NULL), PHALANX_OK);
    expect_true(verdicts[0] == PHALANX_VALID && memcmp(found_keys[0], keys[0], 33) != 0);
    expect(run(BATCH_ECDSA, bulk, good(BATCH_ECDSA), verdicts, ROWS, NULL), PHALANX_OK);
    expect_true(verdicts[0] == PHALANX_VALID);
    ids[0] = 4;
    expect(run(RECOVER, bulk, good(RECOVER), verdicts, ROWS, NULL), PHALANX_OK);
    expect_true(verdicts[0] == PHALANX_OUT_OF_RANGE && memcmp(found_keys[0], zeros, 33) == 0);
}

int main(int argc, char **argv) {
    int function;
    if (argc != 2) return 2;
    prepare(argv[1]);
    for (function = 0; function < FUNCTIONS; function++) {
        rows_of(function);
        /* Signing has been cut short in between: make the signatures again. */
        expect(run(SIGN_ECDSA, bulk, good(SIGN_ECDSA), verdicts, ROWS, NULL), PHALANX_OK);
        expect(run(SIGN_SCHNORR, bulk, good(SIGN_SCHNORR), verdicts, ROWS, NULL), PHALANX_OK);
    }
    wrong_rows();
    return report(argv[1], 1000);
}
