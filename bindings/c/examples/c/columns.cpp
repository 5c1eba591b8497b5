/* Measures what a node asks for: many signatures in columns, one byte of answer each. Makes a pool of ECDSA and BIP-340
 * signatures, repeats it up to the rows of a call, sees that good rows pass and a spoilt one does not, and prints the
 * best rate of some calls.
 *
 *     columns [ROWS [CALLS [POOL]]] */
#include "common.h"
#include <phalanx_columns.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <vector>

namespace {
template <std::size_t Bytes>
using column_of = std::vector<std::array<std::uint8_t, Bytes>>;

/* Signatures under keys of the two kinds. */
struct columns {
    column_of<32> digests, x_only;
    column_of<33> compressed;
    column_of<64> ecdsa, schnorr;
};

columns make(phalanx_bulk *bulk, std::size_t rows) {
    columns made{column_of<32>(rows), column_of<32>(rows), column_of<33>(rows), column_of<64>(rows),
                 column_of<64>(rows)};
    column_of<32> secrets(rows);
    std::vector<std::uint8_t> verdicts(rows);
    for (std::size_t i = 0; i < rows; i++)
        for (std::size_t byte = 0; byte < 8; byte++) {
            secrets[i][24 + byte] = static_cast<std::uint8_t>((i + 1) >> (56 - 8 * byte));
            made.digests[i][byte] = static_cast<std::uint8_t>(i >> (8 * byte));
        }
    const std::array<std::uint8_t, 32> zeros{};
    const phalanx_column digests = column(made.digests.data(), 32, 32), keys = column(secrets.data(), 32, 32),
                         randomness = column(zeros.data(), 0, 32);
    const phalanx_output points = output(made.compressed.data(), 33, 33), ecdsa = output(made.ecdsa.data(), 64, 64),
                         schnorr = output(made.schnorr.data(), 64, 64);
    check(phalanx_public_keys(bulk, &keys, &points, verdicts.data(), rows, nullptr), "public keys");
    check(phalanx_sign_ecdsa(bulk, &digests, &keys, &ecdsa, nullptr, verdicts.data(), rows, nullptr), "ECDSA");
    check(phalanx_sign_schnorr(bulk, &digests, &keys, &randomness, &schnorr, verdicts.data(), rows, nullptr),
          "BIP-340");
    for (std::size_t i = 0; i < rows; i++) {
        std::copy_n(made.compressed[i].begin() + 1, 32, made.x_only[i].begin());
        /* What libsecp256k1 holds: r, then s, least significant byte first. */
        std::reverse(made.ecdsa[i].begin(), made.ecdsa[i].begin() + 32);
        std::reverse(made.ecdsa[i].begin() + 32, made.ecdsa[i].end());
    }
    return made;
}

template <std::size_t Bytes>
void repeat(column_of<Bytes> &values, std::size_t rows) {
    const std::size_t pool = values.size();
    values.resize(rows);
    for (std::size_t i = pool; i < rows; i++) values[i] = values[i % pool];
}

/* Prints the best rate of some calls, after one that is not timed. Returns whether every answer was right. */
template <class Call>
bool measure(const char *name, column_of<64> &signatures, std::size_t calls, const Call &call) {
    std::vector<std::uint8_t> results(signatures.size());
    const auto valid = [&] { return static_cast<std::size_t>(std::count(results.begin(), results.end(), 1)); };
    const std::size_t spoilt = signatures.size() / 2;
    signatures[spoilt][40] ^= 1;
    check(call(results), name);
    signatures[spoilt][40] ^= 1;
    if (results[spoilt] != 0 || valid() != signatures.size() - 1) return false;
    double best = 0;
    for (std::size_t i = 0; i < calls; i++) {
        const auto start = std::chrono::steady_clock::now();
        check(call(results), name);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        if (valid() != signatures.size()) return false;
        best = std::max(best, static_cast<double>(signatures.size()) / seconds.count());
    }
    std::printf("%-8s %8.3f million rows a second, the best of %zu calls\n", name, best / 1e6, calls);
    return true;
}
} // namespace

int main(int argc, char **argv) {
    const auto argument = [&](int i, std::size_t otherwise) {
        return argc > i ? static_cast<std::size_t>(std::strtoull(argv[i], nullptr, 10)) : otherwise;
    };
    const std::size_t rows = argument(1, 1000000), calls = argument(2, 5), pool = std::min(argument(3, 50000), rows);
    if (calls == 0 || pool == 0) {
        std::fprintf(stderr, "usage: %s [ROWS [CALLS [POOL]]]\n", argv[0]);
        return 2;
    }
    const phalanx::verifier verifier;
    check(verifier.status(), "a handle");
    columns made = make(verifier.handle(), pool);
    repeat(made.digests, rows);
    repeat(made.x_only, rows);
    repeat(made.compressed, rows);
    repeat(made.ecdsa, rows);
    repeat(made.schnorr, rows);
    std::printf("%zu rows, %zu of them different, on %zu threads by %s\n", rows, pool,
                phalanx_bulk_threads(verifier.handle()), phalanx_bulk_backend(verifier.handle()));
    /* A node sets it when it stops. */
    const std::atomic<bool> cancel{false};
    const bool right = measure("ECDSA", made.ecdsa, calls, [&](std::span<std::uint8_t> results) {
        return verifier.ecdsa(made.digests, made.compressed, made.ecdsa, results, cancel);
    }) && measure("BIP-340", made.schnorr, calls, [&](std::span<std::uint8_t> results) {
        return verifier.schnorr(made.digests, made.x_only, made.schnorr, results, cancel);
    });
    if (!right) std::fprintf(stderr, "a wrong answer\n");
    return right ? 0 : 1;
}
