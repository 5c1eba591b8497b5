/* The senders of a file of records: hash (32), signature (64), parity (1), address (20), and the verdicts where high s is
 * refused and where it is allowed (1 each). A record that is not good has an address of zeros. */
#include "expect.h"

enum { SIGNATURE = 32, PARITY = 96, ADDRESS = 97, REFUSING = 117, ALLOWING = 118, RECORD = 119, MOST = 1000 };

static uint8_t records[MOST + 1][RECORD], addresses[MOST][24], found[MOST];

static void senders(const phalanx_bulk *with, const phalanx_call *call, size_t rows) {
    phalanx_column hashes = column(records[0], RECORD, 32), signed_by = column(records[0] + SIGNATURE, RECORD, 64);
    phalanx_column parities = column(records[0] + PARITY, RECORD, 1);
    phalanx_output to = output(addresses, sizeof addresses[0], 20);
    static const uint8_t zeros[20] = {0};
    int allowing;
    size_t i;
    for (allowing = 0; allowing < 2; allowing++) {
        memset(addresses, 0xa5, sizeof addresses);
        expect(phalanx_senders(with, &hashes, &signed_by, &parities, allowing ? PHALANX_ALLOW_HIGH_S : 0, &to, found,
                               rows, call),
               PHALANX_OK);
        for (i = 0; i < rows; i++) {
            const uint8_t *record = records[i];
            int verdict = record[allowing ? ALLOWING : REFUSING];
            expect_true(found[i] == verdict);
            expect_true(memcmp(addresses[i], verdict == PHALANX_VALID ? record + ADDRESS : zeros, 20) == 0);
            expect_true(addresses[i][20] == 0xa5);
        }
    }
}

int main(int argc, char **argv) {
    static uint64_t place[(1 << 21) / 8 + 8];
    phalanx_options options;
    phalanx_bulk *two;
    phalanx_call call;
    size_t bytes, rows;
    FILE *file;
    if (argc != 3 || (file = fopen(argv[2], "rb")) == NULL) return 2;
    bytes = fread(records, 1, sizeof records, file);
    fclose(file);
    rows = bytes / RECORD;
    if (bytes % RECORD != 0 || rows < 500 || rows > MOST) return 2;
    prepare(argv[1]);
    senders(bulk, NULL, rows);
    memset(&options, 0, sizeof options);
    options.backend = argv[1];
    options.threads = 2;
    check(phalanx_bulk_new(&options, &two), "a handle");
    senders(two, NULL, rows);
    phalanx_bulk_free(two);
    memset(&call, 0, sizeof call);
    call.workspace = (uint8_t *)place + (64 - (uintptr_t)place % 64) % 64;
    call.workspace_bytes = (size_t)1 << 21;
    senders(bulk, &call, rows);
    senders(bulk, &call, 3);
    return report(argv[1], 5000);
}
