//! The images that there are.

/// An image: what it is made of, and where it goes.
#[derive(Clone, Copy)]
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    /// The package that is compiled.
    pub(crate) package: &'static str,
    /// Where Go's side of the interface is.
    pub(crate) folder: &'static str,
    /// The entries, in the order in which they stand at the beginning of the image, with the function of Go's side that
    /// calls each, in whose frame it runs.
    pub(crate) entries: [(&'static str, &'static str); 2],
    /// What it is made of, beside [`SHARED_SOURCES`], the link step and the functions that call it.
    pub(crate) sources: &'static [&'static str],
}

/// What every image is made of.
pub(crate) const SHARED_SOURCES: &[&str] = &[
    "crates/engine",
    "bindings/ffi/src",
    "bindings/ffi/Cargo.toml",
    "bindings/go-image/src",
    "bindings/go-image/Cargo.toml",
    "Cargo.lock",
    "Cargo.toml",
];

impl Subject {
    pub(crate) const ALL: [Subject; 2] = [
        Subject {
            name: "signatures",
            package: "phalanx-go-image",
            folder: "bindings/go/internal/image",
            entries: [("phalanx_go_single", "single"), ("phalanx_go_rows", "rows")],
            sources: &[
                "crates/phalanx",
                "crates/ethereum/src",
                "crates/ethereum/Cargo.toml",
                "crates/musig/src",
                "crates/musig/Cargo.toml",
            ],
        },
        Subject {
            name: "commitments",
            package: "phalanx-go-commitments",
            folder: "bindings/go/internal/commitments",
            entries: [("phalanx_go_element", "element"), ("phalanx_go_commitments", "commitments")],
            sources: &[
                "verkle/rust/src",
                "verkle/rust/Cargo.toml",
                "verkle/go-image/src",
                "verkle/go-image/Cargo.toml",
            ],
        },
    ];
}
