/* A sum of products: 1 G + 2 G + ... + 100 G is 5050 G. */
#include "common.h"
#include <stdlib.h>
#include <string.h>

enum { TERMS = 100 };

int main(void) {
    uint8_t one[32] = {0}, scalars[TERMS][32] = {{0}}, total[32] = {0};
    uint8_t generator[33], expected[33], sum[33], verdicts[1];
    phalanx_column key = column(one, 32, 32), points = column(generator, 0, 33), numbers = column(scalars, 32, 32);
    phalanx_output out = output(generator, 33, 33);
    phalanx_bulk *bulk;
    int i;

    check(phalanx_bulk_new(NULL, &bulk), "a handle");
    one[31] = 1;
    check(phalanx_public_keys(bulk, &key, &out, verdicts, 1, NULL), "the generator");
    for (i = 0; i < TERMS; i++) scalars[i][31] = (uint8_t)(i + 1);
    check(phalanx_sum_of_products(bulk, &numbers, &points, TERMS, sum), "the sum");
    print_hex("sum", sum, sizeof sum);

    total[30] = 5050 / 256;
    total[31] = 5050 % 256;
    /* The same on this thread, in memory of the program's own: nothing is allocated. */
    {
        uint8_t *memory, *workspace, again[33];
        size_t bytes;
        check(phalanx_workspace_bytes(bulk, PHALANX_OPERATION_SUM_OF_PRODUCTS, TERMS, &bytes), "the workspace");
        memory = malloc(bytes + 63);
        if (memory == NULL) return 1;
        workspace = memory + (64 - (uintptr_t)memory % 64) % 64;
        check(phalanx_sum_of_products_in(bulk, &numbers, &points, TERMS, again, workspace, bytes), "the sum, again");
        free(memory);
        if (memcmp(sum, again, sizeof sum) != 0) return 1;
    }

    /* The same by tables over the points, which are computed once, into memory of the program's own. */
    {
        enum { WINDOW_BITS = 4 };
        phalanx_column all = column(scalars, sizeof scalars, sizeof scalars);
        phalanx_output place;
        uint8_t *memory, *tables, again[33];
        size_t bytes;
        check(phalanx_fixed_base_bytes(TERMS, WINDOW_BITS, &bytes), "the size of tables");
        memory = malloc(bytes + 63);
        if (memory == NULL) return 1;
        tables = memory + (64 - (uintptr_t)memory % 64) % 64;
        check(phalanx_fixed_base_build(bulk, &points, TERMS, WINDOW_BITS, tables, bytes), "tables");
        place = output(again, 33, 33);
        check(phalanx_fixed_base_sums(bulk, tables, bytes, &all, &place, 1), "the sum, by tables");
        free(memory);
        if (memcmp(sum, again, sizeof sum) != 0) return 1;
    }

    key = column(total, 32, 32);
    out = output(expected, 33, 33);
    check(phalanx_public_keys(bulk, &key, &out, verdicts, 1, NULL), "5050 G");
    phalanx_bulk_free(bulk);
    return memcmp(sum, expected, sizeof sum) == 0 ? 0 : 1;
}
