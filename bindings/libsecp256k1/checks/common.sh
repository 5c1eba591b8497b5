# Read by the checks beside it: where things are, and how the original is fetched and built. Needs cc, pip, the network.

set -euo pipefail
crate=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
repository=$(cd "$crate/../.." && pwd)
target=$(realpath -m "${CARGO_TARGET_DIR:-$repository/target}")
work=$target/libsecp256k1
source=$work/electrum_ecc-0.0.8/libsecp256k1
modules=(-DENABLE_MODULE_ECDH=1 -DENABLE_MODULE_RECOVERY=1 -DENABLE_MODULE_EXTRAKEYS=1 -DENABLE_MODULE_SCHNORRSIG=1
    -DENABLE_MODULE_ELLSWIFT=1 -DENABLE_MODULE_MUSIG=1 -DENABLE_MODULE_SILENTPAYMENTS=1)
# The original's own defaults.
[ "$(uname -m)" != x86_64 ] || modules+=(-DUSE_ASM_X86_64=1)
sizes=(-DECMULT_WINDOW_SIZE=15 -DCOMB_BLOCKS=43 -DCOMB_TEETH=6)

fail() { printf '%s: %s\n' "$(basename "$0")" "$1" >&2; exit 1; }
# 77 is the status of a check that could check nothing.
skip() { printf 'SKIPPED: %s: %s\n' "$(basename "$0")" "$1"; exit 77; }

# The original, untouched, in the source distribution of a package on PyPI, which is checked by its digest.
fetch_original() {
    local archive=$work/electrum_ecc-0.0.8.tar.gz
    [ -d "$source" ] && return
    mkdir -p "$work"
    ELECTRUM_ECC_DONT_COMPILE=1 timeout 300 python3 -m pip download --quiet --no-binary :all: --no-deps --dest "$work" \
        electrum-ecc==0.0.8 || skip 'the original cannot be fetched from PyPI'
    echo "94869a77de28ee79b7f7e974af5c20b392b949905880a8b26504e28202644106  $archive" | sha256sum --check --quiet
    tar -xzf "$archive" -C "$work"
}

# Compiles a copy of the original's source as a shared library.
compile_original() { # SOURCE FOLDER
    mkdir -p "$2"
    cc -shared -fPIC -O2 -fvisibility=hidden "${modules[@]}" "${sizes[@]}" -Wl,-soname,libsecp256k1.so.7 \
        -o "$2/libsecp256k1.so.7" "$1/src/secp256k1.c" "$1/src/precomputed_ecmult.c" "$1/src/precomputed_ecmult_gen.c"
    ln -sf libsecp256k1.so.7 "$2/libsecp256k1.so"
}

build_original() {
    fetch_original
    [ -e "$work/original/libsecp256k1.so.7" ] || compile_original "$source" "$work/original"
}

# Puts our library into a folder, under the name by which programs look for it. Without a path, builds it.
place_ours() { # [LIBRARY]
    local library=${1:-}
    if [ -z "$library" ]; then
        cargo build --release --locked --manifest-path "$crate/Cargo.toml" --lib
        library=$target/release/libsecp256k1.so
    fi
    mkdir -p "$work/ours"
    cp "$library" "$work/ours/libsecp256k1.so.7"
    ln -sf libsecp256k1.so.7 "$work/ours/libsecp256k1.so"
    # Grep reads to the end: what writes to a reader that has gone fails, and the pipe with it.
    readelf -d "$work/ours/libsecp256k1.so.7" | grep -F 'soname: [libsecp256k1.so.7]' >/dev/null || fail 'the soname is another'
}
