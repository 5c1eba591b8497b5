/* ElligatorSwift and MuSig2 by a file of lines: a call, what it is given, and what it answers. Words are numbers, or bytes
 * in hexadecimal; "-" is NULL, or nothing to compare, and "." is no bytes. Keys and a session stay for the lines behind. */
#include "expect.h"

enum { WORDS = 8, LINE = 1 << 18 };

typedef struct {
    uint8_t *bytes; /* NULL for "-" */
    size_t count;
    int32_t number;
} word;

static char line[LINE];
static uint8_t memory[LINE / 2], answer[80], found[LINE / 128];
static word words[WORDS];
static int number_of_line;
static phalanx_musig_keys *keys_now;
static phalanx_musig_session *session;

static int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

/* Splits the line, and gives the name of its call. */
static const char *read_words(void) {
    uint8_t *end = memory;
    char *name = strtok(line, " \n"), *text;
    size_t count = 0;
    memset(words, 0, sizeof words);
    while ((text = strtok(NULL, " \n")) != NULL) {
        word *next = &words[count++];
        if (count > WORDS) exit(2);
        next->number = atoi(text);
        if (strcmp(text, "-") == 0) continue;
        next->bytes = end;
        if (strcmp(text, ".") == 0) continue;
        for (; text[0] != 0 && text[1] != 0; text += 2) *end++ = (uint8_t)(16 * digit(text[0]) + digit(text[1]));
        next->count = (size_t)(end - next->bytes);
    }
    return name;
}

static void same(const uint8_t *bytes, const word *expected) {
    int line_now = number_of_line;
    if (expected->bytes != NULL) expect_true_at(line_now, memcmp(bytes, expected->bytes, expected->count) == 0);
}
static void gives(int32_t status, int32_t expected) { expect_at(number_of_line, status, expected); }
static phalanx_column values(const word *all, size_t width) { return column(all->bytes, width, width); }

static void keys_line(void) {
    phalanx_column all = values(&words[2], 33);
    phalanx_musig_keys_free(keys_now);
    gives(phalanx_musig_keys_new(&all, &keys_now, answer, found, words[2].count / 33), words[0].number);
    expect_true_at(number_of_line, (keys_now != NULL) == (words[0].number == PHALANX_OK));
    same(found, &words[1]);
    same(answer + (words[3].count == 32), &words[3]); /* the aggregate key, or its x */
}

static void tweak_line(void) {
    phalanx_musig_keys *tweaked;
    gives(phalanx_musig_keys_tweak(keys_now, words[2].bytes, (uint32_t)words[1].number, &tweaked, answer),
          words[0].number);
    phalanx_musig_keys_free(keys_now);
    keys_now = tweaked;
    same(answer, &words[3]);
}

static void nonce_line(void) {
    static const uint8_t zeros[32] = {0};
    phalanx_musig_nonce_inputs inputs;
    phalanx_musig_secret_nonce *nonce;
    memset(&inputs, 0, sizeof inputs);
    inputs.secret_key = words[1].bytes;
    inputs.aggregate_key = words[2].bytes;
    inputs.message = words[3].bytes;
    inputs.message_bytes = words[3].count;
    inputs.extra = words[4].bytes;
    inputs.extra_bytes = words[4].count;
    inputs.randomness = words[5].bytes;
    gives(phalanx_musig_secret_nonce_new(words[0].bytes, &inputs, &nonce, answer), PHALANX_OK);
    same(answer, &words[6]);
    expect_true(memcmp(inputs.randomness, zeros, 32) == 0);
    phalanx_musig_secret_nonce_free(nonce);
    gives(phalanx_musig_secret_nonce_new(words[0].bytes, &inputs, &nonce, answer), PHALANX_USED_NONCE);
    expect_true(nonce == NULL);
}

static void sum_line(void) {
    phalanx_column all = values(&words[2], 66);
    gives(phalanx_musig_aggregate_nonce(&all, answer, found, words[2].count / 66), words[0].number);
    same(found, &words[1]);
    same(answer, &words[3]);
}

static void session_line(void) {
    phalanx_musig_session_free(session);
    gives(phalanx_musig_session_new(keys_now, words[1].bytes, words[2].bytes, words[2].count, &session),
          words[0].number);
    expect_true_at(number_of_line, (session != NULL) == (words[0].number == PHALANX_OK));
}

static void verify_line(void) {
    phalanx_column nonces = values(&words[2], 66), partials = values(&words[3], 32);
    size_t first = (size_t)words[0].number, rows = words[2].count / 66;
    gives(phalanx_musig_partial_verify(session, first, &nonces, &partials, found, rows), PHALANX_OK);
    same(found, &words[1]);
}

static void aggregate_line(void) {
    phalanx_column nonces = values(&words[2], 66), partials = values(&words[3], 32);
    gives(phalanx_musig_aggregate(session, &nonces, &partials, answer, found, words[2].count / 66), words[0].number);
    same(found, &words[1]);
    same(answer, &words[4]);
}

int main(int argc, char **argv) {
    FILE *file;
    if (argc != 3 || (file = fopen(argv[2], "rb")) == NULL) return 2;
    prepare(argv[1]);
    while (fgets(line, sizeof line, file) != NULL) {
        const char *name = read_words();
        number_of_line++;
        memset(answer, 0xa5, sizeof answer);
        if (strcmp(name, "decode") == 0) {
            gives(phalanx_ellswift_decode(words[0].bytes, answer), PHALANX_OK);
            same(answer + (words[1].count == 32), &words[1]);
        } else if (strcmp(name, "encode") == 0) {
            gives(phalanx_ellswift_encode(words[0].bytes, words[1].bytes, answer), PHALANX_OK);
            same(answer, &words[2]);
        } else if (strcmp(name, "create") == 0) {
            gives(phalanx_ellswift_create(words[0].bytes, words[1].bytes, answer), PHALANX_OK);
            same(answer, &words[2]);
        } else if (strcmp(name, "xdh") == 0) {
            gives(phalanx_ellswift_xdh(words[0].bytes, words[1].bytes, words[2].bytes, (uint32_t)words[3].number,
                                       answer),
                  PHALANX_OK);
            same(answer, &words[4]);
        } else if (strcmp(name, "keys") == 0) keys_line();
        else if (strcmp(name, "tweak") == 0) tweak_line();
        else if (strcmp(name, "nonce") == 0) nonce_line();
        else if (strcmp(name, "sum") == 0) sum_line();
        else if (strcmp(name, "session") == 0) session_line();
        else if (strcmp(name, "verify") == 0) verify_line();
        else if (strcmp(name, "aggregate") == 0) aggregate_line();
        else return 2;
    }
    fclose(file);
    phalanx_musig_session_free(session);
    phalanx_musig_keys_free(keys_now);
    return report(argv[1], 100);
}
