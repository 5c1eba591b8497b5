/* Calls on rows: what those write that are refused (see refused.h), and what the others give. */
#include "refused.h"

static uint8_t x_keys[ROWS][32], recoverable[ROWS], random_bytes[32], addresses[ROWS][20], encodings[2][64];
static uint8_t nonces[ROWS][66], nonce_sum[66], partials[ROWS][32], musig_key[33];
static phalanx_musig_keys *musig_keys;
static phalanx_musig_secret_nonce *secret_nonce;
static phalanx_musig_session *session;
static uint32_t indices[ROWS], offsets[ROWS + 1];
static const phalanx_scanner *scanners[1];

FUNCTION(verify_ecdsa) { return phalanx_verify_ecdsa(handle, C(0), C(1), C(2), flags, B(3), rows, W(4)); }
FUNCTION(verify_schnorr) { return phalanx_verify_schnorr(handle, C(0), C(1), C(2), B(3), rows, W(4)); }
FUNCTION(batch_ecdsa) {
    return phalanx_batch_ecdsa(handle, C(0), C(1), C(2), C(3), flags, B(4), B(5), rows, W(6));
}
FUNCTION(batch_schnorr) { return phalanx_batch_schnorr(handle, C(0), C(1), C(2), B(3), B(4), rows, W(5)); }
FUNCTION(recover) { return phalanx_recover(handle, C(0), C(1), C(2), O(3), B(4), rows, W(5)); }
FUNCTION(senders) { return phalanx_senders(handle, C(0), C(1), C(2), flags, O(3), B(4), rows, W(5)); }
FUNCTION(public_keys) { return phalanx_public_keys(handle, C(0), O(1), B(2), rows, W(3)); }
FUNCTION(sign_ecdsa) { return phalanx_sign_ecdsa(handle, C(0), C(1), O(2), O(3), B(4), rows, W(5)); }
FUNCTION(sign_schnorr) { return phalanx_sign_schnorr(handle, C(0), C(1), C(2), O(3), B(4), rows, W(5)); }
FUNCTION(shared_secrets) { return phalanx_shared_secrets(handle, C(0), C(1), O(2), B(3), rows, W(4)); }
FUNCTION(tweak_add_public) { return phalanx_tweak_add_public(handle, C(0), C(1), O(2), B(3), rows, W(4)); }
FUNCTION(decompress) { return phalanx_decompress(handle, C(0), O(1), B(2), rows, W(3)); }
FUNCTION(derive_children) {
    uint32_t payload = flags <= PHALANX_ALLOW_HIGH_S ? PHALANX_PAYLOAD_TAPROOT_KEY : flags;
    return phalanx_derive_children(handle, C(0), C(1), C(2), payload, O(3), O(4), O(5), B(6), rows, W(7));
}
FUNCTION(scanner_new) {
    phalanx_scanner *made;
    int32_t status = phalanx_scanner_new(B(0), B(1), C(2), rows, (phalanx_scanner **)(void *)B(3));
    if (status == PHALANX_OK) {
        memcpy(&made, slots[3].data, sizeof made);
        phalanx_scanner_free(made);
    }
    return status;
}
FUNCTION(scan_silent_payments) {
    return phalanx_scan_silent_payments(handle, (const phalanx_scanner *const *)(const void *)B(0), 1, C(1), C(2), rows,
                                        C(3), (phalanx_match *)(void *)B(4), ROWS, (size_t *)(void *)B(5), B(6), rows);
}
FUNCTION(sum_of_products) { return phalanx_sum_of_products(handle, C(0), C(1), rows, B(2)); }
FUNCTION(sum_of_products_in) {
    return phalanx_sum_of_products_in(handle, C(0), C(1), rows, B(2), slots[3].data, workspace_bytes);
}
FUNCTION(fixed_base_build) { return phalanx_fixed_base_build(handle, C(0), rows, 1, B(1), table_bytes); }
FUNCTION(fixed_base_sums) { return phalanx_fixed_base_sums(handle, B(0), table_bytes, C(1), O(2), rows); }
FUNCTION(ellswift_encode) { return phalanx_ellswift_encode(B(0), B(1), B(2)); }
FUNCTION(ellswift_create) { return phalanx_ellswift_create(B(0), B(1), B(2)); }
FUNCTION(ellswift_decode) { return phalanx_ellswift_decode(B(0), B(1)); }
FUNCTION(ellswift_xdh) { return phalanx_ellswift_xdh(B(0), B(1), B(2), flags, B(3)); }
FUNCTION(musig_keys_new) {
    phalanx_musig_keys *made;
    int32_t status = phalanx_musig_keys_new(C(0), (phalanx_musig_keys **)(void *)B(1), B(2), B(3), rows);
    if (status == PHALANX_OK) {
        memcpy(&made, slots[1].data, sizeof made);
        phalanx_musig_keys_free(made);
    }
    return status;
}
FUNCTION(musig_keys_tweak) {
    phalanx_musig_keys *made;
    int32_t status = phalanx_musig_keys_tweak(handle == NULL ? NULL : musig_keys, B(0), flags,
                                              (phalanx_musig_keys **)(void *)B(1), B(2));
    if (status == PHALANX_OK) {
        memcpy(&made, slots[1].data, sizeof made);
        phalanx_musig_keys_free(made);
    }
    return status;
}
FUNCTION(musig_secret_nonce_new) {
    phalanx_musig_secret_nonce *made;
    int32_t status = phalanx_musig_secret_nonce_new(B(0), NULL, (phalanx_musig_secret_nonce **)(void *)B(1), B(2));
    if (status == PHALANX_OK) {
        memcpy(&made, slots[1].data, sizeof made);
        phalanx_musig_secret_nonce_free(made);
    }
    return status;
}
FUNCTION(musig_aggregate_nonce) { return phalanx_musig_aggregate_nonce(C(0), B(1), B(2), rows); }
FUNCTION(musig_session_new) {
    phalanx_musig_session *made;
    int32_t status = phalanx_musig_session_new(handle == NULL ? NULL : musig_keys, B(0), B(1), 32,
                                               (phalanx_musig_session **)(void *)B(2));
    if (status == PHALANX_OK) {
        memcpy(&made, slots[2].data, sizeof made);
        phalanx_musig_session_free(made);
    }
    return status;
}
FUNCTION(musig_sign) { return phalanx_musig_partial_sign(handle == NULL ? NULL : session, secret_nonce, B(0), B(1)); }
FUNCTION(musig_verify) { return phalanx_musig_partial_verify(handle == NULL ? NULL : session, 0, C(0), C(1), B(2), rows); }
FUNCTION(musig_aggregate) {
    return phalanx_musig_aggregate(handle == NULL ? NULL : session, C(0), C(1), B(2), B(3), rows);
}

#define V {'v', 1, NULL, 0}
#define H {'h', sizeof(void *), NULL, 0}
#define K {'w', 1, NULL, 0}
static const function functions[] = {
    {"phalanx_verify_ecdsa", "cccvw", {{'c', 32, digests, 0}, {'c', 64, signatures, 0}, {'c', 33, keys, 0}, V, K},
     verify_ecdsa, FLAGS, PHALANX_OPERATION_ROWS},
    {"phalanx_verify_schnorr", "cccvw", {{'c', 32, digests, ANY_WIDTH}, {'c', 64, schnorr, 0}, {'c', 32, x_keys, 0}, V, K},
     verify_schnorr, 0, PHALANX_OPERATION_ROWS},
    {"phalanx_batch_ecdsa", "ccccfvw",
     {{'c', 32, digests, 0}, {'c', 64, signatures, 0}, {'c', 33, keys, 0}, {'c', 1, recoverable, 0},
      {'f', 32, random_bytes, 0}, V, K},
     batch_ecdsa, FLAGS, PHALANX_OPERATION_BATCH_ECDSA},
    {"phalanx_batch_schnorr", "cccfvw",
     {{'c', 32, digests, ANY_WIDTH}, {'c', 64, schnorr, 0}, {'c', 32, x_keys, 0}, {'f', 32, random_bytes, 0}, V, K},
     batch_schnorr, 0, PHALANX_OPERATION_BATCH_SCHNORR},
    {"phalanx_recover", "cccovw",
     {{'c', 32, digests, 0}, {'c', 64, signatures, 0}, {'c', 1, recoverable, 0}, {'o', 33, NULL, 0}, V, K},
     recover, 0, PHALANX_OPERATION_ROWS},
    {"phalanx_senders", "cccovw",
     {{'c', 32, digests, 0}, {'c', 64, signatures, 0}, {'c', 1, recoverable, 0}, {'o', 20, NULL, 0}, V, K},
     senders, FLAGS, PHALANX_OPERATION_ROWS},
    {"phalanx_derive_children", "cccooovw",
     {{'c', 33, keys, 0}, {'c', 32, digests, 0}, {'c', 4, indices, 0}, {'o', 33, NULL, OR_NULL},
      {'o', 32, NULL, OR_NULL}, {'o', 32, NULL, 0}, V, K},
     derive_children, FLAGS, PHALANX_OPERATION_ROWS},
    {"phalanx_scanner_new", "ffch",
     {{'f', 32, secrets, 0}, {'f', 33, keys, 0}, {'c', 4, indices, 0}, {'h', sizeof(void *), NULL, 0}},
     scanner_new, NO_HANDLE, 0},
    {"phalanx_scan_silent_payments", "pcccxnv",
     {{'p', sizeof(void *), scanners, 0}, {'c', 33, keys, 0}, {'c', 32, digests, 0}, {'c', 4, offsets, ONE_MORE},
      {'x', ROWS * sizeof(phalanx_match), NULL, 0}, {'n', sizeof(size_t), NULL, 0}, V},
     scan_silent_payments, 0, 0},
    {"phalanx_public_keys", "covw", {{'c', 32, secrets, 0}, {'o', 33, NULL, 0}, V, K},
     public_keys, 0, PHALANX_OPERATION_ROWS},
    {"phalanx_sign_ecdsa", "ccoovw",
     {{'c', 32, digests, 0}, {'c', 32, secrets, 0}, {'o', 64, NULL, 0}, {'o', 1, NULL, OR_NULL}, V, K},
     sign_ecdsa, 0, PHALANX_OPERATION_ROWS},
    {"phalanx_sign_schnorr", "cccovw",
     {{'c', 32, digests, ANY_WIDTH}, {'c', 32, secrets, 0}, {'c', 32, random_bytes, 0}, {'o', 64, NULL, 0}, V, K},
     sign_schnorr, 0, PHALANX_OPERATION_ROWS},
    {"phalanx_shared_secrets", "ccovw", {{'c', 33, keys, 0}, {'c', 32, secrets, 0}, {'o', 32, NULL, 0}, V, K},
     shared_secrets, 0, PHALANX_OPERATION_ROWS},
    {"phalanx_tweak_add_public", "ccovw", {{'c', 33, keys, 0}, {'c', 32, secrets, 0}, {'o', 33, NULL, 0}, V, K},
     tweak_add_public, 0, PHALANX_OPERATION_ROWS},
    {"phalanx_decompress", "covw", {{'c', 33, keys, 0}, {'o', 33, NULL, 0}, V, K},
     decompress, 0, PHALANX_OPERATION_ROWS},
    {"phalanx_sum_of_products", "ccs", {{'c', 32, secrets, 0}, {'c', 33, keys, 0}, {'s', 33, NULL, 0}},
     sum_of_products, 0, 0},
    {"phalanx_sum_of_products_in", "ccsw", {{'c', 32, secrets, 0}, {'c', 33, keys, 0}, {'s', 33, NULL, 0}, K},
     sum_of_products_in, 0, PHALANX_OPERATION_SUM_OF_PRODUCTS},
    {"phalanx_fixed_base_build", "cm", {{'c', 33, keys, 0}, {'m', 0, NULL, 0}}, fixed_base_build, 0, 0},
    {"phalanx_fixed_base_sums", "fca", {{'f', 0, NULL, 0}, {'c', 32, secrets, ANY_WIDTH}, {'a', 33, NULL, 0}},
     fixed_base_sums, 0, 0},
    {"phalanx_ellswift_encode", "ffs", {{'f', 33, keys, 0}, {'f', 32, random_bytes, 0}, {'s', 64, NULL, 0}},
     ellswift_encode, NO_HANDLE, 0},
    {"phalanx_ellswift_create", "ffs", {{'f', 32, secrets, 0}, {'f', 32, random_bytes, OR_NULL}, {'s', 64, NULL, 0}},
     ellswift_create, NO_HANDLE, 0},
    {"phalanx_ellswift_decode", "fs", {{'f', 64, encodings, 0}, {'s', 33, NULL, 0}}, ellswift_decode, NO_HANDLE, 0},
    {"phalanx_ellswift_xdh", "fffs",
     {{'f', 64, encodings[0], 0}, {'f', 64, encodings[1], 0}, {'f', 32, secrets, 0}, {'s', 32, NULL, 0}},
     ellswift_xdh, NO_HANDLE | FLAGS, 0},
    {"phalanx_musig_keys_new", "chmv", {{'c', 33, keys, 0}, H, {'m', 33, NULL, 0}, V}, musig_keys_new, NO_HANDLE, 0},
    {"phalanx_musig_keys_tweak", "fhs", {{'f', 32, secrets, 0}, H, {'s', 33, NULL, 0}}, musig_keys_tweak, FLAGS, 0},
    {"phalanx_musig_secret_nonce_new", "fhs", {{'f', 33, keys, 0}, H, {'s', 66, NULL, 0}},
     musig_secret_nonce_new, NO_HANDLE, 0},
    {"phalanx_musig_aggregate_nonce", "cmv", {{'c', 66, nonces, 0}, {'m', 66, NULL, 0}, V},
     musig_aggregate_nonce, NO_HANDLE, 0},
    {"phalanx_musig_session_new", "ffh", {{'f', 66, nonce_sum, 0}, {'f', 32, digests, 0}, H}, musig_session_new, 0, 0},
    {"phalanx_musig_partial_sign", "fs", {{'f', 32, secrets[0], 0}, {'s', 32, NULL, 0}}, musig_sign, 0, 0},
    {"phalanx_musig_partial_verify", "ccv", {{'c', 66, nonces, 0}, {'c', 32, partials, 0}, V}, musig_verify, 0, 0},
    {"phalanx_musig_aggregate", "ccmv", {{'c', 66, nonces, 0}, {'c', 32, partials, 0}, {'m', 64, NULL, 0}, V},
     musig_aggregate, 0, 0},
};

/* A session of all keys, all partial signatures, and a secret nonce that has not signed. */
static void make_session(void) {
    phalanx_column nonce_column = column(nonces, 66, 66);
    phalanx_musig_secret_nonce *made[ROWS];
    int i;
    check(phalanx_musig_keys_new(&key_column, &musig_keys, musig_key, verdicts, ROWS), "keys");
    for (i = 0; i < ROWS; i++) check(phalanx_musig_secret_nonce_new(keys[i], NULL, &made[i], nonces[i]), "a nonce");
    check(phalanx_musig_aggregate_nonce(&nonce_column, nonce_sum, verdicts, ROWS), "their sum");
    check(phalanx_musig_session_new(musig_keys, nonce_sum, digests[0], 32, &session), "a session");
    for (i = 0; i < ROWS; i++) {
        check(phalanx_musig_partial_sign(session, made[i], secrets[i], partials[i]), "a partial signature");
        phalanx_musig_secret_nonce_free(made[i]);
    }
    {
        uint8_t unused[66];
        check(phalanx_musig_secret_nonce_new(keys[0], NULL, &secret_nonce, unused), "a nonce");
    }
}

/* Tables of a fixed base. */
static void make_tables(void) {
    check(phalanx_fixed_base_bytes(ROWS, 1, &table_bytes), "a size");
    expect_true(table_bytes < REGION);
    check(phalanx_fixed_base_build(bulk, &key_column, ROWS, 1, made_tables(), table_bytes), "tables");
}

static size_t place_of(char kind) { return (size_t)(strchr(now->kinds, kind) - now->kinds); }
static const uint8_t *given_verdicts(void) { return slots[place_of('v')].data; }

/* All rows are good, and the byte behind the last verdict is as it was. */
static void all_valid_at(int line) {
    size_t row;
    expect_at(line, now->call(), PHALANX_OK);
    for (row = 0; row < rows; row++) expect_true_at(line, given_verdicts()[row] == PHALANX_VALID);
    expect_true_at(line, given_verdicts()[rows] == 0xa5);
}
#define all_valid() all_valid_at(__LINE__)

/* Good rows, and one, and none: with columns that may then be NULL; and those that all have the first value. */
static void good_rows(void) {
    size_t i;
    all_valid();
    reset();
    slots[place_of('w')].null = 1;
    all_valid();
    reset();
    rows = 1;
    all_valid();
    for (i = 0; now->kinds[i] == 'c'; i++) {
        reset();
        slots[i].stride = 0;
        expect(now->call(), PHALANX_OK);
        expect_true(given_verdicts()[0] == PHALANX_VALID);
        reset();
        rows = 1;
        slots[i].stride = SIZE_MAX;
        all_valid();
        reset();
        rows = 0;
        slots[i].data = NULL;
        slots[place_of('v')].null = 1;
        expect(now->call(), PHALANX_OK);
    }
    reset();
}

/* Nothing is written behind the end of a workspace, no secret key is left in it, and a byte less is too little. */
static void workspaces(void) {
    size_t w = place_of('w'), bytes = needed(), i;
    const uint8_t *workspace = slots[w].data;
    expect_true(bytes > 0);
    all_valid();
    for (i = bytes; i < WORKSPACE && workspace[i] == 0xa5; i++) continue;
    expect_true(i == WORKSPACE);
    for (i = 0; i + 32 <= bytes && memcmp(workspace + i, secrets[1], 32) != 0; i++) continue;
    expect_true(i + 32 > bytes);
    reset();
    workspace_bytes = SIZE_MAX;
    all_valid();
    reset();
    workspace_bytes--;
    refused(PHALANX_WORKSPACE_TOO_SMALL, FIRST, w);
}

static int cancel(void *user, size_t done, size_t of) {
    *(size_t *)user = done;
    return of == ROWS;
}

/* Makes a call of its own, on the same handle. */
static int call_again(void *user, size_t done, size_t of) {
    uint8_t made[ROWS][33], found[ROWS];
    phalanx_output own = output(made, 33, 33);
    (void)done, (void)of;
    expect(phalanx_public_keys(bulk, &secret_column, &own, found, ROWS, NULL), PHALANX_OK);
    expect_true(found[0] == PHALANX_VALID && memcmp(made, keys, sizeof made) == 0);
    ++*(size_t *)user;
    return 0;
}

/* Cancelled after the first of three steps, and after the last; and not at all. */
static void steps(void) {
    const uint8_t *found = given_verdicts();
    size_t seen = 0;
    means.progress = cancel;
    means.user = &seen;
    means.rows_per_step = 1;
    expect(now->call(), PHALANX_CANCELLED);
    expect_true(seen == 1 && found[0] == PHALANX_VALID && found[1] == PHALANX_UNDECIDED &&
                found[2] == PHALANX_UNDECIDED && found[3] == 0xa5);
    means.rows_per_step = SIZE_MAX;
    all_valid();
    expect_true(seen == ROWS);
    means.progress = call_again;
    means.rows_per_step = 1;
    seen = 0;
    all_valid();
    expect_true(seen == ROWS);
    reset();
}

/* Rows that are wrong get their verdict, and outputs of zeros. */
static void wrong_rows(size_t column, const void *values, int32_t verdict) {
    static const uint8_t zeros[64] = {0};
    const given *out = &slots[place_of('o')];
    memcpy(slots[column].data, values, ROWS * slots[column].width);
    expect(now->call(), PHALANX_OK);
    expect_true(given_verdicts()[0] == verdict && given_verdicts()[1] == verdict);
    expect_true(given_verdicts()[2] == PHALANX_VALID);
    expect_true(memcmp(out->data, zeros, out->width) == 0 && memcmp(out->data + out->stride, zeros, out->width) == 0 &&
                memcmp(out->data + 2 * out->stride, zeros, out->width) != 0);
    reset();
}

static void wrong_values(void) {
    uint8_t bad_secrets[ROWS][32] = {{0}}, bad_keys[ROWS][33], bad_ids[ROWS];
    size_t i;
    memset(bad_secrets[1], 0xff, 32);
    memcpy(bad_secrets[2], secrets[2], 32);
    memcpy(bad_keys, keys, sizeof bad_keys);
    bad_keys[0][0] = bad_keys[1][0] = 9;
    memcpy(bad_ids, ids, sizeof bad_ids);
    bad_ids[0] = bad_ids[1] = 4;
    for (i = 0; now->kinds[i] == 'c'; i++) {
        /* A tweak may be zero. */
        if (now->arguments[i].good == secrets && now->call != tweak_add_public)
            wrong_rows(i, bad_secrets, PHALANX_MALFORMED_ROW);
        if (now->arguments[i].good == keys && strchr(now->kinds, 'o') != NULL)
            wrong_rows(i, bad_keys, PHALANX_BAD_PUBLIC_KEY);
        if (strchr(now->kinds, 'o') != NULL && now->arguments[i].good == recoverable)
            wrong_rows(i, bad_ids, PHALANX_OUT_OF_RANGE);
    }
    if ((now->is & FLAGS) != 0) {
        flags = PHALANX_ALLOW_HIGH_S;
        all_valid();
        reset();
    }
    /* By a wrong id another key is recovered; for a batch it is a hint that is wrong. */
    for (i = 0; now->kinds[i] == 'c'; i++)
        if (now->arguments[i].good == recoverable) {
            slots[i].data[0] ^= 1;
            all_valid();
            if (now->call == recover) expect_true(memcmp(slots[place_of('o')].data, keys[0], 33) != 0);
            if (now->call == senders) expect_true(memcmp(slots[place_of('o')].data, addresses[0], 20) != 0);
            reset();
        }
}

int main(int argc, char **argv) {
    size_t i;
    if (argc != 2) return 2;
    prepare(argv[1]);
    memcpy(recoverable, ids, sizeof recoverable);
    for (i = 0; i < ROWS; i++) memcpy(x_keys[i], keys[i] + 1, 32);
    {
        phalanx_output to = output(addresses, 20, 20);
        expect(phalanx_senders(bulk, &digest_column, &signature_column, &id_column, 0, &to, verdicts, ROWS, NULL),
               PHALANX_OK);
    }
    make_tables();
    make_session();
    check(phalanx_ellswift_create(secrets[0], NULL, encodings[0]), "an encoding");
    {
        phalanx_column label = column(indices, 4, 4);
        phalanx_scanner *made;
        for (i = 0; i <= ROWS; i++) offsets[i] = (uint32_t)i;
        for (i = 0; i < ROWS; i++) indices[i] = (uint32_t)(3 * i);
        check(phalanx_scanner_new(secrets[0], keys[1], &label, ROWS, &made), "a receiver");
        scanners[0] = made;
    }
    refuse_all(functions, sizeof functions / sizeof functions[0]);
    for (i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        now = &functions[i];
        if (strchr(now->kinds, 'w') == NULL || strchr(now->kinds, 'v') == NULL) continue;
        reset();
        good_rows();
        workspaces();
        steps();
        wrong_values();
    }
    phalanx_musig_session_free(session);
    phalanx_musig_secret_nonce_free(secret_nonce);
    phalanx_musig_keys_free(musig_keys);
    phalanx_scanner_free((phalanx_scanner *)(uintptr_t)scanners[0]);
    return report(argv[1], 1000);
}
