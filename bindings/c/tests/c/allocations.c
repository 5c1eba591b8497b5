/* No allocation after warm-up. */
#include "counted.h"

enum { ROWS = 3000 };
static uint8_t secrets[ROWS][32], digests[ROWS][32], keys[ROWS][33], signatures[ROWS][64], schnorr[ROWS][64],
    shared[ROWS][32], found[ROWS][33], addresses[ROWS][20], ids[ROWS], verdicts[ROWS];
static uint64_t place[(4 << 20) / 8 + 8];

static int failures;

/* Batches and sums, whose workspace is larger. */
static void together(phalanx_bulk *bulk, size_t rows) {
    phalanx_column s = column(secrets, 32, 32), d = column(digests, 32, 32), k = column(keys, 33, 33);
    phalanx_column x = column(keys[0] + 1, 33, 32), e = column(signatures, 64, 64), b = column(schnorr, 64, 64);
    phalanx_column i = column(ids, 1, 1);
    uint8_t randomness[32] = {7}, sum[33];
    phalanx_call call;
    size_t bytes = 0, other, before, r;
    uint8_t *memory;
    check(phalanx_workspace_bytes(bulk, PHALANX_OPERATION_BATCH_ECDSA, rows, &bytes), "bytes");
    check(phalanx_workspace_bytes(bulk, PHALANX_OPERATION_BATCH_SCHNORR, rows, &other), "bytes");
    bytes = other > bytes ? other : bytes;
    check(phalanx_workspace_bytes(bulk, PHALANX_OPERATION_SUM_OF_PRODUCTS, rows, &other), "bytes");
    bytes = other > bytes ? other : bytes;
    memory = malloc(bytes + 63);
    memset(&call, 0, sizeof call);
    call.workspace = memory + (64 - (uintptr_t)memory % 64) % 64;
    call.workspace_bytes = bytes;
    before = count;
    check(phalanx_batch_ecdsa(bulk, &d, &e, &k, &i, 0, randomness, verdicts, rows, &call), "batch");
    for (r = 0; r < rows; r++)
        if (verdicts[r] != PHALANX_VALID) failures++;
    check(phalanx_batch_schnorr(bulk, &d, &b, &x, randomness, verdicts, rows, &call), "batch");
    for (r = 0; r < rows; r++)
        if (verdicts[r] != PHALANX_VALID) failures++;
    check(phalanx_sum_of_products_in(bulk, &s, &k, rows, sum, call.workspace, bytes), "sum");
    if (count != before) {
        fprintf(stderr, "batches and sums in a workspace: %lu allocations\n", (unsigned long)(count - before));
        failures++;
    }
    /* What is missing is an error, and no verdict. */
    if (phalanx_batch_schnorr(bulk, &d, &b, &x, NULL, verdicts, rows, &call) != PHALANX_NULL_POINTER) failures++;
    call.workspace_bytes = 64;
    if (phalanx_batch_ecdsa(bulk, &d, &e, &k, &i, 0, randomness, verdicts, rows, &call) != PHALANX_WORKSPACE_TOO_SMALL)
        failures++;
    for (r = 0; r < rows; r++)
        if (verdicts[r] != PHALANX_UNDECIDED) failures++;
    free(memory);
}

static void all(phalanx_bulk *bulk, const phalanx_call *call, size_t rows, int may_allocate, const char *what) {
    static const uint8_t zeros[32] = {0};
    phalanx_column s = column(secrets, 32, 32), d = column(digests, 32, 32), k = column(keys, 33, 33);
    phalanx_column x = column(keys[0] + 1, 33, 32), e = column(signatures, 64, 64), b = column(schnorr, 64, 64);
    phalanx_column i = column(ids, 1, 1), aux = column(zeros, 0, 32);
    phalanx_output ko = output(keys, 33, 33), eo = output(signatures, 64, 64), bo = output(schnorr, 64, 64);
    phalanx_output fo = output(found, 33, 33), so = output(shared, 32, 32), io = output(ids, 1, 1);
    phalanx_output ao = output(addresses, 20, 20);
    const char *names[9] = {"public keys", "ECDSA signing", "with ids", "Schnorr signing", "ECDH", "ECDSA", "Schnorr",
                            "recovery", "senders"};
    int step;
    for (step = 0; step < 9; step++) {
        size_t before = count, r;
        int32_t status;
        switch (step) {
        case 0: status = phalanx_public_keys(bulk, &s, &ko, verdicts, rows, call); break;
        case 1: status = phalanx_sign_ecdsa(bulk, &d, &s, &eo, NULL, verdicts, rows, call); break;
        case 2: status = phalanx_sign_ecdsa(bulk, &d, &s, &eo, &io, verdicts, rows, call); break;
        case 3: status = phalanx_sign_schnorr(bulk, &d, &s, &aux, &bo, verdicts, rows, call); break;
        case 4: status = phalanx_shared_secrets(bulk, &k, &s, &so, verdicts, rows, call); break;
        case 5: status = phalanx_verify_ecdsa(bulk, &d, &e, &k, 0, verdicts, rows, call); break;
        case 6: status = phalanx_verify_schnorr(bulk, &d, &b, &x, verdicts, rows, call); break;
        case 7: status = phalanx_recover(bulk, &d, &e, &i, &fo, verdicts, rows, call); break;
        default: status = phalanx_senders(bulk, &d, &e, &i, 0, &ao, verdicts, rows, call); break;
        }
        check(status, names[step]);
        for (r = 0; r < rows; r++)
            if (verdicts[r] != PHALANX_VALID) failures++;
        if (!may_allocate && count != before) {
            fprintf(stderr, "%s, %s: %lu allocations\n", what, names[step], (unsigned long)(count - before));
            failures++;
        }
    }
}

int main(void) {
    phalanx_options options;
    phalanx_call call;
    phalanx_bulk *bulk;
    size_t i;
    for (i = 0; i < ROWS; i++) {
        secrets[i][0] = digests[i][31] = (uint8_t)(1 + i % 255);
        secrets[i][30] = digests[i][1] = (uint8_t)(i / 256);
        secrets[i][31] = (uint8_t)i;
    }
    memset(&options, 0, sizeof options);
    options.threads = 1;
    check(phalanx_bulk_new(&options, &bulk), "a handle");
    all(bulk, NULL, ROWS, 1, "warm-up");
    if (count == 0) {
        fprintf(stderr, "nothing was counted\n");
        return 1;
    }
    all(bulk, NULL, ROWS, 0, "kept memory");

    /* In a workspace there is nothing to warm up, but for what the handle is made of. */
    memset(&call, 0, sizeof call);
    call.workspace = (uint8_t *)place + (64 - (uintptr_t)place % 64) % 64;
    call.workspace_bytes = (size_t)4 << 20;
    all(bulk, &call, ROWS, 0, "workspace");
    together(bulk, ROWS);
    together(bulk, 40);
    phalanx_bulk_free(bulk);

    /* On two threads the pool may need a block for its queue once in a while. */
    options.threads = 2;
    check(phalanx_bulk_new(&options, &bulk), "a handle");
    all(bulk, NULL, ROWS, 1, "warm-up");
    {
        size_t before = count;
        all(bulk, NULL, ROWS, 1, "two threads");
        all(bulk, NULL, ROWS, 1, "two threads");
        printf("two threads: %lu allocations in 18 calls\n", (unsigned long)(count - before));
        if (count - before > 8) failures++;
    }
    phalanx_bulk_free(bulk);
    return failures == 0 ? 0 : 1;
}
