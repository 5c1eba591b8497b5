/* How much of the calling thread's stack calls take: each kind of call runs on a stack that has been painted before, and
 * is looked at afterwards. */
#define _POSIX_C_SOURCE 200809L
#include "expect.h"
#include <pthread.h>

enum { STACK = 1 << 20, LIMIT = 200 << 10, MANY = 1500, PAINT = 0xa5, BITS = 4 };

static uint8_t many_secrets[MANY][32], many_digests[MANY][32], many_keys[MANY][33], many_signatures[MANY][64],
    many_schnorr[MANY][64], many_found[MANY][65], many_ids[MANY], many_verdicts[MANY];
static uint8_t tables_place[(size_t)5 << 20];

/* Aligned to 64 bytes. */
static uint8_t *tables(void) { return tables_place + (64 - (uintptr_t)tables_place % 64) % 64; }

static void rows(void) {
    phalanx_column s = column(many_secrets, 32, 32), d = column(many_digests, 32, 32), k = column(many_keys, 33, 33);
    phalanx_column x = column(many_keys[0] + 1, 33, 32), e = column(many_signatures, 64, 64);
    phalanx_column b = column(many_schnorr, 64, 64), i = column(many_ids, 1, 1);
    phalanx_output ko = output(many_keys, 33, 33), eo = output(many_signatures, 64, 64);
    phalanx_output bo = output(many_schnorr, 64, 64), fo = output(many_found, 65, 65), io = output(many_ids, 1, 1);
    uint8_t sum[33];
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
    fo.width = 32;
    expect(phalanx_shared_secrets(bulk, &k, &s, &fo, many_verdicts, MANY, NULL), PHALANX_OK);
    expect(phalanx_sum_of_products(bulk, &s, &k, MANY, sum), PHALANX_OK);
}

static void by_tables(void) {
    phalanx_column points = column(many_keys, 33, 33), vectors = column(many_secrets, 32 * 20, 32 * 20);
    phalanx_column numbers = column(many_digests, 32, 32), elements = column(many_found, 32, 32);
    phalanx_output sums = output(many_found, 33, 33), made = output(many_found, 32, 32);
    phalanx_basis *verkle, *basis;
    phalanx_tables *opened;
    size_t bytes;
    int i;
    expect(phalanx_fixed_base_bytes(20, BITS, &bytes), PHALANX_OK);
    expect_true(bytes + 64 <= sizeof tables_place);
    expect(phalanx_fixed_base_build(bulk, &points, 20, BITS, tables(), bytes), PHALANX_OK);
    expect(phalanx_fixed_base_sums(bulk, tables(), bytes, &vectors, &sums, 50), PHALANX_OK);

    expect(phalanx_basis_verkle(&verkle), PHALANX_OK);
    for (i = 0; i < MANY; i++) many_digests[i][31] = 0; /* below the order, from the least significant byte on */
    for (i = 0; i < 20; i++) {
        made.data = many_found[0] + 32 * i;
        numbers.data = many_digests[i];
        expect(phalanx_commit_secret(verkle, &numbers, 3, &made), PHALANX_OK);
    }
    expect(phalanx_basis_new(&elements, 20, &basis), PHALANX_OK);
    expect(phalanx_tables_bytes(basis, BITS, &bytes), PHALANX_OK);
    expect_true(bytes + 64 <= sizeof tables_place);
    expect(phalanx_tables_build(bulk, basis, BITS, tables(), bytes), PHALANX_OK);
    expect(phalanx_tables_open(bulk, basis, BITS, tables(), bytes, &opened), PHALANX_OK);
    vectors = column(many_digests, 32 * 20, 32 * 20);
    made = output(many_found, 32, 32);
    expect(phalanx_commit(opened, &vectors, &made, 50), PHALANX_OK);
    phalanx_tables_free(opened);
    phalanx_basis_free(basis);
    phalanx_basis_free(verkle);
}

static void *start(void *work) {
    (*(void (**)(void))work)();
    return NULL;
}

/* The bytes of stack that the work takes. */
static size_t taken(void (*work)(void)) {
    pthread_attr_t attributes;
    pthread_t thread;
    uint8_t *stack;
    size_t untouched = 0;
    if (posix_memalign((void **)&stack, 4096, STACK) != 0) exit(2);
    memset(stack, PAINT, STACK);
    if (pthread_attr_init(&attributes) != 0 || pthread_attr_setstack(&attributes, stack, STACK) != 0 ||
        pthread_create(&thread, &attributes, start, &work) != 0 || pthread_join(thread, NULL) != 0)
        exit(2);
    while (untouched < STACK && stack[untouched] == PAINT) untouched++;
    free(stack);
    return STACK - untouched;
}

int main(int argc, char **argv) {
    size_t of_rows, of_tables;
    int i;
    if (argc != 2) return 2;
    prepare(argv[1]);
    for (i = 0; i < MANY; i++) {
        many_secrets[i][0] = many_digests[i][31] = (uint8_t)(1 + i % 250);
        many_secrets[i][30] = many_digests[i][1] = (uint8_t)(i / 256);
        many_secrets[i][31] = many_digests[i][2] = (uint8_t)i;
    }
    of_rows = taken(rows);
    of_tables = taken(by_tables);
    printf("%s: rows take %lu KiB of stack, tables %lu KiB\n", argv[1], (unsigned long)(of_rows >> 10),
           (unsigned long)(of_tables >> 10));
    /* The paint has been seen to go. */
    expect_true(of_rows > 4096 && of_tables > 4096);
    expect_true(of_rows <= LIMIT && of_tables <= LIMIT);
    return report(argv[1], 30);
}
