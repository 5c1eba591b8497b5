/* Allocations, counted: the linker gives the library's calls of malloc and its kin to the functions here (--wrap). */
#ifndef TESTS_COUNTED_H
#define TESTS_COUNTED_H

#include "../../examples/c/common.h"
#include <stdlib.h>
#include <string.h>

static size_t count;

void *__real_malloc(size_t size);
void *__real_calloc(size_t number, size_t size);
void *__real_realloc(void *memory, size_t size);
int __real_posix_memalign(void **memory, size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t number, size_t size);
void *__wrap_realloc(void *memory, size_t size);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t size);

void *__wrap_malloc(size_t size) {
    count++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t number, size_t size) {
    count++;
    return __real_calloc(number, size);
}

void *__wrap_realloc(void *memory, size_t size) {
    count++;
    return __real_realloc(memory, size);
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t size) {
    count++;
    return __real_posix_memalign(memory, alignment, size);
}

#endif
