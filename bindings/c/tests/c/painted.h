/* How much of the calling thread's stack a call takes, and whether it leaves a secret key there: it runs on a stack that has
 * been painted before, and is looked at afterwards. */
#ifndef TESTS_PAINTED_H
#define TESTS_PAINTED_H

#define _POSIX_C_SOURCE 200809L
#include "expect.h"
#include <pthread.h>

enum { STACK = 1 << 20, LIMIT = 200 << 10, PAINT = 0xa5, BITS = 4 };

static uint8_t tables_place[(size_t)5 << 20];

/* Aligned to 64 bytes. */
static uint8_t *tables(void) { return tables_place + (64 - (uintptr_t)tables_place % 64) % 64; }

static void *start(void *work) {
    (*(void (**)(void))work)();
    return NULL;
}

/* Whether eight bytes of a secret key are there: all bytes of one are the same. */
static int holds_secret(const uint8_t *bytes, size_t count) {
    size_t i, run = 0;
    for (i = 0; i < count && run < 8; i++)
        run = bytes[i] != secrets[0][0] && bytes[i] != secrets[1][0] ? 0
              : i > 0 && bytes[i] == bytes[i - 1]                    ? run + 1
                                                                     : 1;
    return run == 8;
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
    expect_true(holds_secret(secrets[1], 32) && !holds_secret(stack, STACK));
    while (untouched < STACK && stack[untouched] == PAINT) untouched++;
    free(stack);
    return STACK - untouched;
}

/* Expects the work to take little, and some: the paint has been seen to go. */
static void expect_little(const char *backend, const char *what, void (*work)(void)) {
    size_t bytes = taken(work);
    printf("%s: %s take %lu KiB of stack\n", backend, what, (unsigned long)(bytes >> 10));
    expect_true(bytes > 4096 && bytes <= LIMIT);
}

#endif
