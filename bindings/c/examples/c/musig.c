/* Three signers make one Schnorr signature (MuSig2), and one who cheats is found. */
#include "common.h"
#include <string.h>

enum { SIGNERS = 3 };

int main(void) {
    static const uint8_t message[] = "what all of them sign";
    uint8_t secrets[SIGNERS][32], keys[SIGNERS][33], nonces[SIGNERS][66], partials[SIGNERS][32], verdicts[SIGNERS];
    uint8_t aggregate_key[33], aggregate_nonce[66], signature[64];
    phalanx_column secret_column = column(secrets, 32, 32), key_column = column(keys, 33, 33);
    phalanx_column nonce_column = column(nonces, 66, 66), partial_column = column(partials, 32, 32);
    phalanx_column messages = column(message, 0, sizeof message), signatures = column(signature, 64, 64);
    phalanx_column x_only = column(aggregate_key + 1, 32, 32); /* the aggregate key without its first byte */
    phalanx_output key_output = output(keys, 33, 33);
    phalanx_musig_secret_nonce *secret_nonces[SIGNERS];
    phalanx_musig_session *session;
    phalanx_musig_keys *all;
    phalanx_bulk *bulk;
    int i;

    check(phalanx_bulk_new(NULL, &bulk), "a handle");
    for (i = 0; i < SIGNERS; i++) memset(secrets[i], 0x11 + i, 32); /* A program takes the system's randomness. */
    check(phalanx_public_keys(bulk, &secret_column, &key_output, verdicts, SIGNERS, NULL), "public keys");
    check(phalanx_musig_keys_new(&key_column, &all, aggregate_key, verdicts, SIGNERS), "the aggregate key");

    /* First round: each signer makes a nonce, keeps the secret half and sends the public one. */
    for (i = 0; i < SIGNERS; i++) {
        phalanx_musig_nonce_inputs inputs;
        memset(&inputs, 0, sizeof inputs);
        inputs.secret_key = secrets[i];
        inputs.aggregate_key = aggregate_key + 1;
        inputs.message = message;
        inputs.message_bytes = sizeof message;
        check(phalanx_musig_secret_nonce_new(keys[i], &inputs, &secret_nonces[i], nonces[i]), "a nonce");
    }
    check(phalanx_musig_aggregate_nonce(&nonce_column, aggregate_nonce, verdicts, SIGNERS), "the aggregate nonce");
    check(phalanx_musig_session_new(all, aggregate_nonce, message, sizeof message, &session), "a session");

    /* Second round: each signer signs, which uses the secret half up, and sends the partial signature. */
    for (i = 0; i < SIGNERS; i++) {
        check(phalanx_musig_partial_sign(session, secret_nonces[i], secrets[i], partials[i]), "a partial signature");
        phalanx_musig_secret_nonce_free(secret_nonces[i]);
    }
    check(phalanx_musig_aggregate(session, &nonce_column, &partial_column, signature, verdicts, SIGNERS), "the signature");
    print_hex("signature", signature, sizeof signature);
    check(phalanx_verify_schnorr(bulk, &messages, &signatures, &x_only, verdicts, 1, NULL), "verification");
    if (verdicts[0] != PHALANX_VALID) return 1;

    /* The second signer cheats: there is no signature, and the verdicts say why. */
    partials[1][31] ^= 1;
    if (phalanx_musig_aggregate(session, &nonce_column, &partial_column, signature, verdicts, SIGNERS) !=
        PHALANX_BAD_ROW)
        return 1;
    for (i = 0; i < SIGNERS; i++)
        if (verdicts[i] != PHALANX_VALID) printf("signer %d cheats\n", i);
    phalanx_musig_session_free(session);
    phalanx_musig_keys_free(all);
    phalanx_bulk_free(bulk);
    return verdicts[0] == PHALANX_VALID && verdicts[1] == PHALANX_INVALID_SIGNATURE ? 0 : 1;
}
