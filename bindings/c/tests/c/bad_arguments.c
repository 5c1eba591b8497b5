/* Bad input to handles, sums and their tables, encodings and sessions of MuSig2: each gets its documented status, and nothing crashes. What refused.c
 * asks of every function is not asked again. */
#include "expect.h"

static void handles(void) {
    phalanx_options options;
    phalanx_bulk *made = bulk;
    size_t bytes = 1;
    memset(&options, 0, sizeof options);
    options.backend = "no such backend";
    expect(phalanx_bulk_new(&options, &made), PHALANX_BACKEND_UNAVAILABLE);
    expect_true(made == NULL);
    options.backend = "\xff\xfe";
    expect(phalanx_bulk_new(&options, &made), PHALANX_BACKEND_UNAVAILABLE);
    expect(phalanx_bulk_new(NULL, NULL), PHALANX_NULL_POINTER);
    options.backend = "portable";
    options.threads = 2;
    expect(phalanx_bulk_new(&options, &made), PHALANX_OK);
    expect_true(strcmp(phalanx_bulk_backend(made), "portable") == 0 && phalanx_bulk_threads(made) == 2);
    phalanx_bulk_free(made);
    phalanx_bulk_free(NULL);
    options.threads = SIZE_MAX;
    expect(phalanx_bulk_new(&options, &made), PHALANX_THREADS_UNAVAILABLE);
    options.threads = 4097;
    expect(phalanx_bulk_new(&options, &made), PHALANX_THREADS_UNAVAILABLE);
    expect_true(made == NULL);
    options.threads = 1;
    options.key_table_bytes = SIZE_MAX;
    expect(phalanx_bulk_new(&options, &made), PHALANX_OK);
    phalanx_bulk_free(made);
    expect(phalanx_workspace_bytes((const phalanx_bulk *)(const void *)((const char *)bulk + 1), 0, 1, &bytes),
           PHALANX_MISALIGNED);
    expect_true(phalanx_bulk_backend(NULL) == NULL && phalanx_bulk_threads(NULL) == 0);
    expect(phalanx_workspace_bytes(bulk, 99, 1, &bytes), PHALANX_BAD_ARGUMENT);
    expect_true(bytes == 0);
    expect(phalanx_workspace_bytes(NULL, 0, 1, &bytes), PHALANX_NULL_POINTER);
    expect(phalanx_workspace_bytes(bulk, 0, 1, NULL), PHALANX_NULL_POINTER);
    expect(phalanx_workspace_bytes(bulk, 0, SIZE_MAX, &bytes), PHALANX_OK);
    expect_true(bytes > 0 && bytes < (4u << 20));
    expect_true(strlen(phalanx_status_text(PHALANX_OK)) > 0 && strlen(phalanx_status_text(-7)) > 0);
    for (bytes = 1; bytes <= PHALANX_CAPACITY_TOO_SMALL; bytes++)
        expect_true(strcmp(phalanx_status_text((int32_t)bytes), phalanx_status_text(-7)) != 0);
    {
        char version[40];
        sprintf(version, "%d.%d.%d", PHALANX_VERSION_MAJOR, PHALANX_VERSION_MINOR, PHALANX_VERSION_PATCH);
        expect_true(strcmp(version, phalanx_version()) == 0);
    }
}

static void sums(void) {
    static const uint8_t infinity[33] = {0};
    phalanx_column bad, point;
    uint8_t scalar[32], sum[33];
    expect(phalanx_sum_of_products(bulk, &secret_column, &key_column, ROWS, sum), PHALANX_OK);
    expect_true(memcmp(sum, infinity, 33) != 0);
    expect(phalanx_sum_of_products(bulk, &secret_column, &key_column, 0, sum), PHALANX_OK);
    expect_true(memcmp(sum, infinity, 33) == 0);
    {
        static uint64_t place[(1 << 20) / 8 + 8];
        uint8_t *workspace = (uint8_t *)place + (64 - (uintptr_t)place % 64) % 64, in_it[33];
        size_t needed;
        expect(phalanx_workspace_bytes(bulk, PHALANX_OPERATION_SUM_OF_PRODUCTS, ROWS, &needed), PHALANX_OK);
        expect(needed > 1 << 20, 0);
        expect(phalanx_sum_of_products(bulk, &secret_column, &key_column, ROWS, sum), PHALANX_OK);
        expect(phalanx_sum_of_products_in(bulk, &secret_column, &key_column, ROWS, in_it, workspace, needed), PHALANX_OK);
        expect(memcmp(sum, in_it, 33), 0);
        expect(phalanx_sum_of_products_in(bulk, &secret_column, &key_column, ROWS, sum, NULL, needed), PHALANX_NULL_POINTER);
        expect(phalanx_workspace_bytes(bulk, PHALANX_OPERATION_SUM_OF_PRODUCTS, SIZE_MAX, &needed), PHALANX_OK);
        /* As many rows as can be, all with one value. */
        bad = column(secrets, 0, 32);
        point = column(keys, 0, 33);
        expect(phalanx_sum_of_products_in(bulk, &bad, &point, SIZE_MAX, sum, workspace, 1 << 20),
               PHALANX_WORKSPACE_TOO_SMALL);
        expect(phalanx_sum_of_products_in(bulk, &bad, &point, SIZE_MAX / 8, sum, workspace, 1 << 20),
               PHALANX_WORKSPACE_TOO_SMALL);
        expect_true(memcmp(sum, infinity, 33) == 0);
    }
    memset(scalar, 0xff, 32);
    bad = column(scalar, 0, 32);
    memset(sum, 1, 33);
    expect(phalanx_sum_of_products(bulk, &bad, &key_column, ROWS, sum), PHALANX_BAD_SCALAR);
    expect_true(memcmp(sum, infinity, 33) == 0);
    /* Infinity adds nothing, but its scalar is checked too. */
    {
        uint8_t places[2][33], twice[33], numbers[2][32] = {{0}};
        phalanx_column place_column = column(places, 33, 33), number_column = column(numbers, 32, 32);
        memcpy(places[0], keys[0], 33);
        memset(places[1], 0, 33);
        numbers[0][31] = 1;
        numbers[1][31] = 7;
        expect(phalanx_sum_of_products(bulk, &number_column, &place_column, 2, twice), PHALANX_OK);
        expect_true(memcmp(twice, keys[0], 33) == 0);
        memset(numbers[1], 0xff, 32);
        expect(phalanx_sum_of_products(bulk, &number_column, &place_column, 2, twice), PHALANX_BAD_SCALAR);
    }
    bad = column(digests, 33, 33);
    expect(phalanx_sum_of_products(bulk, &secret_column, &bad, 2, sum), PHALANX_BAD_POINT);
    expect_true(memcmp(sum, infinity, 33) == 0);
}

/* More rows than are summed at a time, by tables that another backend has built; the vectors alternate between two, whose
 * sums are given. */
static void many_fixed_base_sums(const uint8_t *memory, size_t bytes, const phalanx_column *two, uint8_t (*expected)[33]) {
    enum { MANY = 600 };
    static uint8_t vectors[MANY][ROWS * 32], sums[MANY][33];
    phalanx_column column_of_vectors = column(vectors, sizeof vectors[0], sizeof vectors[0]);
    phalanx_output out = output(sums, 33, 33);
    phalanx_options options;
    phalanx_bulk *portable;
    size_t i;
    memset(&options, 0, sizeof options);
    options.backend = "portable";
    options.threads = 1;
    expect(phalanx_bulk_new(&options, &portable), PHALANX_OK);
    /* Not by turns that the number of rows at a time divides. */
    for (i = 0; i < MANY; i++) memcpy(vectors[i], two->data + (i % 3 == 0 ? two->stride : 0), sizeof vectors[0]);
    expect(phalanx_fixed_base_sums(portable, memory, bytes, &column_of_vectors, &out, MANY), PHALANX_OK);
    for (i = 0; i < MANY; i++) expect_true(memcmp(sums[i], expected[i % 3 == 0], 33) == 0);
    phalanx_bulk_free(portable);
}

/* Sums by tables over points of secp256k1: good ones beside sums of products, and what is refused. */
static void fixed_bases(void) {
    static uint8_t place[1 << 18];
    static const uint8_t zeros[33] = {0};
    uint8_t *memory = place + (64 - (uintptr_t)place % 64) % 64, sums[2][33], expected[33], points[ROWS][33];
    uint8_t numbers[2][ROWS][32];
    phalanx_column point_column = column(points, 33, 33), vectors = column(numbers, sizeof numbers[0], sizeof numbers[0]);
    phalanx_column bad, row;
    phalanx_output out = output(sums, 33, 33);
    size_t bytes, other = 1;
    int i;

    memcpy(points, keys, sizeof points);
    memset(points[1], 0, 33); /* infinity */
    memcpy(numbers[0], secrets, sizeof numbers[0]);
    memcpy(numbers[1], digests, sizeof numbers[1]);
    expect(phalanx_fixed_base_bytes(ROWS, 4, &bytes), PHALANX_OK);
    expect_true(bytes == 64 + (size_t)ROWS * 64 * 8 * 64 && bytes + 128 <= sizeof place);
    expect(phalanx_fixed_base_bytes(ROWS, 4, NULL), PHALANX_NULL_POINTER);
    expect(phalanx_fixed_base_bytes(0, 4, &other), PHALANX_BAD_ARGUMENT);
    expect(phalanx_fixed_base_bytes(ROWS, 0, &other), PHALANX_BAD_ARGUMENT);
    expect(phalanx_fixed_base_bytes(ROWS, 17, &other), PHALANX_BAD_ARGUMENT);
    expect(phalanx_fixed_base_bytes(SIZE_MAX, 4, &other), PHALANX_BAD_ARGUMENT);
    expect(phalanx_fixed_base_bytes(1 << 16, 8, &other), PHALANX_BAD_ARGUMENT);
    expect_true(other == 0);

    expect(phalanx_fixed_base_build(bulk, &point_column, ROWS, 4, memory + 1, bytes), PHALANX_MISALIGNED);
    expect(phalanx_fixed_base_build(bulk, &point_column, ROWS, 4, memory, bytes - 1), PHALANX_BAD_ARGUMENT);
    expect(phalanx_fixed_base_build(bulk, &point_column, 0, 4, memory, bytes), PHALANX_BAD_ARGUMENT);
    bad = column(digests, 0, 33);
    expect(phalanx_fixed_base_build(bulk, &bad, ROWS, 4, memory, bytes), PHALANX_BAD_POINT);
    expect(phalanx_fixed_base_sums(bulk, memory, bytes, &vectors, &out, 2), PHALANX_BAD_TABLES);
    memory[bytes] = 77;
    expect(phalanx_fixed_base_build(bulk, &point_column, ROWS, 4, memory, bytes), PHALANX_OK);
    expect_true(memory[bytes] == 77);

    expect(phalanx_fixed_base_sums(bulk, memory, bytes, &vectors, &out, 2), PHALANX_OK);
    for (i = 0; i < 2; i++) {
        row = column(numbers[i], 32, 32);
        expect(phalanx_sum_of_products(bulk, &row, &point_column, ROWS, expected), PHALANX_OK);
        expect_true(memcmp(sums[i], expected, 33) == 0 && memcmp(expected, zeros, 33) != 0);
    }
    many_fixed_base_sums(memory, bytes, &vectors, &sums[0]);
    bad = column(numbers, sizeof numbers[0], 32);
    expect(phalanx_fixed_base_sums(bulk, memory, bytes, &bad, &out, 1), PHALANX_OK);
    row = column(numbers, 32, 32);
    expect(phalanx_sum_of_products(bulk, &row, &point_column, 1, expected), PHALANX_OK);
    expect_true(memcmp(sums[0], expected, 33) == 0);
    bad = column(numbers, 0, 0);
    expect(phalanx_fixed_base_sums(bulk, memory, SIZE_MAX, &bad, &out, 2), PHALANX_OK);
    expect_true(memcmp(sums[1], zeros, 33) == 0);
    expect(phalanx_fixed_base_sums(bulk, memory, bytes, &vectors, &out, 0), PHALANX_OK);
    expect(phalanx_fixed_base_sums(bulk, memory + 8, bytes, &vectors, &out, 2), PHALANX_MISALIGNED);
    expect(phalanx_fixed_base_sums(bulk, memory, bytes - 1, &vectors, &out, 2), PHALANX_BAD_TABLES);
    expect(phalanx_fixed_base_sums(bulk, memory, 63, &vectors, &out, 2), PHALANX_BAD_TABLES);
    bad = vectors;
    bad.width = 33;
    expect(phalanx_fixed_base_sums(bulk, memory, bytes, &bad, &out, 2), PHALANX_BAD_COLUMN);
    bad = column(place, 0, 32 * (ROWS + 1));
    expect(phalanx_fixed_base_sums(bulk, memory, bytes, &bad, &out, 2), PHALANX_BAD_COLUMN);
    memset(numbers[1][2], 0xff, 32);
    memset(sums, 1, sizeof sums);
    expect(phalanx_fixed_base_sums(bulk, memory, bytes, &vectors, &out, 2), PHALANX_BAD_SCALAR);
    expect_true(memcmp(sums[0], zeros, 33) == 0 && memcmp(sums[1], zeros, 33) == 0);
    memory[8] = ROWS + 1;
    expect(phalanx_fixed_base_sums(bulk, memory, bytes, &vectors, &out, 1), PHALANX_BAD_TABLES);
    memory[8] = ROWS;
    memory[0] ^= 1;
    expect(phalanx_fixed_base_sums(bulk, memory, bytes, &vectors, &out, 1), PHALANX_BAD_TABLES);
}

static const uint8_t none[32] = {0};

static void encodings(void) {
    uint8_t a[64], b[64], shared_by[2][32], key[33];
    expect(phalanx_ellswift_create(none, NULL, a), PHALANX_BAD_SCALAR);
    expect_true(memcmp(a, a + 32, 32) == 0 && a[0] == 0);
    expect(phalanx_ellswift_encode(digests[0], aux, a), PHALANX_BAD_POINT);
    expect(phalanx_ellswift_create(secrets[0], aux, a), PHALANX_OK);
    expect(phalanx_ellswift_encode(keys[1], aux, b), PHALANX_OK);
    expect(phalanx_ellswift_decode(a, key), PHALANX_OK);
    expect_true(memcmp(key, keys[0], 33) == 0);
    expect(phalanx_ellswift_xdh(a, b, none, 0, shared_by[0]), PHALANX_BAD_SCALAR);
    expect(phalanx_ellswift_xdh(a, b, secrets[0], 2, shared_by[0]), PHALANX_BAD_ARGUMENT);
    expect_true(memcmp(shared_by[0], none, 32) == 0);
    expect(phalanx_ellswift_xdh(a, b, secrets[0], 0, shared_by[0]), PHALANX_OK);
    expect(phalanx_ellswift_xdh(a, b, secrets[1], PHALANX_RESPONDER, shared_by[1]), PHALANX_OK);
    expect_true(memcmp(shared_by[0], shared_by[1], 32) == 0 && memcmp(shared_by[0], none, 32) != 0);
}

/* A nonce that depends on all there is, and the refusals of its inputs. */
static phalanx_musig_secret_nonce *careful_nonce(int signer, uint8_t *public_nonce) {
    uint8_t randomness[32], before[66];
    phalanx_musig_secret_nonce *nonce;
    phalanx_musig_nonce_inputs inputs;
    memset(&inputs, 0, sizeof inputs);
    memset(randomness, 0x55 + signer, 32);
    memset(public_nonce, 7, 66);
    memset(before, 0, 66);
    inputs.secret_key = secrets[signer];
    inputs.aggregate_key = digests[1];
    inputs.message_bytes = 1;
    inputs.extra = aux;
    inputs.extra_bytes = sizeof aux;
    inputs.randomness = randomness;
    expect(phalanx_musig_secret_nonce_new(keys[signer], &inputs, &nonce, public_nonce), PHALANX_NULL_POINTER);
    inputs.message = digests[0];
    inputs.message_bytes = SIZE_MAX;
    expect(phalanx_musig_secret_nonce_new(keys[signer], &inputs, &nonce, public_nonce), PHALANX_BAD_COLUMN);
    inputs.message_bytes = 32;
    inputs.randomness = public_nonce + 40;
    expect(phalanx_musig_secret_nonce_new(keys[signer], &inputs, &nonce, public_nonce), PHALANX_OVERLAP);
    inputs.randomness = secrets[signer] + 31;
    expect(phalanx_musig_secret_nonce_new(keys[signer], &inputs, &nonce, public_nonce), PHALANX_OVERLAP);
    inputs.randomness = randomness;
    inputs.secret_key = none;
    expect(phalanx_musig_secret_nonce_new(keys[signer], &inputs, &nonce, public_nonce), PHALANX_BAD_SCALAR);
    expect(phalanx_musig_secret_nonce_new(digests[0], &inputs, &nonce, public_nonce), PHALANX_BAD_POINT);
    expect_true(nonce == NULL && memcmp(before, public_nonce, 66) == 0 && randomness[0] == 0x55 + signer);
    inputs.secret_key = secrets[signer];
    expect(phalanx_musig_secret_nonce_new(keys[signer], &inputs, &nonce, public_nonce), PHALANX_OK);
    expect_true(memcmp(randomness, none, 32) == 0);
    return nonce;
}

static void sessions(void) {
    uint8_t nonces[ROWS][66], sum[66], partials[ROWS][32], aggregate[33], signature[64], partial[32], found[ROWS + 1];
    phalanx_column nonce_column = column(nonces, 66, 66), partial_column = column(partials, 32, 32);
    phalanx_column signed_by = column(signature, 64, 64), key = column(aggregate + 1, 32, 32);
    phalanx_musig_keys *of_all, *tweaked, *of_two;
    phalanx_musig_secret_nonce *made[ROWS], *other;
    phalanx_musig_session *session, *smaller;
    int i;
    expect(phalanx_musig_keys_new(&key_column, &of_all, aggregate, found, 0), PHALANX_BAD_ARGUMENT);
    expect_true(of_all == NULL);
    expect(phalanx_musig_keys_new(&key_column, &of_two, aggregate, found, 2), PHALANX_OK);
    expect(phalanx_musig_keys_new(&key_column, &of_all, aggregate, found, ROWS), PHALANX_OK);
    expect(phalanx_musig_keys_tweak(of_all, digests[0], 2, &tweaked, aggregate), PHALANX_BAD_ARGUMENT);
    memset(signature, 0xff, 32);
    expect(phalanx_musig_keys_tweak(of_all, signature, 0, &tweaked, aggregate), PHALANX_BAD_SCALAR);
    expect_true(tweaked == NULL);
    expect(phalanx_musig_keys_tweak(of_all, digests[0], PHALANX_X_ONLY_TWEAK, &tweaked, aggregate), PHALANX_OK);

    for (i = 0; i < ROWS; i++) made[i] = careful_nonce(i, nonces[i]);
    expect(phalanx_musig_aggregate_nonce(&nonce_column, sum, found, ROWS), PHALANX_OK);
    expect(phalanx_musig_session_new(tweaked, sum, digests[0], 32, &session), PHALANX_OK);
    expect(phalanx_musig_session_new(of_two, sum, NULL, 0, &smaller), PHALANX_OK);
    phalanx_musig_keys_free(of_all);
    phalanx_musig_keys_free(tweaked);
    phalanx_musig_keys_free(of_two);
    phalanx_musig_keys_free(NULL);

    /* A nonce signs once, and is gone where it is used wrongly. */
    expect(phalanx_musig_partial_sign(session, NULL, secrets[0], partial), PHALANX_NULL_POINTER);
    for (i = 0; i < 3; i++) {
        static const int32_t statuses[] = {PHALANX_BAD_SCALAR, PHALANX_BAD_ARGUMENT, PHALANX_BAD_ARGUMENT};
        const uint8_t *with[3];
        with[0] = none, with[1] = secrets[1], with[2] = secrets[2];
        expect(phalanx_musig_secret_nonce_new(keys[i == 2 ? 2 : 0], NULL, &other, sum), PHALANX_OK);
        expect(phalanx_musig_partial_sign(i == 2 ? smaller : session, other, with[i], partial), statuses[i]);
        expect(phalanx_musig_partial_sign(session, other, secrets[i == 2 ? 2 : 0], partial), PHALANX_USED_NONCE);
        expect_true(memcmp(partial, none, 32) == 0);
        phalanx_musig_secret_nonce_free(other);
    }
    phalanx_musig_secret_nonce_free(NULL);
    for (i = 0; i < ROWS; i++) {
        expect(phalanx_musig_partial_sign(session, made[i], secrets[i], partials[i]), PHALANX_OK);
        expect(phalanx_musig_partial_sign(session, made[i], secrets[i], partial), PHALANX_USED_NONCE);
        expect_true(memcmp(partial, none, 32) == 0);
        phalanx_musig_secret_nonce_free(made[i]);
    }

    expect(phalanx_musig_partial_verify(session, 1, &nonce_column, &partial_column, found, ROWS), PHALANX_BAD_ARGUMENT);
    expect(phalanx_musig_partial_verify(session, SIZE_MAX, &nonce_column, &partial_column, found, ROWS), PHALANX_BAD_ARGUMENT);
    expect_true(found[0] == PHALANX_UNDECIDED);
    expect(phalanx_musig_partial_verify(session, ROWS, &nonce_column, &partial_column, NULL, 0), PHALANX_OK);
    memset(signature, 7, 64);
    expect(phalanx_musig_aggregate(session, &nonce_column, &partial_column, signature, found, ROWS - 1),
           PHALANX_BAD_ARGUMENT);
    expect_true(signature[0] == 7);
    expect(phalanx_musig_aggregate(session, &nonce_column, &partial_column, signature, found, ROWS), PHALANX_OK);
    expect(phalanx_verify_schnorr(bulk, &digest_column, &signed_by, &key, found, 1, NULL), PHALANX_OK);
    expect_true(found[0] == PHALANX_VALID);
    phalanx_musig_session_free(session);
    phalanx_musig_session_free(smaller);
    phalanx_musig_session_free(NULL);
}

/* Nobody cheats, but the aggregate nonce of the session is not the sum of the nonces. */
static void other_nonces(void) {
    uint8_t nonces[2][66], sum[66], partials[2][32], aggregate[33], signature[64], found[2];
    phalanx_column nonce_column = column(nonces, 66, 66), partial_column = column(partials, 32, 32);
    phalanx_musig_keys *two;
    phalanx_musig_secret_nonce *made[2];
    phalanx_musig_session *session;
    int i;
    expect(phalanx_musig_keys_new(&key_column, &two, aggregate, found, 2), PHALANX_OK);
    for (i = 0; i < 2; i++) expect(phalanx_musig_secret_nonce_new(keys[i], NULL, &made[i], nonces[i]), PHALANX_OK);
    expect(phalanx_musig_aggregate_nonce(&nonce_column, sum, found, 1), PHALANX_OK);
    expect(phalanx_musig_session_new(two, sum, digests[0], 32, &session), PHALANX_OK);
    for (i = 0; i < 2; i++) {
        expect(phalanx_musig_partial_sign(session, made[i], secrets[i], partials[i]), PHALANX_OK);
        phalanx_musig_secret_nonce_free(made[i]);
    }
    expect(phalanx_musig_partial_verify(session, 0, &nonce_column, &partial_column, found, 2), PHALANX_OK);
    expect_true(found[0] == PHALANX_VALID && found[1] == PHALANX_VALID);
    memset(signature, 7, 64);
    expect(phalanx_musig_aggregate(session, &nonce_column, &partial_column, signature, found, 2), PHALANX_BAD_ARGUMENT);
    expect_true(found[0] == PHALANX_UNDECIDED && signature[63] == 7);
    phalanx_musig_session_free(session);
    phalanx_musig_keys_free(two);
}

/* Receivers, and lists of outputs. */
static void silent_payments(void) {
    static uint8_t zeros[32];
    static const uint32_t labels[2] = {7, 7};
    static int64_t prefixes[4];
    static uint64_t starts[ROWS + 1] = {0, 1, 1, 3};
    uint32_t short_starts[ROWS + 1] = {0, 1, 1, 3};
    phalanx_column label = column(labels, 4, 4), none = column(NULL, 0, 4), outputs = column(prefixes, 8, 8);
    phalanx_column offsets = column(starts, 8, 8), nothing = column(NULL, 0, 32), points = key_column, bad;
    phalanx_scanner *scanner = (phalanx_scanner *)(void *)prefixes;
    const phalanx_scanner *list[2];
    phalanx_match matches[1];
    size_t found = 9;

    expect(phalanx_scanner_new(zeros, keys[0], &none, 0, &scanner), PHALANX_BAD_SCALAR);
    expect_true(scanner == NULL);
    expect(phalanx_scanner_new(secrets[0], signatures[0], &none, 0, &scanner), PHALANX_BAD_POINT);
    label.stride = 0;
    expect(phalanx_scanner_new(secrets[0], keys[0], &label, 100001, &scanner), PHALANX_BAD_ARGUMENT);
    expect(phalanx_scanner_new(secrets[0], keys[0], &label, SIZE_MAX, &scanner), PHALANX_BAD_ARGUMENT);
    expect(phalanx_scanner_new(secrets[0], keys[0], &label, 100000, &scanner), PHALANX_OK);
    phalanx_scanner_free(scanner);
    phalanx_scanner_free(NULL);
    expect(phalanx_scanner_new(secrets[0], keys[0], &none, 0, &scanner), PHALANX_OK);
    phalanx_scanner_free(scanner);
    expect(phalanx_scanner_new(secrets[0], keys[0], NULL, 1, &scanner), PHALANX_NULL_POINTER);
    expect(phalanx_scanner_new(secrets[0], keys[0], NULL, 0, &scanner), PHALANX_OK);
    list[0] = scanner;
    list[1] = NULL;

#define SCAN(count, points, outputs, offsets)                                                                          \
    phalanx_scan_silent_payments(bulk, list, count, points, outputs, 3, offsets, matches, 1, &found, verdicts, ROWS)
    expect(SCAN(1, &points, &outputs, &offsets), PHALANX_OK);
    expect_true(found == 0 && verdicts[0] == PHALANX_VALID && verdicts[2] == PHALANX_VALID);
    bad = column(short_starts, 4, 4);
    expect(SCAN(1, &points, &outputs, &bad), PHALANX_OK);
    points.data = (const uint8_t *)signatures;
    expect(SCAN(1, &points, &outputs, &offsets), PHALANX_OK);
    expect_true(verdicts[0] == PHALANX_BAD_PUBLIC_KEY && found == 0);
    points = key_column;
    /* Nobody to scan for: rows are not read. */
    expect(SCAN(0, &points, &outputs, &offsets), PHALANX_OK);
    expect_true(found == 0 && verdicts[0] == PHALANX_UNDECIDED && verdicts[2] == PHALANX_UNDECIDED);
    found = 9;
    expect(SCAN(2, &points, &outputs, &offsets), PHALANX_NULL_POINTER);
    expect_true(found == 0 && verdicts[0] == PHALANX_UNDECIDED);
    bad = outputs;
    bad.data++;
    expect(SCAN(1, &points, &bad, &offsets), PHALANX_MISALIGNED);
    bad = outputs;
    bad.stride = 0;
    expect(SCAN(1, &points, &bad, &offsets), PHALANX_BAD_COLUMN);
    expect(phalanx_scan_silent_payments(bulk, list, 1, &points, &outputs, 3, &offsets, NULL, 0, &found, verdicts, ROWS),
           PHALANX_OK);
    expect(phalanx_scan_silent_payments(bulk, list, 1, &points, &outputs, 3, &offsets,
                                        (phalanx_match *)(void *)((uint8_t *)matches + 1), 1, &found, verdicts, ROWS),
           PHALANX_MISALIGNED);
    expect(phalanx_scan_silent_payments(bulk, list, 1, &points, &outputs, 3, &offsets, matches, SIZE_MAX / 64, &found,
                                        verdicts, ROWS),
           PHALANX_BAD_COLUMN);
    expect(phalanx_scan_silent_payments(bulk, list, SIZE_MAX, &points, &outputs, 3, &offsets, matches, 1, &found,
                                        verdicts, ROWS),
           PHALANX_BAD_COLUMN);
    expect(phalanx_scan_silent_payments(bulk, list, 1, &nothing, &nothing, 0, &none, NULL, 0, &found, NULL, 0),
           PHALANX_BAD_COLUMN); /* no points of this width */
    nothing.width = 33;
    bad = column(NULL, 0, 32);
    expect(phalanx_scan_silent_payments(bulk, list, 1, &nothing, &bad, 0, &none, NULL, 0, &found, NULL, 0), PHALANX_OK);

    /* Offsets that fall, and more than there are outputs, by a row that is the first one, the last one, or all. */
    starts[3] = 4;
    expect(SCAN(1, &points, &outputs, &offsets), PHALANX_BAD_ARGUMENT);
    expect_true(found == 0 && verdicts[0] == PHALANX_UNDECIDED);
    starts[3] = UINT64_MAX;
    expect(SCAN(1, &points, &outputs, &offsets), PHALANX_BAD_ARGUMENT);
    starts[3] = 0;
    expect(SCAN(1, &points, &outputs, &offsets), PHALANX_BAD_ARGUMENT);
    starts[3] = 3;
    starts[0] = 2;
    expect(SCAN(1, &points, &outputs, &offsets), PHALANX_BAD_ARGUMENT);
    starts[0] = 0;
    expect(SCAN(1, &points, &outputs, &offsets), PHALANX_OK);
    short_starts[1] = UINT32_MAX;
    bad = column(short_starts, 4, 4);
    expect(SCAN(1, &points, &outputs, &bad), PHALANX_BAD_ARGUMENT);
#undef SCAN
    phalanx_scanner_free(scanner);
}

/* Payloads that are none, and children in other widths. */
static void children(void) {
    static const uint32_t indices[ROWS] = {0, 1, 0x80000000};
    static uint8_t found[ROWS][65], payloads[ROWS][32];
    phalanx_column number = column(indices, 4, 4);
    phalanx_output out = output(found, 65, 65), to = output(payloads, 32, 20);
    expect(phalanx_derive_children(bulk, &key_column, &digest_column, &number, 0, &out, NULL, NULL, verdicts, ROWS, NULL),
           PHALANX_OK);
    expect_true(verdicts[0] == PHALANX_VALID && verdicts[1] == PHALANX_VALID && verdicts[2] == PHALANX_MALFORMED_ROW);
    expect_true(found[0][0] == 4 && found[1][0] == 4 && found[2][0] == 0 && found[2][64] == 0);
    expect(phalanx_derive_children(bulk, &key_column, &digest_column, &number, 0, &out, NULL, &to, verdicts, ROWS, NULL),
           PHALANX_BAD_ARGUMENT);
    expect(phalanx_derive_children(bulk, &key_column, &digest_column, &number, 4, NULL, NULL, &to, verdicts, ROWS, NULL),
           PHALANX_BAD_ARGUMENT);
    expect_true(verdicts[0] == PHALANX_UNDECIDED);
    expect(phalanx_derive_children(bulk, &key_column, &digest_column, &number, PHALANX_PAYLOAD_TAPROOT_KEY, NULL, NULL,
                                   &to, verdicts, ROWS, NULL),
           PHALANX_BAD_COLUMN);
    expect(phalanx_derive_children(bulk, &key_column, &digest_column, &number, PHALANX_PAYLOAD_KEY_HASH, NULL, NULL,
                                   NULL, verdicts, ROWS, NULL),
           PHALANX_NULL_POINTER);
    expect(phalanx_derive_children(bulk, &key_column, &digest_column, &number, PHALANX_PAYLOAD_KEY_HASH, NULL, NULL,
                                   &to, verdicts, ROWS, NULL),
           PHALANX_OK);
    expect_true(verdicts[1] == PHALANX_VALID && memcmp(payloads[0], payloads[1], 20) != 0);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    prepare(argv[1]);
    handles();
    sums();
    fixed_bases();
    encodings();
    sessions();
    other_nonces();
    silent_payments();
    children();
    return report(argv[1], 100);
}
