/* A file of receivers and rows, and the matches that Rust finds, by whole keys and by prefixes: C's are the same, in
 * every form of points, outputs and offsets. */
#include "expect.h"

enum { MATCH = 97, MOST_RECEIVERS = 64 };

static uint8_t *file, *next;
static uint64_t counts[5];
static const phalanx_scanner *scanners[MOST_RECEIVERS];

/* So many bytes of the file, in memory that is aligned. */
static void *part(size_t bytes) {
    void *copy = malloc(bytes + 1);
    if (copy == NULL) exit(2);
    memcpy(copy, next, bytes);
    next += bytes;
    return copy;
}

static void read_file(const char *path) {
    FILE *from = fopen(path, "rb");
    size_t room = (size_t)1 << 26, bytes;
    if (from == NULL || (file = malloc(room)) == NULL) exit(2);
    bytes = fread(file, 1, room, from);
    fclose(from);
    if (bytes < sizeof counts || bytes == room) exit(2);
    next = file;
}

/* Whether a match is that of a record. */
static int is_record(const phalanx_match *match, const uint8_t *record) {
    uint64_t places[3];
    uint32_t numbers[2];
    memcpy(places, record, sizeof places);
    memcpy(numbers, record + 24, sizeof numbers);
    return match->row == places[0] && match->scanner == places[1] && match->output == places[2] &&
           match->k == numbers[0] && match->label == numbers[1] && match->has_label == record[32] &&
           memcmp(match->key, record + 33, 32) == 0 && memcmp(match->tweak, record + 65, 32) == 0;
}

/* More rows than are scanned at a time, of which the last one alone has outputs: those of another call's match. */
static void many_rows(const phalanx_bulk *with, const uint8_t *record, const uint8_t *points, const uint8_t *keys,
                      const uint64_t *offsets) {
    enum { MANY = (1 << 14) + 7 };
    static uint64_t ends[MANY + 1];
    static uint8_t all[MANY];
    uint64_t places[3];
    phalanx_match matches[9];
    size_t found, count, i;
    memcpy(places, record, sizeof places);
    count = (size_t)(offsets[places[0] + 1] - offsets[places[0]]);
    ends[MANY] = count;
    {
        phalanx_column point = column(points + 33 * places[0], 0, 33);
        phalanx_column outputs = column(keys + 32 * offsets[places[0]], 32, 32), ends_column = column(ends, 8, 8);
        expect(phalanx_scan_silent_payments(with, &scanners[places[1]], 1, &point, &outputs, count, &ends_column, matches, 9,
                                            &found, all, MANY),
               PHALANX_OK);
    }
    expect_true(found > 0 && found <= count && matches[0].row == MANY - 1 && matches[0].scanner == 0);
    expect_true(memcmp(matches[0].key, record + 33, 32) == 0 && memcmp(matches[0].tweak, record + 65, 32) == 0);
    for (i = 0; i < MANY; i++) expect_true(all[i] == PHALANX_VALID);
}

int main(int argc, char **argv) {
    static const size_t widths[3] = {33, 64, 65};
    uint8_t *points[3], *bad, *records[2], *found_verdicts, *before;
    void *outputs[2], *offsets[2];
    phalanx_match *matches;
    phalanx_options options;
    size_t i, j, k, rows, count, found;
    if (argc != 3) return 2;
    read_file(argv[2]);
    prepare(argv[1]);
    memcpy(counts, next, sizeof counts);
    next += sizeof counts;
    rows = (size_t)counts[1];
    if (counts[0] > MOST_RECEIVERS || rows < 100 || counts[3] < 100) return 2;
    for (i = 0; i < counts[0]; i++) {
        uint8_t *secret = next;
        uint64_t label_count;
        uint32_t *labels;
        phalanx_column label;
        phalanx_scanner *made;
        memcpy(&label_count, next + 65, 8);
        next += 73;
        labels = part((size_t)label_count * 4);
        label = column(labels, 4, 4);
        check(phalanx_scanner_new(secret, secret + 32, &label, (size_t)label_count, &made), "a receiver");
        scanners[i] = made;
        memset(secret, 0, 32);
        free(labels);
    }
    for (i = 0; i < 3; i++) points[i] = part(rows * widths[i]);
    outputs[0] = part((size_t)counts[2] * 32);
    outputs[1] = part((size_t)counts[2] * 8);
    offsets[1] = part((rows + 1) * 8);
    bad = part(rows);
    records[0] = part((size_t)counts[3] * MATCH);
    records[1] = part((size_t)counts[4] * MATCH);
    offsets[0] = malloc((rows + 1) * 4);
    count = (size_t)(counts[3] > counts[4] ? counts[3] : counts[4]) + 3;
    matches = malloc(count * sizeof *matches);
    before = malloc(count * sizeof *matches);
    found_verdicts = malloc(rows + 1);
    if (offsets[0] == NULL || matches == NULL || before == NULL || found_verdicts == NULL) return 2;
    for (i = 0; i <= rows; i++) ((uint32_t *)offsets[0])[i] = (uint32_t)((uint64_t *)offsets[1])[i];

    memset(&options, 0, sizeof options);
    options.backend = argv[1];
    for (options.threads = 1; options.threads < 3; options.threads++) {
        phalanx_bulk *with;
        check(phalanx_bulk_new(&options, &with), "a handle");
        for (i = 0; i < 3; i++)
            for (j = 0; j < 2; j++) {
                phalanx_column point = column(points[i], widths[i], widths[i]);
                phalanx_column output_column = j == 0 ? column(outputs[0], 32, 32) : column(outputs[1], 8, 8);
                phalanx_column offset = (i + j) % 2 == 0 ? column(offsets[0], 4, 4) : column(offsets[1], 8, 8);
                size_t expected = (size_t)counts[3 + j];
#define SCAN(room)                                                                                                     \
    phalanx_scan_silent_payments(with, scanners, (size_t)counts[0], &point, &output_column, (size_t)counts[2], &offset, \
                                 matches, room, &found, found_verdicts, rows)
                memset(matches, 0xa5, count * sizeof *matches);
                memcpy(before, matches, count * sizeof *matches);
                found_verdicts[rows] = 0xa5;
                expect(SCAN(expected), PHALANX_OK);
                expect_true(found == expected && found_verdicts[rows] == 0xa5);
                for (k = 0; k < rows; k++)
                    expect_true(found_verdicts[k] == (bad[k] ? PHALANX_BAD_PUBLIC_KEY : PHALANX_VALID));
                for (k = 0; k < expected; k++) expect_true(is_record(&matches[k], records[j] + k * MATCH));
                expect_true(memcmp(matches + expected, before, 3 * sizeof *matches) == 0);
                if (i > 0) continue;
                /* No room for one of them, and for any: their number is told, and nothing else. */
                for (k = 0; k < 2; k++) {
                    size_t row;
                    memset(matches, 0xa5, count * sizeof *matches);
                    expect(SCAN(k == 0 ? expected - 1 : 0), PHALANX_CAPACITY_TOO_SMALL);
                    expect_true(found == expected && memcmp(matches, before, count * sizeof *matches) == 0);
                    for (row = 0; row < rows; row++) expect_true(found_verdicts[row] == PHALANX_UNDECIDED);
                }
            }
        if (options.threads == 1) many_rows(with, records[0], points[0], outputs[0], offsets[1]);
        phalanx_bulk_free(with);
    }
    for (i = 0; i < counts[0]; i++) phalanx_scanner_free((phalanx_scanner *)(uintptr_t)scanners[i]);
    return report(argv[1], 3000);
}
