/* The children of a file of records: parent's key (33), chain code (32), index (4), and what must come out: verdict (1),
 * key (33, and 65), chain code (32), payloads of each kind (20, 20, 32). All of it is zero where there is no child. */
#include "expect.h"

enum { CODE = 33, INDEX = 65, VERDICT = 69, KEY = 70, FULL = 103, CHILD_CODE = 168, RECORD = 272, MOST = 10100 };

static uint8_t records[MOST + 1][RECORD], child_keys[MOST][65], codes[MOST][32], payloads[MOST][32], found[MOST];

static void derive(const phalanx_bulk *with, const phalanx_call *call, size_t rows) {
    static const size_t widths[4] = {0, 20, 20, 32}, places[4] = {0, 200, 220, 240};
    phalanx_column parents = column(records[0], RECORD, 33), chains = column(records[0] + CODE, RECORD, 32);
    phalanx_column indices = column(records[0] + INDEX, RECORD, 4);
    uint32_t kind;
    size_t i;
    for (kind = 0; kind < 4; kind++) {
        size_t width = kind % 2 == 0 ? 33 : 65;
        phalanx_output keys_to = output(child_keys, 65, width), codes_to = output(codes, 32, 32);
        phalanx_output payloads_to = output(payloads, 32, widths[kind]);
        memset(child_keys, 0xa5, sizeof child_keys);
        memset(codes, 0xa5, sizeof codes);
        memset(payloads, 0xa5, sizeof payloads);
        expect(phalanx_derive_children(with, &parents, &chains, &indices, kind, &keys_to, kind == 1 ? NULL : &codes_to,
                                       kind == 0 ? NULL : &payloads_to, found, rows, call),
               PHALANX_OK);
        for (i = 0; i < rows; i++) {
            const uint8_t *record = records[i];
            expect_true(found[i] == record[VERDICT]);
            expect_true(memcmp(child_keys[i], record + (width == 33 ? KEY : FULL), width) == 0);
            expect_true(kind == 1 ? codes[i][0] == 0xa5 : memcmp(codes[i], record + CHILD_CODE, 32) == 0);
            expect_true(kind == 0 ? payloads[i][0] == 0xa5 : memcmp(payloads[i], record + places[kind], widths[kind]) == 0);
        }
        /* Payloads alone. */
        memset(payloads, 0xa5, sizeof payloads);
        expect(phalanx_derive_children(with, &parents, &chains, &indices, kind, NULL, NULL,
                                       kind == 0 ? NULL : &payloads_to, found, rows, call),
               PHALANX_OK);
        for (i = 0; kind > 0 && i < rows; i++)
            expect_true(memcmp(payloads[i], records[i] + places[kind], widths[kind]) == 0);
    }
}

/* One parent for many indices, by strides of 0. */
static void one_parent(const uint8_t *record) {
    enum { MANY = 300 };
    static uint32_t indices[MANY];
    phalanx_column parent = column(record, 0, 33), chain = column(record + CODE, 0, 32), number = column(indices, 4, 4);
    phalanx_output keys_to = output(child_keys, 65, 33);
    size_t i;
    for (i = 0; i < MANY; i++) indices[i] = (uint32_t)i;
    memcpy(&indices[MANY - 1], record + INDEX, 4);
    expect(phalanx_derive_children(bulk, &parent, &chain, &number, PHALANX_PAYLOAD_NONE, &keys_to, NULL, NULL, found,
                                   MANY, NULL),
           PHALANX_OK);
    for (i = 0; i < MANY; i++) expect_true(found[i] == PHALANX_VALID);
    expect_true(memcmp(child_keys[MANY - 1], record + KEY, 33) == 0 && memcmp(child_keys[0], child_keys[1], 33) != 0);
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
    derive(bulk, NULL, rows);
    memset(&options, 0, sizeof options);
    options.backend = argv[1];
    options.threads = 2;
    check(phalanx_bulk_new(&options, &two), "a handle");
    derive(two, NULL, rows);
    phalanx_bulk_free(two);
    memset(&call, 0, sizeof call);
    call.workspace = (uint8_t *)place + (64 - (uintptr_t)place % 64) % 64;
    call.workspace_bytes = (size_t)1 << 21;
    derive(bulk, &call, rows);
    derive(bulk, &call, 3);
    one_parent(records[2]);
    return report(argv[1], 20000);
}
