/* How much of the calling thread's stack calls take. */
#include "painted.h"

enum { MANY = 1500 };

static uint8_t many_secrets[MANY][32], many_digests[MANY][32], many_keys[MANY][33], many_signatures[MANY][64],
    many_schnorr[MANY][64], many_found[MANY][65], many_ids[MANY], many_verdicts[MANY];

static const phalanx_scanner *receiver;

static void rows(void) {
    phalanx_column s = column(many_secrets, 32, 32), d = column(many_digests, 32, 32), k = column(many_keys, 33, 33);
    phalanx_column x = column(many_keys[0] + 1, 33, 32), e = column(many_signatures, 64, 64);
    phalanx_column b = column(many_schnorr, 64, 64), i = column(many_ids, 1, 1);
    phalanx_output ko = output(many_keys, 33, 33), eo = output(many_signatures, 64, 64);
    phalanx_output bo = output(many_schnorr, 64, 64), fo = output(many_found, 65, 65), io = output(many_ids, 1, 1);
    uint8_t sum[33];
    static uint32_t numbers[MANY + 1];
    phalanx_column n = column(numbers, 4, 4);
    size_t matches, j;
    expect(phalanx_public_keys(bulk, &s, &ko, many_verdicts, MANY, NULL), PHALANX_OK);
    expect(phalanx_sign_ecdsa(bulk, &d, &s, &eo, NULL, many_verdicts, MANY, NULL), PHALANX_OK);
    expect(phalanx_sign_ecdsa(bulk, &d, &s, &eo, &io, many_verdicts, MANY, NULL), PHALANX_OK);
    expect(phalanx_sign_schnorr(bulk, &d, &s, &aux_column, &bo, many_verdicts, MANY, NULL), PHALANX_OK);
    expect(phalanx_verify_ecdsa(bulk, &d, &e, &k, 0, many_verdicts, MANY, NULL), PHALANX_OK);
    expect_true(many_verdicts[MANY - 1] == PHALANX_VALID);
    expect(phalanx_verify_schnorr(bulk, &d, &b, &x, many_verdicts, MANY, NULL), PHALANX_OK);
    expect(phalanx_batch_ecdsa(bulk, &d, &e, &k, &i, 0, NULL, many_verdicts, MANY, NULL), PHALANX_OK);
    expect(phalanx_batch_schnorr(bulk, &d, &b, &x, NULL, many_verdicts, MANY, NULL), PHALANX_OK);
    expect(phalanx_recover(bulk, &d, &e, &i, &fo, many_verdicts, MANY, NULL), PHALANX_OK);
    expect_true(many_verdicts[MANY - 1] == PHALANX_VALID);
    fo.width = 20;
    expect(phalanx_senders(bulk, &d, &e, &i, 0, &fo, many_verdicts, MANY, NULL), PHALANX_OK);
    expect_true(many_verdicts[MANY - 1] == PHALANX_VALID);
    fo.width = 32;
    expect(phalanx_shared_secrets(bulk, &k, &s, &fo, many_verdicts, MANY, NULL), PHALANX_OK);
    expect(phalanx_derive_children(bulk, &k, &d, &n, PHALANX_PAYLOAD_TAPROOT_KEY, NULL, NULL, &fo, many_verdicts, MANY,
                                   NULL),
           PHALANX_OK);
    expect_true(many_verdicts[MANY - 1] == PHALANX_VALID);
    for (j = 0; j <= MANY; j++) numbers[j] = (uint32_t)j;
    expect(phalanx_scan_silent_payments(bulk, &receiver, 1, &k, &d, MANY, &n, NULL, 0, &matches, many_verdicts, MANY),
           PHALANX_OK);
    expect_true(many_verdicts[MANY - 1] == PHALANX_VALID && matches == 0);
    expect(phalanx_sum_of_products(bulk, &s, &k, MANY, sum), PHALANX_OK);
}

static void by_tables(void) {
    phalanx_column points = column(many_keys, 33, 33), vectors = column(many_secrets, 32 * 20, 32 * 20);
    phalanx_output sums = output(many_found, 33, 33);
    size_t bytes;
    expect(phalanx_fixed_base_bytes(20, BITS, &bytes), PHALANX_OK);
    expect_true(bytes + 64 <= sizeof tables_place);
    expect(phalanx_fixed_base_build(bulk, &points, 20, BITS, tables(), bytes), PHALANX_OK);
    expect(phalanx_fixed_base_sums(bulk, tables(), bytes, &vectors, &sums, 50), PHALANX_OK);
}

static void alone(void) {
    uint8_t a[64], b[64], shared_secret[32], aggregate[33], nonces[2][66], sum[66], partials[2][32], signature[64];
    phalanx_column k = column(keys, 33, 33), n = column(nonces, 66, 66), p = column(partials, 32, 32);
    phalanx_musig_secret_nonce *made[2];
    phalanx_musig_keys *two;
    phalanx_musig_session *session;
    int i;
    expect(phalanx_ellswift_create(secrets[0], aux, a), PHALANX_OK);
    expect(phalanx_ellswift_encode(keys[1], aux, b), PHALANX_OK);
    expect(phalanx_ellswift_xdh(a, b, secrets[0], 0, shared_secret), PHALANX_OK);
    expect(phalanx_musig_keys_new(&k, &two, aggregate, verdicts, 2), PHALANX_OK);
    for (i = 0; i < 2; i++) expect(phalanx_musig_secret_nonce_new(keys[i], NULL, &made[i], nonces[i]), PHALANX_OK);
    expect(phalanx_musig_aggregate_nonce(&n, sum, verdicts, 2), PHALANX_OK);
    expect(phalanx_musig_session_new(two, sum, digests[0], 32, &session), PHALANX_OK);
    for (i = 0; i < 2; i++) {
        expect(phalanx_musig_partial_sign(session, made[i], secrets[i], partials[i]), PHALANX_OK);
        phalanx_musig_secret_nonce_free(made[i]);
    }
    expect(phalanx_musig_aggregate(session, &n, &p, signature, verdicts, 2), PHALANX_OK);
    phalanx_musig_session_free(session);
    phalanx_musig_keys_free(two);
}

int main(int argc, char **argv) {
    int i;
    if (argc != 2) return 2;
    prepare(argv[1]);
    for (i = 0; i < MANY; i++) {
        many_secrets[i][0] = many_digests[i][31] = (uint8_t)(1 + i % 250);
        many_secrets[i][30] = many_digests[i][1] = (uint8_t)(i / 256);
        many_secrets[i][31] = many_digests[i][2] = (uint8_t)i;
    }
    {
        phalanx_scanner *made;
        check(phalanx_scanner_new(secrets[0], keys[1], NULL, 0, &made), "a receiver");
        receiver = made;
    }
    expect_little(argv[1], "rows", rows);
    expect_little(argv[1], "tables", by_tables);
    expect_little(argv[1], "single calls", alone);
    phalanx_scanner_free((phalanx_scanner *)(uintptr_t)receiver);
    return report(argv[1], 20);
}
