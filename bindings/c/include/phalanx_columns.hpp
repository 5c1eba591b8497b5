/* Columns of signatures as a Bitcoin node holds them, verified over phalanx.h: C++20, nothing but this header.
 *
 * A column is a span of arrays of bytes, or one field of a span of structures. ECDSA signatures are in the opaque form
 * of libsecp256k1 (secp256k1_ecdsa_signature), points in their encodings or in its opaque form as well. Each row gets
 * one byte: 1 if its signature is valid, and 0 if it is not. A flag that another thread sets cancels the call.
 */
#ifndef PHALANX_COLUMNS_HPP
#define PHALANX_COLUMNS_HPP

#include <phalanx.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <ranges>
#include <span>
#include <type_traits>

namespace phalanx {

/* Bytes and nothing else: std::array<std::uint8_t, 33>, secp256k1_ecdsa_signature. */
template <class Value>
concept bytes = std::is_trivially_copyable_v<Value> && alignof(Value) == 1 && !std::is_empty_v<Value>;

/* Values of one kind, one a row, in the memory of the program. */
class byte_column {
  public:
    /* The elements of a span, a vector or an array. */
    template <std::ranges::contiguous_range Values>
        requires std::ranges::borrowed_range<Values> && bytes<std::ranges::range_value_t<Values>>
    byte_column(Values &&values) noexcept
        : byte_column(reinterpret_cast<const std::uint8_t *>(std::ranges::data(values)),
                      sizeof(std::ranges::range_value_t<Values>), sizeof(std::ranges::range_value_t<Values>),
                      std::ranges::size(values)) {}

    /* A field of structures, as in byte_column(rows, &row::digest). */
    template <std::ranges::contiguous_range Rows, bytes Field>
        requires std::ranges::borrowed_range<Rows> && std::is_standard_layout_v<std::ranges::range_value_t<Rows>>
    byte_column(Rows &&rows, Field std::ranges::range_value_t<Rows>::*field) noexcept
        : byte_column(nullptr, sizeof(std::ranges::range_value_t<Rows>), sizeof(Field), std::ranges::size(rows)) {
        if (rows_ > 0)
            column_.data = reinterpret_cast<const std::uint8_t *>(std::addressof(std::ranges::data(rows)->*field));
    }

    /* `width` bytes from `data + i * stride` on for row i. */
    byte_column(const std::uint8_t *data, std::size_t stride, std::size_t width, std::size_t rows) noexcept
        : column_{data, stride, width}, rows_(rows) {}

    [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
    [[nodiscard]] std::size_t width() const noexcept { return column_.width; }

  private:
    friend class verifier;

    [[nodiscard]] const std::uint8_t *row(std::size_t row) const noexcept {
        return rows_ == 0 ? column_.data : column_.data + row * column_.stride;
    }

    /* The rows from one on, as phalanx.h takes them. */
    [[nodiscard]] phalanx_column from(std::size_t first) const noexcept {
        return {row(first), column_.stride, column_.width};
    }

    phalanx_column column_;
    std::size_t rows_;
};

/* A backend and threads. Make one and keep it; threads may share it. */
class verifier {
  public:
    /* By all cores and the best backend, unless options say otherwise. `status` tells whether it is good. */
    explicit verifier(const phalanx_options &options = {}) noexcept {
        phalanx_bulk *bulk = nullptr;
        status_ = phalanx_bulk_new(&options, &bulk);
        bulk_.reset(bulk);
        /* Enough for the threads, and few enough that a cancelled call ends soon. */
        piece_ = std::max<std::size_t>(4096, 512 * phalanx_bulk_threads(bulk));
    }

    /* PHALANX_OK, or why there is no handle: then every call returns this. */
    [[nodiscard]] std::int32_t status() const noexcept { return status_; }

    /* The handle, for other functions of phalanx.h. It lives as long as this object. */
    [[nodiscard]] phalanx_bulk *handle() const noexcept { return bulk_.get(); }

    /* Rows that are verified between two looks at the flag of a call. */
    [[nodiscard]] std::size_t rows_per_look() const noexcept { return piece_; }

    /* Verifies ECDSA signatures. `digests` have 32 bytes, `points` 33, 65 or 64 (secp256k1_pubkey), `signatures` 64
     * (secp256k1_ecdsa_signature). s may be in either half, as in Bitcoin's consensus: a program on libsecp256k1 calls
     * secp256k1_ecdsa_signature_normalize before secp256k1_ecdsa_verify.
     *
     * Writes 1 to the result of a row whose signature is valid, and 0 to all others. Results of 1 hold whatever is
     * returned. If it is not PHALANX_OK, a 0 says nothing: PHALANX_CANCELLED where the flag was seen set before all
     * rows were done, PHALANX_BAD_COLUMN where a width is another or the columns differ in length, and else what
     * phalanx_verify_ecdsa and `status` say. No exception is thrown. Takes some 130 bytes of memory for each of
     * `rows_per_look` rows; PHALANX_WORKSPACE_TOO_SMALL where there is none. Results may lie in no column. */
    [[nodiscard]] std::int32_t ecdsa(const byte_column &digests, const byte_column &points,
                                     const byte_column &signatures, std::span<std::uint8_t> results,
                                     const std::atomic<bool> &cancel) const noexcept {
        const auto verify = [this](const phalanx_column &digest, const phalanx_column &signature,
                                   const phalanx_column &point, std::uint8_t *out, std::size_t rows) {
            return phalanx_verify_ecdsa(bulk_.get(), &digest, &signature, &point, PHALANX_ALLOW_HIGH_S, out, rows,
                                        nullptr);
        };
        return in_pieces(digests, points, signatures, true, 65, results, cancel, verify);
    }

    /* Verifies signatures of BIP-340, as `ecdsa` does. `points` have 32 bytes or 64 (secp256k1_xonly_pubkey, of which
     * the first coordinate is read), and signatures their one form. From 256 rows on they are verified by one sum with
     * random factors, phalanx_batch_schnorr: a wrong one passes with probability below 2^-124. */
    [[nodiscard]] std::int32_t schnorr(const byte_column &digests, const byte_column &points,
                                       const byte_column &signatures, std::span<std::uint8_t> results,
                                       const std::atomic<bool> &cancel) const noexcept {
        const auto verify = [this](const phalanx_column &digest, const phalanx_column &signature,
                                   const phalanx_column &point, std::uint8_t *out, std::size_t rows) {
            return rows < 256 ? phalanx_verify_schnorr(bulk_.get(), &digest, &signature, &point, out, rows, nullptr)
                              : phalanx_batch_schnorr(bulk_.get(), &digest, &signature, &point, nullptr, out, rows,
                                                      nullptr);
        };
        return in_pieces(digests, points, signatures, false, 32, results, cancel, verify);
    }

  private:
    static_assert(std::endian::native == std::endian::little,
                  "opaque forms are read as libsecp256k1 writes them on little-endian machines");

    struct free_bulk {
        void operator()(phalanx_bulk *bulk) const noexcept { phalanx_bulk_free(bulk); }
    };

    /* Rows in memory of this call, in the encoding that phalanx.h takes. */
    struct encoded {
        std::unique_ptr<std::uint8_t[]> memory;
        std::size_t width = 0;

        /* Whether the memory is there. */
        bool make(std::size_t bytes_of_row, std::size_t rows) noexcept {
            width = bytes_of_row;
            memory.reset(new (std::nothrow) std::uint8_t[width * rows]);
            return memory != nullptr;
        }

        [[nodiscard]] std::uint8_t *row(std::size_t row) const noexcept { return memory.get() + row * width; }
        [[nodiscard]] phalanx_column column() const noexcept { return {memory.get(), width, width}; }
    };

    /* Writes a number of 32 bytes the other way round. */
    static void reverse(const std::uint8_t *from, std::uint8_t *to) noexcept {
        for (std::size_t limb = 0; limb < 4; limb++) {
            std::uint64_t word = 0;
            std::memcpy(&word, from + 8 * limb, 8);
            word = (word & 0x00ff00ff00ff00ff) << 8 | (word >> 8 & 0x00ff00ff00ff00ff);
            word = (word & 0x0000ffff0000ffff) << 16 | (word >> 16 & 0x0000ffff0000ffff);
            word = word << 32 | word >> 32;
            std::memcpy(to + 24 - 8 * limb, &word, 8);
        }
    }

    /* Calls `verify` with piece after piece. `opaque_signatures` are turned round, and points of 64 bytes are written
     * as `encoding` bytes: 65, or 32 for the first coordinate. */
    template <class Verify>
    std::int32_t in_pieces(const byte_column &digests, const byte_column &points, const byte_column &signatures,
                           bool opaque_signatures, std::size_t encoding, std::span<std::uint8_t> results,
                           const std::atomic<bool> &cancel, const Verify &verify) const noexcept {
        std::fill(results.begin(), results.end(), std::uint8_t{0});
        if (status_ != PHALANX_OK) return status_;
        const std::size_t rows = results.size();
        if (digests.rows() != rows || points.rows() != rows || signatures.rows() != rows || digests.width() != 32 ||
            signatures.width() != 64)
            return PHALANX_BAD_COLUMN;
        encoded turned, unpacked;
        const std::size_t most = std::min(piece_, rows);
        if (opaque_signatures && !turned.make(64, most)) return PHALANX_WORKSPACE_TOO_SMALL;
        const bool opaque_points = points.width() == 64;
        if (opaque_points && !unpacked.make(encoding, most)) return PHALANX_WORKSPACE_TOO_SMALL;
        for (std::size_t first = 0; first < rows; first += most) {
            if (cancel.load(std::memory_order_relaxed)) return PHALANX_CANCELLED;
            const std::size_t count = std::min(most, rows - first);
            for (std::size_t i = 0; opaque_signatures && i < count; i++) {
                reverse(signatures.row(first + i), turned.row(i));
                reverse(signatures.row(first + i) + 32, turned.row(i) + 32);
            }
            for (std::size_t i = 0; opaque_points && i < count; i++) {
                std::uint8_t *point = unpacked.row(i);
                if (encoding == 65) {
                    *point++ = 4;
                    reverse(points.row(first + i) + 32, point + 32);
                }
                reverse(points.row(first + i), point);
            }
            const std::span<std::uint8_t> out = results.subspan(first, count);
            const std::int32_t status =
                verify(digests.from(first), opaque_signatures ? turned.column() : signatures.from(first),
                       opaque_points ? unpacked.column() : points.from(first), out.data(), count);
            /* A call that fails may have written nothing, and a zero is a good verdict. */
            for (std::uint8_t &result : out) result = status == PHALANX_OK && result == PHALANX_VALID ? 1 : 0;
            if (status != PHALANX_OK) return status;
        }
        return PHALANX_OK;
    }

    std::unique_ptr<phalanx_bulk, free_bulk> bulk_;
    std::int32_t status_ = PHALANX_INTERNAL_ERROR;
    std::size_t piece_ = 0;
};

} // namespace phalanx

#endif
