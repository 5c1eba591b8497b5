/* Verifies a file in bulk: records of 129 bytes, each a digest (32), a signature (64) and a compressed public key
 * (33). Prints how many rows have each verdict. With "make" in place of a file name it writes such a file of 1,000
 * rows, every hundredth of them wrong, to standard output. */
#include "common.h"
#include <string.h>

enum { DIGEST = 0, SIGNATURE = 32, KEY = 96, RECORD = 129, ROWS_TO_MAKE = 1000 };

/* Called between steps: prints how far the call is, and would cancel it by returning 1. */
static int report(void *user, size_t done, size_t rows) {
    (void)user;
    fprintf(stderr, "%lu of %lu rows\n", (unsigned long)done, (unsigned long)rows);
    return 0;
}

static int make(phalanx_bulk *bulk) {
    static uint8_t records[ROWS_TO_MAKE][RECORD], secrets[ROWS_TO_MAKE][32], verdicts[ROWS_TO_MAKE];
    phalanx_column secret_keys = column(secrets, 32, 32), digests = column(&records[0][DIGEST], RECORD, 32);
    static uint8_t signatures[ROWS_TO_MAKE][64], keys[ROWS_TO_MAKE][33];
    phalanx_output made_signatures = output(signatures, 64, 64), made_keys = output(keys, 33, 33);
    size_t i;
    for (i = 0; i < ROWS_TO_MAKE; i++) {
        secrets[i][30] = (uint8_t)(1 + i / 256);
        secrets[i][31] = (uint8_t)i;
        records[i][DIGEST] = (uint8_t)i;
        records[i][DIGEST + 1] = (uint8_t)(i / 256);
    }
    check(phalanx_public_keys(bulk, &secret_keys, &made_keys, verdicts, ROWS_TO_MAKE, NULL), "public keys");
    check(phalanx_sign_ecdsa(bulk, &digests, &secret_keys, &made_signatures, NULL, verdicts, ROWS_TO_MAKE, NULL),
          "signing");
    for (i = 0; i < ROWS_TO_MAKE; i++) {
        memcpy(&records[i][SIGNATURE], signatures[i], 64);
        memcpy(&records[i][KEY], keys[i], 33);
        if (i % 100 == 7) records[i][DIGEST] ^= 1;
    }
    return fwrite(records, RECORD, ROWS_TO_MAKE, stdout) == ROWS_TO_MAKE ? 0 : 1;
}

int main(int argc, char **argv) {
    phalanx_bulk *bulk;
    phalanx_call call;
    phalanx_column digests, signatures, keys;
    size_t rows, i, counts[256] = {0};
    uint8_t *records, *verdicts;
    long bytes;
    FILE *file;

    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE | make\n", argv[0]);
        return 2;
    }
    check(phalanx_bulk_new(NULL, &bulk), "a handle");
    if (strcmp(argv[1], "make") == 0) {
        int result = make(bulk);
        phalanx_bulk_free(bulk);
        return result;
    }

    file = fopen(argv[1], "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (bytes = ftell(file)) < 0 || fseek(file, 0, SEEK_SET) != 0) {
        perror(argv[1]);
        return 1;
    }
    rows = (size_t)bytes / RECORD;
    records = (uint8_t *)malloc((size_t)bytes + 1);
    verdicts = (uint8_t *)malloc(rows + 1);
    if (records == NULL || verdicts == NULL || fread(records, RECORD, rows, file) != rows) {
        fprintf(stderr, "%s: cannot be read\n", argv[1]);
        return 1;
    }
    fclose(file);

    /* Each column is a field of the records: no copy. */
    digests = column(records + DIGEST, RECORD, 32);
    signatures = column(records + SIGNATURE, RECORD, 64);
    keys = column(records + KEY, RECORD, 33);
    memset(&call, 0, sizeof call);
    call.progress = report;
    check(phalanx_verify_ecdsa(bulk, &digests, &signatures, &keys, 0, verdicts, rows, &call), "verification");

    for (i = 0; i < rows; i++) counts[verdicts[i]]++;
    printf("%s on %lu threads\n", phalanx_bulk_backend(bulk), (unsigned long)phalanx_bulk_threads(bulk));
    for (i = 0; i < 256; i++)
        if (counts[i] > 0) printf("verdict %lu: %lu rows\n", (unsigned long)i, (unsigned long)counts[i]);
    free(records);
    free(verdicts);
    phalanx_bulk_free(bulk);
    return counts[PHALANX_VALID] == rows ? 0 : 3;
}
