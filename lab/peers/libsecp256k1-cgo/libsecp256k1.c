/* libsecp256k1 as a part of the program, from the package of the crate secp256k1-sys. */
#include "src/secp256k1.c"
#include "src/precomputed_ecmult.c"
#include "src/precomputed_ecmult_gen.c"
