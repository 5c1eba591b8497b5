/* No block of memory goes back to the allocator with a secret in it: the linker gives the library's calls of free and
 * realloc to the functions here (--wrap), which search the block first. */
#include "../../../../bindings/c/examples/c/common.h"
#include <malloc.h>
#include <phalanx_verkle.h>
#include <string.h>

enum { SCALARS = 5 };
static uint8_t secrets[SCALARS * 32];
static int found;

/* Eight bytes of a secret are enough: so long a run does not come about by chance. */
static void search(const uint8_t *block) {
    size_t size = malloc_usable_size((void *)(uintptr_t)block), at, part;
    for (at = 0; at + 8 <= size; at++)
        for (part = 0; part < sizeof secrets; part += 8)
            if (memcmp(block + at, secrets + part, 8) == 0) found++;
}

void __real_free(void *memory);
void *__real_realloc(void *memory, size_t size);
void __wrap_free(void *memory);
void *__wrap_realloc(void *memory, size_t size);

void __wrap_free(void *memory) {
    if (memory != NULL) search(memory);
    __real_free(memory);
}

void *__wrap_realloc(void *memory, size_t size) {
    if (memory != NULL) search(memory);
    return __real_realloc(memory, size);
}

int main(void) {
    phalanx_column scalars = column(secrets, 32, 32);
    uint8_t commitment[32], *copy = malloc(sizeof secrets);
    phalanx_output out = output(commitment, 32, 32);
    phalanx_basis *basis;
    size_t i;
    for (i = 0; i < sizeof secrets; i++) secrets[i] = (uint8_t)(17 + 101 * i + i * i / 7);
    /* Below the order. */
    for (i = 31; i < sizeof secrets; i += 32) secrets[i] &= 7;

    /* What holds a secret is found. */
    if (copy == NULL) return 1;
    memcpy(copy, secrets, sizeof secrets);
    __wrap_free(copy);
    if (found == 0) return 1;
    found = 0;

    check(phalanx_basis_verkle(&basis), "the basis");
    check(phalanx_commit_secret(basis, &scalars, SCALARS, &out), "a commitment");
    if (found > 0) fprintf(stderr, "a commitment leaves %d parts of secrets\n", found);
    /* A scalar that is refused, after others that are read. */
    memset(secrets + sizeof secrets - 8, 255, 8);
    if (phalanx_commit_secret(basis, &scalars, SCALARS, &out) != PHALANX_BAD_SCALAR) return 1;
    if (found > 0) fprintf(stderr, "with one that is refused, %d parts\n", found);
    phalanx_basis_free(basis);
    if (found > 0) return 1;
    printf("no freed memory holds a secret scalar\n");
    return 0;
}
