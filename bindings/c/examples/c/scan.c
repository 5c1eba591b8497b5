/* Scans an index of two transactions for a receiver's silent payments (BIP-352), by the first eight bytes of outputs. The
 * second transaction is that of the first published vector. */
#include "common.h"
#include <string.h>

enum { ROWS = 2 };

/* A program reads the scan secret from where it keeps it. The spend secret is not needed. */
static const uint8_t scan_secret[32] = {0x0f, 0x69, 0x4e, 0x06, 0x80, 0x28, 0xa7, 0x17, 0xf8, 0xaf, 0x6b,
                                        0x94, 0x11, 0xf9, 0xa1, 0x33, 0xdd, 0x35, 0x65, 0x25, 0x87, 0x14,
                                        0xcc, 0x22, 0x65, 0x94, 0xb3, 0x4d, 0xb9, 0x0c, 0x1f, 0x2c};
static const uint8_t spend_key[33] = {0x02, 0x5c, 0xc9, 0x85, 0x6d, 0x6f, 0x83, 0x75, 0x35, 0x0e, 0x12,
                                      0x39, 0x78, 0xda, 0xac, 0x20, 0x0c, 0x26, 0x0c, 0xb5, 0xb5, 0xae,
                                      0x83, 0x10, 0x6c, 0xab, 0x90, 0x48, 0x4d, 0xcd, 0x8f, 0xcf, 0x36};
/* The index: a tweak point for each transaction, and the outputs of all. */
static const uint8_t tweak_points[ROWS][33] = {
    {0x02, 0x79, 0xbe, 0x66, 0x7e, 0xf9, 0xdc, 0xbb, 0xac, 0x55, 0xa0, 0x62, 0x95, 0xce, 0x87, 0x0b, 0x07,
     0x02, 0x9b, 0xfc, 0xdb, 0x2d, 0xce, 0x28, 0xd9, 0x59, 0xf2, 0x81, 0x5b, 0x16, 0xf8, 0x17, 0x98},
    {0x02, 0x4a, 0xc2, 0x53, 0xc2, 0x16, 0x53, 0x2e, 0x96, 0x19, 0x88, 0xe2, 0xa8, 0xce, 0x26, 0x6a, 0x44,
     0x7c, 0x89, 0x4c, 0x78, 0x1e, 0x52, 0xef, 0x6c, 0xee, 0x90, 0x23, 0x61, 0xdb, 0x96, 0x00, 0x04}};
static const int64_t outputs[3] = {-7, 1234567, 0x3e9fce73d4e77a48};
static const uint32_t offsets[ROWS + 1] = {0, 1, 3};

int main(void) {
    phalanx_column points = column(tweak_points, 33, 33), prefixes = column(outputs, 8, 8);
    phalanx_column ends = column(offsets, 4, 4);
    const phalanx_scanner *scanners[1];
    phalanx_scanner *scanner;
    phalanx_match matches[4];
    phalanx_bulk *bulk;
    uint8_t verdicts[ROWS];
    size_t found, i;

    check(phalanx_bulk_new(NULL, &bulk), "a handle");
    check(phalanx_scanner_new(scan_secret, spend_key, NULL, 0, &scanner), "a receiver");
    scanners[0] = scanner;
    check(phalanx_scan_silent_payments(bulk, scanners, 1, &points, &prefixes, 3, &ends, matches, 4, &found, verdicts, ROWS),
          "the scan");
    for (i = 0; i < found; i++) {
        /* The spend key plus the tweak is the output's key. */
        phalanx_column spend = column(spend_key, 33, 33), tweak = column(matches[i].tweak, 32, 32);
        uint8_t key[33], verdict;
        phalanx_output out = output(key, 33, 33);
        check(phalanx_tweak_add_public(bulk, &spend, &tweak, &out, &verdict, 1, NULL), "the output's key");
        printf("row %lu, output %lu: ", (unsigned long)matches[i].row, (unsigned long)matches[i].output);
        print_hex("key", matches[i].key, 32);
        if (verdict != PHALANX_VALID || memcmp(key + 1, matches[i].key, 32) != 0) return 1;
        wipe(matches[i].tweak, 32);
    }
    phalanx_scanner_free(scanner);
    phalanx_bulk_free(bulk);
    return found == 1 && matches[0].row == 1 && matches[0].output == 1 ? 0 : 1;
}
