/* The inside of libsecp256k1, reached by including its source: loops over its field and group functions, so that a call
 * from outside is not part of what is timed, and its multi-scalar multiplication.
 *
 * In every loop `out` has `n` elements, or `lanes` where steps form chains. Chain l starts from element l of the first
 * operand and takes the second operand from elements l, l + lanes, ... in turn; n is a multiple of lanes. Field elements
 * are kept at magnitude 1, the least work that a multiplication's input allows. */

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

void lab_mul_stream(fe *out, const fe *a, const fe *b, size_t n) {
    for (size_t i = 0; i < n; i++) S(fe_mul)(&out[i], &a[i], &b[i]);
}

void lab_mul_chain(fe *out, const fe *a, const fe *b, size_t n, size_t lanes) {
    for (size_t l = 0; l < lanes; l++) {
        fe x = a[l];
        for (size_t i = l; i < n; i += lanes) S(fe_mul)(&x, &x, &b[i]);
        out[l] = x;
    }
}

void lab_sqr_stream(fe *out, const fe *a, size_t n) {
    for (size_t i = 0; i < n; i++) S(fe_sqr)(&out[i], &a[i]);
}

void lab_sqr_chain(fe *out, const fe *a, size_t n, size_t lanes) {
    for (size_t l = 0; l < lanes; l++) {
        fe x = a[l];
        for (size_t i = l; i < n; i += lanes) S(fe_sqr)(&x, &x);
        out[l] = x;
    }
}

void lab_invert_stream(fe *out, const fe *a, size_t n) {
    for (size_t i = 0; i < n; i++) S(fe_inv_var)(&out[i], &a[i]);
}

/* x becomes 1 / (x + a): the addition keeps the chain from going back and forth between two values. */
void lab_invert_chain(fe *out, const fe *a, size_t n, size_t lanes) {
    for (size_t l = 0; l < lanes; l++) {
        fe x = a[l];
        for (size_t i = l; i < n; i += lanes) {
            S(fe_add)(&x, &a[i]);
            S(fe_inv_var)(&x, &x);
        }
        out[l] = x;
    }
}

void lab_sqrt_stream(fe *out, const fe *a, size_t n) {
    for (size_t i = 0; i < n; i++) S(fe_sqrt)(&out[i], &a[i]);
}

void lab_sqrt_chain(fe *out, const fe *a, size_t n, size_t lanes) {
    for (size_t l = 0; l < lanes; l++) {
        fe x = a[l], y;
        for (size_t i = l; i < n; i += lanes) {
            S(fe_sqrt)(&y, &x);
            x = y;
        }
        out[l] = x;
    }
}

void lab_double_stream(gej *out, const gej *a, size_t n) {
    for (size_t i = 0; i < n; i++) S(gej_double_var)(&out[i], &a[i], NULL);
}

void lab_double_chain(gej *out, const gej *a, size_t n, size_t lanes) {
    for (size_t l = 0; l < lanes; l++) {
        gej x = a[l];
        for (size_t i = l; i < n; i += lanes) S(gej_double_var)(&x, &x, NULL);
        out[l] = x;
    }
}

void lab_add_stream(gej *out, const gej *a, const ge *b, size_t n) {
    for (size_t i = 0; i < n; i++) S(gej_add_ge_var)(&out[i], &a[i], &b[i], NULL);
}

void lab_add_chain(gej *out, const gej *a, const ge *b, size_t n, size_t lanes) {
    for (size_t l = 0; l < lanes; l++) {
        gej x = a[l];
        for (size_t i = l; i < n; i += lanes) S(gej_add_ge_var)(&x, &x, &b[i], NULL);
        out[l] = x;
    }
}

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

/* g times the generator plus s times p by secp256k1_ecmult, the path of a verification. */
void lab_msm_generator(gej *out, const scalar *g, const scalar *s, const ge *p) {
    gej j;
    S(gej_set_ge)(&j, p);
    S(ecmult)(out, &j, s, g);
}
