/* Leaks on purpose: each branches on what the library computed from a poisoned key. Run
 * under valgrind, each must be reported; "none" must not. */

#include <stdlib.h>
#include <string.h>

#include <valgrind/memcheck.h>

#include <secp256k1.h>
#include <secp256k1_ecdh.h>

static volatile int taken;

/* The branch. A function of its own, whose name valgrind prints. */
static void __attribute__((noinline)) leak(unsigned char byte) {
    if (byte & 1) {
        taken++;
    }
}

/* On the nonce, which the library derived. */
static int leaking_nonce(unsigned char *nonce, const unsigned char *digest, const unsigned char *key,
                         const unsigned char *algorithm, void *data, unsigned int attempt) {
    int made = secp256k1_nonce_function_rfc6979(nonce, digest, key, algorithm, data, attempt);
    leak(nonce[31]);
    return made;
}

/* On the shared point, which the library multiplied. */
static int leaking_hash(unsigned char *output, const unsigned char *x, const unsigned char *y, void *data) {
    (void)y;
    (void)data;
    leak(x[31]);
    memcpy(output, x, 32);
    return 1;
}

int main(int count, char **arguments) {
    unsigned char key[32], digest[32], output[64];
    secp256k1_ecdsa_signature signature;
    secp256k1_pubkey pubkey;
    secp256k1_context *context;
    const char *which = count > 1 ? arguments[1] : "";
    int made = 0;

    memset(key, 0x41, sizeof key);
    memset(digest, 0x17, sizeof digest);
    context = secp256k1_context_create(SECP256K1_CONTEXT_DECLASSIFY);
    if (!secp256k1_ec_pubkey_create(context, &pubkey, key)) {
        return 1;
    }
    VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof key);
    if (!strcmp(which, "none")) {
        made = secp256k1_ecdsa_sign(context, &signature, digest, key, NULL, NULL);
    } else if (!strcmp(which, "nonce")) {
        made = secp256k1_ecdsa_sign(context, &signature, digest, key, leaking_nonce, NULL);
    } else if (!strcmp(which, "point")) {
        made = secp256k1_ecdh(context, output, &pubkey, key, leaking_hash, NULL);
    } else if (!strcmp(which, "key")) {
        /* On the public key, before the program says that it is public. */
        made = secp256k1_ec_pubkey_create(context, &pubkey, key);
        leak(pubkey.data[0]);
    } else {
        return 1;
    }
    VALGRIND_MAKE_MEM_DEFINED(&made, sizeof made);
    return made ? EXIT_SUCCESS : EXIT_FAILURE;
}
