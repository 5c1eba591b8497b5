/* What a refused call writes, for every function that takes memory. Spans that cannot exist, and verdicts over another
 * span, leave all memory as it is; any other refusal leaves undecided verdicts (zeros or NULL, where a call has no
 * verdicts) and nothing else. A test has a table of functions; that of its crate in Rust, `every_function_is_refused`,
 * finds those that are missing. */
#ifndef TESTS_REFUSED_H
#define TESTS_REFUSED_H

#include "expect.h"

enum { MOST = 8, REGION = 1 << 16, WORKSPACE = 1 << 21 };

/* Of an argument: it may have any width, it may be NULL, it has a value more than there are rows. Of a function: its
 * answer has one row, it takes no handle, it takes flags. */
enum { ANY_WIDTH = 1, OR_NULL = 2, ONE_MORE = 4, ONE_ROW = 1, NO_HANDLE = 2, FLAGS = 4 };

/* An argument that is memory. Kinds: c column, o output, a output that is zeros first, s bytes that are zeros first, v
 * verdicts, h room for a handle, n room for a number, f bytes that are read, p pointers that are read, m bytes that are
 * written, x matches that are written, w a workspace. Bytes of no width are tables. */
typedef struct {
    char kind;
    size_t width; /* of a value, or of all bytes */
    const void *good;
    int is;
} argument;

typedef struct {
    const char *name, *kinds;
    argument arguments[MOST];
    int32_t (*call)(void);
    int is;
    uint32_t operation; /* of the workspace */
} function;

/* The arguments of the call that is made. */
typedef struct {
    uint8_t *data;
    size_t stride, width, rows;
    int null, misaligned;
} given;
static given slots[MOST];
static phalanx_column columns[MOST];
static phalanx_output outputs[MOST];
static phalanx_call means;
static const phalanx_bulk *handle;
static size_t rows, workspace_bytes;
static uint32_t flags;
static const function *now;

static void *odd(void *pointer, size_t i) { return slots[i].misaligned ? (void *)((char *)pointer + 1) : pointer; }
static const phalanx_column *C(size_t i) {
    columns[i] = column(slots[i].data, slots[i].stride, slots[i].width);
    return slots[i].null ? NULL : (const phalanx_column *)odd(&columns[i], i);
}
static const phalanx_output *O(size_t i) {
    outputs[i] = output(slots[i].data, slots[i].stride, slots[i].width);
    return slots[i].null ? NULL : (const phalanx_output *)odd(&outputs[i], i);
}
static uint8_t *B(size_t i) { return slots[i].null ? NULL : slots[i].data; }
static inline const phalanx_call *W(size_t i) {
    means.workspace = slots[i].data;
    means.workspace_bytes = workspace_bytes;
    return slots[i].null ? NULL : &means;
}

/* Tables that a test has made. */
static uint8_t tables_place[2 * REGION];
static size_t table_bytes;
/* Aligned to 64 bytes. */
static uint8_t *made_tables(void) { return tables_place + (64 - (uintptr_t)tables_place % 64) % 64; }

#define FUNCTION(name) static int32_t name(void)

/* All memory that calls are given, with a page of it for each argument. */
static uint8_t memory[MOST * REGION + WORKSPACE + 64], before[sizeof memory];
static uint8_t *start;

static size_t count_of(void) { return strlen(now->kinds); }
static size_t needed(void) {
    size_t bytes = 0;
    phalanx_workspace_bytes(bulk, now->operation, ROWS, &bytes);
    return bytes;
}
static int is_first(size_t i) { return strchr("vashn", now->kinds[i]) != NULL; }
static int is_written(size_t i) { return strchr("omx", now->kinds[i]) != NULL || now->kinds[i] == 'w'; }
static int is_column(size_t i) { return strchr("coa", now->kinds[i]) != NULL; }
/* Moved elsewhere, they would be misaligned, or no tables. */
static int stays(size_t i) {
    return strchr("xw", now->kinds[i]) != NULL || now->arguments[i].width == 0;
}

/* Bytes from the first to the last one of an argument. */
static size_t extent(size_t i) {
    if (now->kinds[i] == 'w') return needed();
    return slots[i].rows == 0 ? 0 : (slots[i].rows - 1) * slots[i].stride + slots[i].width;
}

/* Good arguments, each in memory of its own. */
static void reset(void) {
    size_t i;
    handle = bulk;
    flags = 0;
    rows = ROWS;
    workspace_bytes = needed();
    memset(&means, 0, sizeof means);
    memset(memory, 0xa5, sizeof memory);
    for (i = 0; i < count_of(); i++) {
        const argument *it = &now->arguments[i];
        size_t width = it->width;
        const uint8_t *good = (const uint8_t *)it->good;
        int whole = strchr("shnfpmxw", it->kind) != NULL;
        if (width == 0) width = table_bytes;
        if (it->kind == 'f' && it->width == 0) good = made_tables();
        memset(&slots[i], 0, sizeof slots[i]);
        slots[i].data = start + i * REGION;
        slots[i].stride = slots[i].width = width;
        slots[i].rows = whole || ((now->is & ONE_ROW) != 0 && it->kind == 'a') ? 1 : rows;
        if ((it->is & ONE_MORE) != 0) slots[i].rows++;
        if (good != NULL) memcpy(slots[i].data, good, extent(i));
    }
}

enum { NOTHING, FIRST };

/* Makes the call, which must be refused so, and leave memory as it is but for what is written first. */
static void refused_at(int line, int32_t status, int leaves, size_t about) {
    size_t i, row;
    int32_t found;
    memcpy(before, memory, sizeof memory);
    found = now->call();
    checks++;
    if (found != status) {
        fprintf(stderr, "line %d: %s, argument %d: status %d, not %d\n", line, now->name, (int)about, (int)found,
                (int)status);
        failures++;
    }
    if (leaves == FIRST)
        for (i = 0; i < count_of(); i++)
            if (is_first(i) && !slots[i].null)
                for (row = 0; row < slots[i].rows; row++)
                    memset(before + (slots[i].data - memory) + row * slots[i].stride,
                           now->kinds[i] == 'v' ? PHALANX_UNDECIDED : 0, slots[i].width);
    checks++;
    if (memcmp(before, memory, sizeof memory) != 0) {
        fprintf(stderr, "line %d: %s, argument %d: the call wrote something else\n", line, now->name, (int)about);
        failures++;
    }
    reset();
}
#define refused(status, leaves, about) refused_at(__LINE__, (status), (leaves), (about))

/* An argument laid over another one: at its first byte, at its last one, and so that it ends in its first one. */
static void overlaps(size_t mover, size_t other, int leaves) {
    size_t step = strchr("hnp", now->kinds[mover]) != NULL ? sizeof(void *) : 1, turn;
    for (turn = 0; turn < 3; turn++) {
        size_t reach = extent(mover);
        uint8_t *data = slots[other].data;
        if (turn == 1) data += (extent(other) - 1) / step * step;
        if (turn == 2) data -= (reach - 1) / step * step;
        if (data < start) data = start;
        slots[mover].data = data;
        refused(PHALANX_OVERLAP, leaves, other);
        /* The same with something else that is wrong. */
        if (turn > 0 || leaves == FIRST) continue;
        slots[mover].data = data;
        /* How large a workspace is says the handle. */
        if (now->kinds[other] != 'w') handle = NULL;
        refused(PHALANX_OVERLAP, leaves, other);
    }
}

static void spans(void) {
    static const size_t many[] = {SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX / 4 + 1, (size_t)1 << (sizeof(size_t) * 8 - 7)};
    size_t i, j, k;
    for (i = 0; i < count_of(); i++)
        for (j = 0; j < count_of(); j++) {
            if (i == j) continue;
            if (is_first(i)) overlaps(i, j, NOTHING);
            else if (is_written(i) && !is_first(j) && !(stays(i) && stays(j)))
                overlaps(stays(i) ? j : i, stays(i) ? i : j, FIRST);
        }
    for (k = 0; k < sizeof many / sizeof many[0]; k++) {
        /* More rows than there is memory for, and with columns of one value more verdicts. */
        if (strchr(now->kinds, 'c') != NULL) {
            rows = many[k];
            refused(PHALANX_BAD_COLUMN, NOTHING, k);
        }
        if (strchr(now->kinds, 'v') != NULL) {
            rows = many[k];
            for (i = 0; i < count_of(); i++)
                if (now->kinds[i] == 'c') slots[i].stride = 0;
            refused(PHALANX_BAD_COLUMN, NOTHING, k);
        }
        for (i = 0; i < count_of(); i++) {
            if (!is_column(i) || slots[i].rows < 2) continue;
            slots[i].stride = many[k];
            refused(PHALANX_BAD_COLUMN, NOTHING, i);
            slots[i].width = many[k];
            refused(PHALANX_BAD_COLUMN, NOTHING, i);
        }
    }
    for (i = 0; i < count_of(); i++) {
        if (strchr("hn", now->kinds[i]) != NULL || stays(i)) continue;
        slots[i].data = (uint8_t *)(UINTPTR_MAX - 1); /* the last byte ends behind the end of all addresses */
        if (extent(i) > 2) refused(PHALANX_BAD_COLUMN, NOTHING, i);
        reset();
    }
}

static void other_refusals(void) {
    size_t i;
    for (i = 0; i < count_of(); i++) {
        int leaves = is_first(i) ? NOTHING : FIRST; /* of a function that writes one thing first */
        if (now->kinds[i] != 'w' && !(now->kinds[i] == 'f' && strchr(now->kinds, 'v') != NULL) &&
            (now->arguments[i].is & OR_NULL) == 0) {
            slots[i].null = 1;
            refused(PHALANX_NULL_POINTER, FIRST, i);
        }
        if (is_column(i)) {
            slots[i].misaligned = 1;
            refused(PHALANX_MISALIGNED, leaves, i);
            slots[i].data = NULL;
            refused(PHALANX_NULL_POINTER, leaves, i);
            if ((now->arguments[i].is & ANY_WIDTH) == 0) {
                slots[i].width--;
                refused(PHALANX_BAD_COLUMN, leaves, i);
                slots[i].width++;
                refused(PHALANX_BAD_COLUMN, leaves, i);
            }
            if (now->kinds[i] != 'c' && slots[i].rows > 1) {
                slots[i].stride--;
                refused(PHALANX_BAD_COLUMN, leaves, i);
            }
        }
        if (now->kinds[i] == 'w') {
            slots[i].data += 8; /* aligned to 8 bytes, not to 64 */
            refused(PHALANX_MISALIGNED, leaves, i);
            workspace_bytes = 0;
            refused(PHALANX_WORKSPACE_TOO_SMALL, FIRST, i);
            slots[i].data++;
            refused(PHALANX_MISALIGNED, FIRST, i);
        }
    }
    if ((now->is & NO_HANDLE) == 0) {
        handle = NULL;
        refused(PHALANX_NULL_POINTER, FIRST, 0);
    }
    if ((now->is & FLAGS) != 0) {
        flags = 77;
        refused(PHALANX_BAD_ARGUMENT, FIRST, 0);
    }
}

static void refuse_all(const function *functions, size_t count) {
    size_t i;
    start = memory + (64 - (uintptr_t)memory % 64) % 64;
    for (i = 0; i < count; i++) {
        now = &functions[i];
        reset();
        expect_true(strchr(now->kinds, 'w') == NULL || needed() <= WORKSPACE);
        expect(now->call(), PHALANX_OK);
        reset();
        spans();
        other_refusals();
    }
}

#endif
