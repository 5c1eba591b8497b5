/* A basis for tests of few elements. */
#ifndef TESTS_BASIS_H
#define TESTS_BASIS_H

#include "../../../../bindings/c/examples/c/common.h"
#include <phalanx_verkle.h>

/* The basis of so many elements, which it writes: 1, 2, 3 and so on times the first element of the Verkle basis. */
static phalanx_basis *few_elements(uint8_t (*elements)[32], size_t count) {
    uint8_t scalar[32] = {0};
    phalanx_column scalars = column(scalar, 32, 32), made = column(elements, 32, 32);
    phalanx_basis *verkle, *basis;
    check(phalanx_basis_verkle(&verkle), "the Verkle basis");
    for (scalar[0] = 1; scalar[0] <= count; scalar[0]++) {
        phalanx_output element = output(elements[scalar[0] - 1], 32, 32);
        check(phalanx_commit_secret(verkle, &scalars, 1, &element), "an element");
    }
    phalanx_basis_free(verkle);
    check(phalanx_basis_new(&made, count, &basis), "a basis");
    return basis;
}

#endif
