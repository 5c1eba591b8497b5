/* What the examples share: to stop with the text of a status, and to print bytes. */
#ifndef EXAMPLES_COMMON_H
#define EXAMPLES_COMMON_H

#include <phalanx.h>
#include <stdio.h>
#include <stdlib.h>

static inline void check(int32_t status, const char *what) {
    if (status != PHALANX_OK) {
        fprintf(stderr, "%s: %s\n", what, phalanx_status_text(status));
        exit(1);
    }
}

static inline void print_hex(const char *name, const uint8_t *bytes, size_t count) {
    size_t i;
    printf("%s ", name);
    for (i = 0; i < count; i++) printf("%02x", bytes[i]);
    printf("\n");
}

/* Overwrites a secret. A compiler may leave memset out where nobody reads the bytes again. */
static inline void wipe(uint8_t *secret, size_t count) {
    volatile uint8_t *bytes = secret;
    while (count-- > 0) bytes[count] = 0;
}

static inline phalanx_column column(const void *data, size_t stride, size_t width) {
    phalanx_column made;
    made.data = (const uint8_t *)data;
    made.stride = stride;
    made.width = width;
    return made;
}

static inline phalanx_output output(void *data, size_t stride, size_t width) {
    phalanx_output made;
    made.data = (uint8_t *)data;
    made.stride = stride;
    made.width = width;
    return made;
}

#endif
