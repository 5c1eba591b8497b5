/* What refused calls write: see refused.h. */
#include "refused.h"

static uint8_t x_keys[ROWS][32], recoverable[ROWS], random_bytes[32];

FUNCTION(verify_ecdsa) { return phalanx_verify_ecdsa(handle, C(0), C(1), C(2), flags, B(3), rows, W(4)); }
FUNCTION(verify_schnorr) { return phalanx_verify_schnorr(handle, C(0), C(1), C(2), B(3), rows, W(4)); }
FUNCTION(batch_ecdsa) {
    return phalanx_batch_ecdsa(handle, C(0), C(1), C(2), C(3), flags, B(4), B(5), rows, W(6));
}
FUNCTION(batch_schnorr) { return phalanx_batch_schnorr(handle, C(0), C(1), C(2), B(3), B(4), rows, W(5)); }
FUNCTION(recover) { return phalanx_recover(handle, C(0), C(1), C(2), O(3), B(4), rows, W(5)); }
FUNCTION(public_keys) { return phalanx_public_keys(handle, C(0), O(1), B(2), rows, W(3)); }
FUNCTION(sign_ecdsa) { return phalanx_sign_ecdsa(handle, C(0), C(1), O(2), O(3), B(4), rows, W(5)); }
FUNCTION(sign_schnorr) { return phalanx_sign_schnorr(handle, C(0), C(1), C(2), O(3), B(4), rows, W(5)); }
FUNCTION(shared_secrets) { return phalanx_shared_secrets(handle, C(0), C(1), O(2), B(3), rows, W(4)); }
FUNCTION(tweak_add_public) { return phalanx_tweak_add_public(handle, C(0), C(1), O(2), B(3), rows, W(4)); }
FUNCTION(decompress) { return phalanx_decompress(handle, C(0), O(1), B(2), rows, W(3)); }
FUNCTION(sum_of_products) { return phalanx_sum_of_products(handle, C(0), C(1), rows, B(2)); }
FUNCTION(sum_of_products_in) {
    return phalanx_sum_of_products_in(handle, C(0), C(1), rows, B(2), slots[3].data, workspace_bytes);
}
FUNCTION(fixed_base_build) { return phalanx_fixed_base_build(handle, C(0), rows, 1, B(1), table_bytes); }
FUNCTION(fixed_base_sums) { return phalanx_fixed_base_sums(handle, B(0), table_bytes, C(1), O(2), rows); }

#define V {'v', 1, NULL, 0}
#define K {'w', 1, NULL, 0}
static const function functions[] = {
    {"phalanx_verify_ecdsa", "cccvw", {{'c', 32, digests, 0}, {'c', 64, signatures, 0}, {'c', 33, keys, 0}, V, K},
     verify_ecdsa, FLAGS, PHALANX_OPERATION_ROWS},
    {"phalanx_verify_schnorr", "cccvw", {{'c', 32, digests, ANY_WIDTH}, {'c', 64, schnorr, 0}, {'c', 32, x_keys, 0}, V, K},
     verify_schnorr, 0, PHALANX_OPERATION_ROWS},
    {"phalanx_batch_ecdsa", "ccccfvw",
     {{'c', 32, digests, 0}, {'c', 64, signatures, 0}, {'c', 33, keys, 0}, {'c', 1, recoverable, 0},
      {'f', 32, random_bytes, 0}, V, K},
     batch_ecdsa, FLAGS, PHALANX_OPERATION_BATCH_ECDSA},
    {"phalanx_batch_schnorr", "cccfvw",
     {{'c', 32, digests, ANY_WIDTH}, {'c', 64, schnorr, 0}, {'c', 32, x_keys, 0}, {'f', 32, random_bytes, 0}, V, K},
     batch_schnorr, 0, PHALANX_OPERATION_BATCH_SCHNORR},
    {"phalanx_recover", "cccovw",
     {{'c', 32, digests, 0}, {'c', 64, signatures, 0}, {'c', 1, recoverable, 0}, {'o', 33, NULL, 0}, V, K},
     recover, 0, PHALANX_OPERATION_ROWS},
    {"phalanx_public_keys", "covw", {{'c', 32, secrets, 0}, {'o', 33, NULL, 0}, V, K},
     public_keys, 0, PHALANX_OPERATION_ROWS},
    {"phalanx_sign_ecdsa", "ccoovw",
     {{'c', 32, digests, 0}, {'c', 32, secrets, 0}, {'o', 64, NULL, 0}, {'o', 1, NULL, OR_NULL}, V, K},
     sign_ecdsa, 0, PHALANX_OPERATION_ROWS},
    {"phalanx_sign_schnorr", "cccovw",
     {{'c', 32, digests, ANY_WIDTH}, {'c', 32, secrets, 0}, {'c', 32, random_bytes, 0}, {'o', 64, NULL, 0}, V, K},
     sign_schnorr, 0, PHALANX_OPERATION_ROWS},
    {"phalanx_shared_secrets", "ccovw", {{'c', 33, keys, 0}, {'c', 32, secrets, 0}, {'o', 32, NULL, 0}, V, K},
     shared_secrets, 0, PHALANX_OPERATION_ROWS},
    {"phalanx_tweak_add_public", "ccovw", {{'c', 33, keys, 0}, {'c', 32, secrets, 0}, {'o', 33, NULL, 0}, V, K},
     tweak_add_public, 0, PHALANX_OPERATION_ROWS},
    {"phalanx_decompress", "covw", {{'c', 33, keys, 0}, {'o', 33, NULL, 0}, V, K},
     decompress, 0, PHALANX_OPERATION_ROWS},
    {"phalanx_sum_of_products", "ccs", {{'c', 32, secrets, 0}, {'c', 33, keys, 0}, {'s', 33, NULL, 0}},
     sum_of_products, 0, 0},
    {"phalanx_sum_of_products_in", "ccsw", {{'c', 32, secrets, 0}, {'c', 33, keys, 0}, {'s', 33, NULL, 0}, K},
     sum_of_products_in, 0, PHALANX_OPERATION_SUM_OF_PRODUCTS},
    {"phalanx_fixed_base_build", "cm", {{'c', 33, keys, 0}, {'m', 0, NULL, 0}}, fixed_base_build, 0, 0},
    {"phalanx_fixed_base_sums", "fca", {{'f', 0, NULL, 0}, {'c', 32, secrets, ANY_WIDTH}, {'a', 33, NULL, 0}},
     fixed_base_sums, 0, 0},
};

/* Tables of a fixed base. */
static void make_tables(void) {
    check(phalanx_fixed_base_bytes(ROWS, 1, &table_bytes), "a size");
    expect_true(table_bytes < REGION);
    check(phalanx_fixed_base_build(bulk, &key_column, ROWS, 1, made_tables(), table_bytes), "tables");
}

int main(int argc, char **argv) {
    size_t i;
    if (argc != 2) return 2;
    prepare(argv[1]);
    memcpy(recoverable, ids, sizeof recoverable);
    for (i = 0; i < ROWS; i++) memcpy(x_keys[i], keys[i] + 1, 32);
    make_tables();
    refuse_all(functions, sizeof functions / sizeof functions[0]);
    return report(argv[1], 1000);
}
