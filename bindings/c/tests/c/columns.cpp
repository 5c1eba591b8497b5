// Rows with libsecp256k1's answers, as bindings/c/tests/columns.rs writes them, verified in every form of column; calls
// that are cancelled and refused. Arguments: a backend, the file of ECDSA rows, that of BIP-340.
#include <phalanx_columns.hpp>
// Twice, to see that it may be.
#include <phalanx_columns.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace {
using results_t = std::vector<std::uint8_t>;

#pragma pack(push, 1)
struct ecdsa_row {
    std::array<std::uint8_t, 32> digest;
    std::array<std::uint8_t, 33> point;
    // The structures of libsecp256k1.
    struct {
        unsigned char data[64];
    } key;
    struct {
        unsigned char data[64];
    } signature;
    std::uint8_t valid;
    // What a node keeps beside, of another alignment where it is not packed.
    std::uint16_t group;
};

struct schnorr_row {
    std::array<std::uint8_t, 32> digest;
    std::array<std::uint8_t, 32> point;
    struct {
        unsigned char data[64];
    } key;
    std::array<std::uint8_t, 64> signature;
    std::uint8_t valid;
    std::uint16_t group;
};
#pragma pack(pop)

int checks, failures;

void expect_at(int line, bool holds) {
    checks++;
    if (!holds) {
        std::fprintf(stderr, "line %d: does not hold\n", line);
        failures++;
    }
}
#define expect(holds) expect_at(__LINE__, (holds))

template <class Row>
std::vector<Row> read(const char *path) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    std::vector<Row> rows(bytes.size() / sizeof(Row));
    std::memcpy(rows.data(), bytes.data(), rows.size() * sizeof(Row));
    expect(bytes.size() > 1000 * sizeof(Row) && bytes.size() % sizeof(Row) == 0);
    return rows;
}

template <class Row>
results_t expected(const std::vector<Row> &rows) {
    results_t valid;
    for (const Row &row : rows) valid.push_back(row.valid);
    return valid;
}

// Either call, by the type of the rows.
std::int32_t call(const phalanx::verifier &verifier, const std::vector<ecdsa_row> &,
                  const phalanx::byte_column &digests,
                  const phalanx::byte_column &points, const phalanx::byte_column &signatures, results_t &results,
                  const std::atomic<bool> &cancel) {
    return verifier.ecdsa(digests, points, signatures, results, cancel);
}

std::int32_t call(const phalanx::verifier &verifier, const std::vector<schnorr_row> &,
                  const phalanx::byte_column &digests, const phalanx::byte_column &points,
                  const phalanx::byte_column &signatures, results_t &results, const std::atomic<bool> &cancel) {
    return verifier.schnorr(digests, points, signatures, results, cancel);
}

const std::atomic<bool> never{false};

// Fields of structures and columns of their own, points in both forms, numbers of rows around the least batch.
template <class Row>
void verdicts(const phalanx::verifier &verifier, const std::vector<Row> &rows) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{9}, std::size_t{255}, std::size_t{300},
                                    rows.size()}) {
        const std::vector<Row> some(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count));
        std::vector<decltype(Row::digest)> digests;
        std::vector<decltype(Row::point)> points;
        std::vector<decltype(Row::key)> keys;
        std::vector<decltype(Row::signature)> signatures;
        for (const Row &row : some) {
            digests.push_back(row.digest);
            points.push_back(row.point);
            keys.push_back(row.key);
            signatures.push_back(row.signature);
        }
        for (const bool opaque : {false, true}) {
            results_t results(count, 7);
            const phalanx::byte_column field = opaque ? phalanx::byte_column(some, &Row::key)
                                                      : phalanx::byte_column(some, &Row::point);
            expect(call(verifier, some, phalanx::byte_column(some, &Row::digest), field,
                        phalanx::byte_column(some, &Row::signature), results, never) == PHALANX_OK);
            expect(results == expected(some));
            results.assign(count, 7);
            const phalanx::byte_column own = opaque ? phalanx::byte_column(keys) : phalanx::byte_column(points);
            expect(call(verifier, some, digests, own, std::span(signatures), results, never) == PHALANX_OK);
            expect(results == expected(some));
        }
    }
}

template <class Row>
void cancelled(const phalanx::verifier &verifier, const std::vector<Row> &rows) {
    std::vector<Row> many;
    const std::size_t piece = verifier.rows_per_look();
    while (many.size() < 6 * piece) many.insert(many.end(), rows.begin(), rows.end());
    const auto verify = [&](results_t &results, const std::atomic<bool> &cancel) {
        return call(verifier, many, phalanx::byte_column(many, &Row::digest), phalanx::byte_column(many, &Row::point),
                    phalanx::byte_column(many, &Row::signature), results, cancel);
    };
    std::atomic<bool> cancel{true};
    results_t results(many.size(), 7);
    expect(verify(results, cancel) == PHALANX_CANCELLED);
    expect(results == results_t(many.size(), 0));
    const auto start = std::chrono::steady_clock::now();
    expect(verify(results, never) == PHALANX_OK);
    const auto whole = std::chrono::steady_clock::now() - start;
    const results_t all = expected(many);
    expect(results == all);
    // A third through, unless the machine is busy.
    bool within = false;
    for (int attempt = 0; attempt < 20 && !within; attempt++) {
        cancel = false;
        results.assign(many.size(), 7);
        std::thread other([&] {
            std::this_thread::sleep_for(whole / 3);
            cancel = true;
        });
        const std::int32_t status = verify(results, cancel);
        other.join();
        if (status == PHALANX_OK) continue;
        expect(status == PHALANX_CANCELLED);
        std::size_t done = 0;
        while (done < many.size() && std::equal(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(done),
                                                all.begin()))
            done += piece;
        done -= piece;
        within = done > 0;
        expect(done < many.size());
        results_t left = all;
        std::fill(left.begin() + static_cast<std::ptrdiff_t>(done), left.end(), std::uint8_t{0});
        expect(results == left);
    }
    expect(within);
}

template <class Row>
void refused(const phalanx::verifier &verifier, std::vector<Row> rows) {
    // A good row first: a zero of the library is a good verdict, and must not come out as one.
    while (rows.front().valid == 0) rows.erase(rows.begin());
    rows.resize(20, rows.front());
    const phalanx::byte_column digests(rows, &Row::digest), points(rows, &Row::point),
        signatures(rows, &Row::signature), short_digests(rows[0].digest.data(), sizeof(Row), 31, rows.size()),
        short_points(rows[0].point.data(), sizeof(Row), 30, rows.size()),
        short_signatures(reinterpret_cast<const std::uint8_t *>(&rows[0].signature), sizeof(Row), 63, rows.size()),
        few(rows[0].digest.data(), sizeof(Row), 32, 19), nothing(nullptr, sizeof(Row), 32, rows.size());
    const auto refuses = [&](const phalanx::byte_column &digest, const phalanx::byte_column &point,
                             const phalanx::byte_column &signature, std::int32_t status) {
        results_t results(rows.size(), 1);
        expect(call(verifier, rows, digest, point, signature, results, never) == status);
        expect(results == results_t(rows.size(), 0));
    };
    refuses(short_digests, points, signatures, PHALANX_BAD_COLUMN);
    refuses(digests, short_points, signatures, PHALANX_BAD_COLUMN);
    refuses(digests, points, short_signatures, PHALANX_BAD_COLUMN);
    refuses(few, points, signatures, PHALANX_BAD_COLUMN);
    refuses(nothing, points, signatures, PHALANX_NULL_POINTER);
    results_t results(21, 1);
    expect(call(verifier, rows, digests, points, signatures, results, never) == PHALANX_BAD_COLUMN);
    expect(results == results_t(21, 0));
    // Results in a column: the library writes nothing there.
    std::vector<std::array<std::uint8_t, 32>> own(rows.size());
    const std::span<std::uint8_t> within(own[0].data(), rows.size());
    if constexpr (std::is_same_v<Row, ecdsa_row>)
        expect(verifier.ecdsa(own, points, signatures, within, never) == PHALANX_OVERLAP);
    else
        expect(verifier.schnorr(own, points, signatures, within, never) == PHALANX_OVERLAP);
    expect(std::all_of(within.begin(), within.end(), [](std::uint8_t result) { return result == 0; }));
    phalanx_options options{};
    options.backend = "none";
    const phalanx::verifier none(options);
    expect(none.status() == PHALANX_BACKEND_UNAVAILABLE && none.handle() == nullptr);
    results.assign(rows.size(), 1);
    expect(call(none, rows, digests, points, signatures, results, never) == PHALANX_BACKEND_UNAVAILABLE);
    expect(results == results_t(rows.size(), 0));
}

template <class Row>
void all(const phalanx::verifier &verifier, const char *path) {
    const std::vector<Row> rows = read<Row>(path);
    if (rows.empty()) return;
    verdicts(verifier, rows);
    cancelled(verifier, rows);
    refused(verifier, rows);
}
} // namespace

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    phalanx_options options{};
    options.backend = argv[1];
    options.threads = 1;
    const phalanx::verifier verifier(options);
    expect(verifier.status() == PHALANX_OK);
    all<ecdsa_row>(verifier, argv[2]);
    all<schnorr_row>(verifier, argv[3]);
    std::printf("%s: %d checks, %d failures\n", argv[1], checks, failures);
    return failures == 0 && checks > 100 ? 0 : 1;
}
