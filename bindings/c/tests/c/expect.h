/* What the tests of bad input share: expectations that count, and good rows to spoil. */
#ifndef TESTS_EXPECT_H
#define TESTS_EXPECT_H

#include "../../examples/c/common.h"
#include <string.h>

#define ROWS 3

static int failures, checks;

static void expect_at(int line, int32_t found, int32_t expected) {
    checks++;
    if (found != expected) {
        fprintf(stderr, "line %d: status %d (%s), not %d\n", line, (int)found, phalanx_status_text(found),
                (int)expected);
        failures++;
    }
}
#define expect(found, expected) expect_at(__LINE__, (found), (expected))

static void expect_true_at(int line, int holds) {
    checks++;
    if (!holds) {
        fprintf(stderr, "line %d: does not hold\n", line);
        failures++;
    }
}
#define expect_true(holds) expect_true_at(__LINE__, (holds))

static uint8_t digests[ROWS][32], secrets[ROWS][32], signatures[ROWS][64], schnorr[ROWS][64], keys[ROWS][33],
    found_keys[ROWS][33], shared[ROWS][32], ids[ROWS], verdicts[ROWS + 1], aux[32];
static phalanx_column digest_column, secret_column, signature_column, schnorr_column, key_column, x_column, id_column,
    aux_column;
static phalanx_output signature_output, schnorr_output, key_output, found_output, shared_output, id_output;

static phalanx_bulk *bulk;

/* A handle on a backend, and good rows. */
static void prepare(const char *backend) {
    phalanx_options options;
    int i;
    memset(&options, 0, sizeof options);
    options.backend = backend;
    options.threads = 1;
    check(phalanx_bulk_new(&options, &bulk), "a handle");
    digest_column = column(digests, 32, 32);
    secret_column = column(secrets, 32, 32);
    signature_column = column(signatures, 64, 64);
    schnorr_column = column(schnorr, 64, 64);
    key_column = column(keys, 33, 33);
    x_column = column(keys[0] + 1, 33, 32);
    id_column = column(ids, 1, 1);
    aux_column = column(aux, 0, 32);
    signature_output = output(signatures, 64, 64);
    schnorr_output = output(schnorr, 64, 64);
    key_output = output(keys, 33, 33);
    found_output = output(found_keys, 33, 33);
    shared_output = output(shared, 32, 32);
    id_output = output(ids, 1, 1);
    for (i = 0; i < ROWS; i++) {
        memset(secrets[i], 0x31 + i, 32);
        memset(digests[i], 0x11 + i, 32);
    }
    expect(phalanx_public_keys(bulk, &secret_column, &key_output, verdicts, ROWS, NULL), PHALANX_OK);
    expect(phalanx_sign_ecdsa(bulk, &digest_column, &secret_column, &signature_output, &id_output, verdicts, ROWS,
                              NULL),
           PHALANX_OK);
    expect(phalanx_sign_schnorr(bulk, &digest_column, &secret_column, &aux_column, &schnorr_output, verdicts, ROWS,
                                NULL),
           PHALANX_OK);
}

/* The exit status of a test. */
static int report(const char *backend, int at_least) {
    phalanx_bulk_free(bulk);
    printf("%s: %d checks, %d failures\n", backend, checks, failures);
    return failures == 0 && checks >= at_least ? 0 : 1;
}

#endif
