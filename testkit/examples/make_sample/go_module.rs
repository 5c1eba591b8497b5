//! Files of a Go module, fetched by the `go` command at a pinned version and checksum.

use crate::Fallible;
use std::path::PathBuf;
use std::process::Command;

/// A module at one version.
pub(crate) struct GoModule {
    /// Path, `@`, version.
    name: &'static str,
    /// The `h1:` checksum of its contents, as `go.sum` would state it.
    sum: &'static str,
}

/// Bitcoin block 277647 with the outputs it spends, and a transaction with 5,569 inputs.
pub(crate) const BTCD: GoModule =
    GoModule { name: "github.com/btcsuite/btcd@v0.25.0", sum: "h1:JPbjwvHGpSywBRuorFFqTjaVP4y6Qw69XJ1nQ6MyWJM=" };

/// Two Ethereum mainnet blocks, as beacon blocks that carry their execution payload.
pub(crate) const GO_ETHEREUM: GoModule = GoModule {
    name: "github.com/ethereum/go-ethereum@v1.17.10",
    sum: "h1:b3WO+xux3pItpm13kqT5Xddv01zOxBFZxQgk/Ate4/M=",
};

/// Messages of a Nostr relay.
pub(crate) const GO_NOSTR: GoModule =
    GoModule { name: "github.com/nbd-wtf/go-nostr@v0.52.3", sum: "h1:Xd87pXfJEJRXHpM+fLjQQln8dBNNaoPA10V7BbyP4KI=" };

impl GoModule {
    /// Downloads the module unless it is in the module cache, and returns its folder.
    ///
    /// # Errors
    /// When `go` cannot be run, the module cannot be had, or its checksum is not the pinned one.
    pub(crate) fn locate(&self) -> Fallible<PathBuf> {
        let output = Command::new("go")
            .args(["mod", "download", "-json", self.name])
            // Outside any module, so that no go.mod is read or changed.
            .current_dir(std::env::temp_dir())
            .output()
            .map_err(|error| format!("the `go` command is needed to fetch {}: {error}", self.name))?;
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout)
            .map_err(|_| format!("go mod download {}: {}", self.name, String::from_utf8_lossy(&output.stderr)))?;
        if let Some(error) = answer["Error"].as_str() {
            return Err(format!("go mod download {}: {error}", self.name).into());
        }
        let sum = answer["Sum"].as_str().unwrap_or_default();
        if sum != self.sum {
            return Err(format!("{} has checksum {sum}, expected {}", self.name, self.sum).into());
        }
        Ok(PathBuf::from(answer["Dir"].as_str().ok_or("go mod download named no folder")?))
    }
}
