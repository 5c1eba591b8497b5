/* Signs with recovery ids, as Ethereum does, and finds the public keys of the signatures again. */
#include "common.h"
#include <string.h>

enum { ROWS = 20 };

int main(void) {
    uint8_t secrets[ROWS][32] = {{0}}, digests[ROWS][32] = {{0}}, keys[ROWS][65], found[ROWS][65];
    uint8_t signatures[ROWS][64], ids[ROWS], verdicts[ROWS];
    phalanx_column secret_column = column(secrets, 32, 32), digest_column = column(digests, 32, 32);
    phalanx_column signature_column = column(signatures, 64, 64), id_column = column(ids, 1, 1);
    phalanx_output key_output = output(keys, 65, 65), found_output = output(found, 65, 65);
    phalanx_output signature_output = output(signatures, 64, 64), id_output = output(ids, 1, 1);
    phalanx_bulk *bulk;
    int i;

    check(phalanx_bulk_new(NULL, &bulk), "a handle");
    for (i = 0; i < ROWS; i++) secrets[i][31] = digests[i][0] = (uint8_t)(i + 1);
    check(phalanx_public_keys(bulk, &secret_column, &key_output, verdicts, ROWS, NULL), "public keys");
    check(phalanx_sign_ecdsa(bulk, &digest_column, &secret_column, &signature_output, &id_output, verdicts, ROWS, NULL),
          "signing");
    check(phalanx_recover(bulk, &digest_column, &signature_column, &id_column, &found_output, verdicts, ROWS, NULL),
          "recovery");
    for (i = 0; i < ROWS; i++)
        if (verdicts[i] != PHALANX_VALID || memcmp(keys[i], found[i], 65) != 0) return 1;
    printf("%d keys recovered\n", ROWS);
    phalanx_bulk_free(bulk);
    return 0;
}
