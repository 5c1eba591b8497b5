/* Makes a key pair's public key, an ECDSA and a Schnorr signature and a shared secret, and verifies the signatures. */
#include "common.h"
#include <string.h>

int main(void) {
    static const uint8_t no_randomness[32] = {0};
    uint8_t secret[32] = {0}, digest[32] = {0}, key[33] = {0}, signature[64] = {0}, schnorr[64] = {0}, shared[32], verdicts[1];
    phalanx_column secrets = column(secret, 32, 32), digests = column(digest, 32, 32);
    phalanx_column aux = column(no_randomness, 0, 32);
    phalanx_column keys = column(key, 33, 33), x_only = column(key + 1, 33, 32);
    phalanx_column signatures = column(signature, 64, 64), schnorr_signatures = column(schnorr, 64, 64);
    phalanx_output out;
    phalanx_bulk *bulk;
    phalanx_options options;

    memset(&options, 0, sizeof options);
    options.threads = 1;
    check(phalanx_bulk_new(&options, &bulk), "a handle");
    memset(secret, 0x11, sizeof secret); /* A program takes 32 bytes of the operating system's randomness. */
    memset(digest, 0x22, sizeof digest); /* And the hash of its message. */

    out = output(key, 33, 33);
    check(phalanx_public_keys(bulk, &secrets, &out, verdicts, 1, NULL), "public key");
    if (verdicts[0] != PHALANX_VALID) return 1; /* Not a secret key: zero, or not below the order. */
    print_hex("public key", key, sizeof key);

    out = output(signature, 64, 64);
    check(phalanx_sign_ecdsa(bulk, &digests, &secrets, &out, NULL, verdicts, 1, NULL), "ECDSA");
    print_hex("ECDSA     ", signature, sizeof signature);
    check(phalanx_verify_ecdsa(bulk, &digests, &signatures, &keys, 0, verdicts, 1, NULL), "verification");
    if (verdicts[0] != PHALANX_VALID) return 1;

    out = output(schnorr, 64, 64);
    check(phalanx_sign_schnorr(bulk, &digests, &secrets, &aux, &out, verdicts, 1, NULL), "Schnorr");
    print_hex("Schnorr   ", schnorr, sizeof schnorr);
    check(phalanx_verify_schnorr(bulk, &digests, &schnorr_signatures, &x_only, verdicts, 1, NULL), "verification");
    if (verdicts[0] != PHALANX_VALID) return 1;

    out = output(shared, 32, 32);
    check(phalanx_shared_secrets(bulk, &keys, &secrets, &out, verdicts, 1, NULL), "ECDH");
    print_hex("ECDH      ", shared, sizeof shared);
    phalanx_bulk_free(bulk);
    return 0;
}
