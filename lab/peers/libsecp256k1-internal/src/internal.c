/* The inside of libsecp256k1, reached by including its source: loops over its field and group functions, so that a call
 * from outside is not part of what is timed, and its multi-scalar multiplication.
 *
 * In every loop `out` has `n` elements, or `lanes` where steps form chains; where they form none, `lanes` is 0. Chain l
 * starts from element l of the first operand and takes the second operand from elements l, l + lanes, ... in turn; n is
 * a multiple of lanes. Field elements are kept at magnitude 1, the least work that a multiplication's input allows. */

#include "src/secp256k1.c"

#include <stdlib.h>

#define S(name) rustsecp256k1_v0_14_##name

typedef S(fe) fe;
typedef S(ge) ge;
typedef S(gej) gej;
typedef S(scalar) scalar;

/* What the Rust side declares. */
_Static_assert(sizeof(fe) == 40, "a field element is five 64-bit limbs");
_Static_assert(sizeof(ge) == 88, "two field elements and an int");
_Static_assert(sizeof(gej) == 128, "three field elements and an int");
_Static_assert(sizeof(scalar) == 32, "four 64-bit limbs");

void lab_fe_read(fe *r, const unsigned char *bytes) {
    S(fe_set_b32_mod)(r, bytes);
    S(fe_normalize)(r);
}

void lab_fe_write(unsigned char *bytes, const fe *a) {
    fe x = *a;
    S(fe_normalize)(&x);
    S(fe_get_b32)(bytes, &x);
}

void lab_fe_write_even(unsigned char *bytes, const fe *a) {
    fe x = *a;
    S(fe_normalize)(&x);
    if (S(fe_is_odd)(&x)) {
        S(fe_negate)(&x, &x, 1);
        S(fe_normalize)(&x);
    }
    S(fe_get_b32)(bytes, &x);
}

void lab_fe_square(fe *r) { S(fe_sqr)(r, r); }

void lab_ge_read(ge *r, const unsigned char *xy) {
    fe x, y;
    lab_fe_read(&x, xy);
    lab_fe_read(&y, xy + 32);
    S(ge_set_xy)(r, &x, &y);
}

void lab_gej_read(gej *r, const unsigned char *xyz) {
    fe z;
    ge a;
    lab_ge_read(&a, xyz);
    lab_fe_read(&z, xyz + 64);
    S(gej_set_ge)(r, &a);
    S(gej_rescale)(r, &z);
}

void lab_gej_write(unsigned char *xy, const gej *a) {
    gej j = *a;
    ge r;
    memset(xy, 0, 64);
    if (S(gej_is_infinity)(a)) return;
    S(ge_set_gej_var)(&r, &j);
    lab_fe_write(xy, &r.x);
    lab_fe_write(xy + 32, &r.y);
}

void lab_scalar_read(scalar *r, const unsigned char *bytes) { S(scalar_set_b32)(r, bytes, NULL); }

/* A loop whose step is from x, and y where it has a second operand, to r. */
#define LOOP(name, type, operand, step)                                                      \
    void lab_##name(type *out, const type *a, const operand *b, size_t n, size_t lanes) {    \
        for (size_t i = 0; lanes == 0 && i < n; i++) {                                       \
            type *r = &out[i];                                                               \
            const type *x = &a[i];                                                           \
            const operand *y = &b[i];                                                        \
            step;                                                                            \
        }                                                                                    \
        for (size_t l = 0; l < lanes; l++) {                                                 \
            type value = a[l], *r = &value;                                                  \
            const type *x = &value;                                                          \
            for (size_t i = l; i < n; i += lanes) {                                          \
                const operand *y = &b[i];                                                    \
                step;                                                                        \
            }                                                                                \
            out[l] = value;                                                                  \
        }                                                                                    \
    }

LOOP(fe_add, fe, fe, *r = *x; S(fe_add)(r, y))
LOOP(mul, fe, fe, S(fe_mul)(r, x, y))
LOOP(sqr, fe, fe, S(fe_sqr)(r, x))
LOOP(invert, fe, fe, S(fe_inv_var)(r, x))
LOOP(sqrt, fe, fe, fe root; S(fe_sqrt)(&root, x); *r = root)
LOOP(double, gej, gej, S(gej_double_var)(r, x, NULL))
LOOP(add, gej, ge, S(gej_add_ge_var)(r, x, y, NULL))

/* n independent sums of affine points, back to affine with one inversion: how the library does it is by Jacobian
 * additions, normalised together. */
void lab_affine_add(ge *out, gej *room, const ge *a, const ge *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        gej x;
        S(gej_set_ge)(&x, &a[i]);
        S(gej_add_ge_var)(&room[i], &x, &b[i], NULL);
    }
    S(ge_set_all_gej_var)(out, room, n);
}

void lab_ge_write(unsigned char *xy, const ge *a) {
    memset(xy, 0, 64);
    if (S(ge_is_infinity)(a)) return;
    lab_fe_write(xy, &a->x);
    lab_fe_write(xy + 32, &a->y);
}

struct terms {
    const scalar *scalars;
    const ge *points;
};

static int term(scalar *s, ge *p, size_t i, void *data) {
    const struct terms *terms = data;
    *s = terms->scalars[i];
    *p = terms->points[i];
    return 1;
}

/* Room for the larger of its two algorithms at n points, beside the fixed part that the package's copy does not set up
 * itself. Not timed. */
void *lab_scratch_new(size_t n) {
    size_t straus = S(strauss_scratch_size)(n) + STRAUSS_SCRATCH_OBJECTS * 16;
    size_t buckets = S(pippenger_scratch_size)(n, S(pippenger_bucket_window)(n)) + PIPPENGER_SCRATCH_OBJECTS * 16;
    size_t size = n < ECMULT_PIPPENGER_THRESHOLD && straus > buckets ? straus : buckets;
    S(scratch) *scratch = calloc(1, sizeof(*scratch));
    if (scratch == NULL) return NULL;
    memcpy(scratch->magic, "scratch", 8);
    scratch->data = malloc(size);
    scratch->max_size = size;
    return scratch;
}

void lab_scratch_free(void *scratch) {
    free(((S(scratch) *)scratch)->data);
    free(scratch);
}

/* The sum of n products by secp256k1_ecmult_multi_var; 0 when it fails. */
int lab_msm(gej *out, void *scratch, const scalar *scalars, const ge *points, size_t n) {
    struct terms terms = {scalars, points};
    return S(ecmult_multi_var)(&default_error_callback, scratch, out, NULL, term, &terms, n);
}

/* The same, each product by secp256k1_ecmult alone. */
void lab_msm_naive(gej *out, const scalar *scalars, const ge *points, size_t n) {
    S(gej_set_infinity)(out);
    for (size_t i = 0; i < n; i++) {
        gej j, product;
        S(gej_set_ge)(&j, &points[i]);
        S(ecmult)(&product, &j, &scalars[i], NULL);
        S(gej_add_var)(out, out, &product, NULL);
    }
}

/* g times the generator plus s times p by secp256k1_ecmult, the path of a verification. */
void lab_msm_generator(gej *out, const scalar *g, const scalar *s, const ge *p) {
    gej j;
    S(gej_set_ge)(&j, p);
    S(ecmult)(out, &j, s, g);
}

/* na times a plus ng times the generator by the library's own digits, tables and additions, but without its endomorphism:
 * one chain of 256 doublings, as its ecmult was before it had the endomorphism by default (releases 0.1 and later). */
static void lab_ecmult_plain(gej *r, const gej *a, const scalar *na, const scalar *ng) {
    ge table[ECMULT_TABLE_SIZE(WINDOW_A)], t;
    fe ratios[ECMULT_TABLE_SIZE(WINDOW_A)], z;
    int digits_a[256], digits_g[256];
    int bits_a = S(ecmult_wnaf)(digits_a, 256, na, WINDOW_A);
    int bits_g = S(ecmult_wnaf)(digits_g, 256, ng, WINDOW_G);
    S(ecmult_odd_multiples_table)(ECMULT_TABLE_SIZE(WINDOW_A), table, ratios, &z, a);
    S(ge_table_set_globalz)(ECMULT_TABLE_SIZE(WINDOW_A), table, ratios);
    S(gej_set_infinity)(r);
    for (int i = (bits_a > bits_g ? bits_a : bits_g) - 1; i >= 0; i--) {
        S(gej_double_var)(r, r, NULL);
        if (i < bits_a && digits_a[i]) {
            S(ecmult_table_get_ge)(&t, table, digits_a[i], WINDOW_A);
            S(gej_add_ge_var)(r, r, &t, NULL);
        }
        if (i < bits_g && digits_g[i]) {
            S(ecmult_table_get_ge_storage)(&t, S(pre_g), digits_g[i], WINDOW_G);
            S(gej_add_zinv_var)(r, r, &t, &z);
        }
    }
    if (!r->infinity) S(fe_mul)(&r->z, &r->z, &z);
}

/* Whether a signature (r, s) of m under a key holds, by lab_ecmult_plain. */
static int lab_holds_plain(const scalar *r, const scalar *s, const ge *key, const scalar *m) {
    scalar inverse, of_g, of_key;
    unsigned char bytes[32];
    gej key_j, sum;
    fe x;
    if (S(scalar_is_zero)(r) || S(scalar_is_zero)(s)) return 0;
    S(scalar_inverse_var)(&inverse, s);
    S(scalar_mul)(&of_g, &inverse, m);
    S(scalar_mul)(&of_key, &inverse, r);
    S(gej_set_ge)(&key_j, key);
    lab_ecmult_plain(&sum, &key_j, &of_key, &of_g);
    if (S(gej_is_infinity)(&sum)) return 0;
    S(scalar_get_b32)(bytes, r);
    S(fe_set_b32_mod)(&x, bytes);
    if (S(gej_eq_x_var)(&x, &sum)) return 1;
    /* x may be r plus the order, where that is below p. */
    if (S(fe_cmp_var)(&x, &S(ecdsa_const_p_minus_order)) >= 0) return 0;
    S(fe_add)(&x, &S(ecdsa_const_order_as_fe));
    return S(gej_eq_x_var)(&x, &sum);
}

/* The verdict on a row of digest, signature and compressed key, as the C API gives it. */
int lab_verify(const unsigned char *row, int endomorphism) {
    scalar r, s, m;
    ge key;
    int over_r, over_s;
    S(scalar_set_b32)(&m, row, NULL);
    S(scalar_set_b32)(&r, row + 32, &over_r);
    S(scalar_set_b32)(&s, row + 64, &over_s);
    return !over_r && !over_s && !S(scalar_is_high)(&s) && S(eckey_pubkey_parse)(&key, row + 96, 33) &&
        (endomorphism ? S(ecdsa_sig_verify)(&r, &s, &key, &m) : lab_holds_plain(&r, &s, &key, &m));
}
