//! `phalanx info`: the CPU and the backends.

use std::collections::BTreeMap;

use clap::Args;
use phalanx::Backend;

use super::backend::{ComputeArgs, refusal};
use crate::exit::{ALL_VALID, RunError};
use crate::process::standard;

/// Prints what matters for speed on this machine. If the environment asks for a backend that is not there, the error
/// says why it is not.
pub(super) fn info(args: &InfoArgs) -> Result<u8, RunError> {
    let compute = ComputeArgs::default();
    let machine = MachineReport {
        cpu: cpu_name(),
        features: cpu_features(),
        threads: compute.threads(),
        backends: Backend::available(),
        chosen: compute.bulk()?.backend(),
        refused: Backend::refused(),
    };
    standard::explain(&if args.json { machine.json() } else { machine.text() })?;
    Ok(ALL_VALID)
}

/// What matters for speed.
struct MachineReport<'a> {
    cpu: Option<String>,
    features: Vec<&'static str>,
    threads: usize,
    backends: &'a [Backend],
    /// The one to compute by.
    chosen: Backend,
    /// Those that could run here and that have not proved themselves, with the reason.
    refused: &'a [(Backend, &'a str)],
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

impl MachineReport<'_> {
    fn names(&self) -> Vec<&'static str> {
        self.backends.iter().map(|backend| backend.name()).collect()
    }

    fn json(&self) -> String {
        let json = serde_json::json!({
            "version": VERSION,
            "cpu": self.cpu,
            "features": self.features,
            "threads": self.threads,
            "backends": self.names(),
            "backend": self.chosen.name(),
            "refused": self.refused.iter().map(|(backend, wrong)| (backend.name(), *wrong)).collect::<BTreeMap<_, _>>(),
        });
        format!("{json}\n")
    }

    fn text(&self) -> String {
        let line = |(backend, wrong): &(Backend, &str)| format!("refused   {backend}: {}\n", refusal(wrong));
        let refused: String = self.refused.iter().map(line).collect();
        format!(
            "version   {VERSION}\ncpu       {}\nfeatures  {}\nthreads   {}\nbackends  {}\nbackend   {}\n{refused}",
            self.cpu.as_deref().unwrap_or("unknown"),
            self.features.join(" "),
            self.threads,
            self.names().join(" "),
            self.chosen.name(),
        )
    }
}

/// The processor's name where the system tells it in a file.
pub(super) fn cpu_name() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The instruction sets that Phalanx can make use of, of those that this CPU has.
#[cfg(target_arch = "x86_64")]
pub(super) fn cpu_features() -> Vec<&'static str> {
    let mut features = Vec::new();
    macro_rules! note {
        ($($name:tt)*) => { $(if std::arch::is_x86_feature_detected!($name) { features.push($name); })* };
    }
    note!("bmi2" "adx" "sha" "avx2" "fma");
    note!("avx512f" "avx512dq" "avx512bw" "avx512vl" "avx512ifma" "avx512vbmi");
    features
}

/// The same on another architecture.
#[cfg(target_arch = "aarch64")]
pub(super) fn cpu_features() -> Vec<&'static str> {
    let has = [
        ("neon", std::arch::is_aarch64_feature_detected!("neon")),
        ("sha2", std::arch::is_aarch64_feature_detected!("sha2")),
    ];
    has.into_iter().filter_map(|(name, there)| there.then_some(name)).collect()
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) fn cpu_features() -> Vec<&'static str> {
    Vec::new()
}

/// Show the CPU and the backends, and why a backend that this CPU could run is not there.
#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_backend_is_told_with_the_reason() {
        let machine = MachineReport {
            cpu: None,
            features: vec!["avx2", "fma"],
            threads: 3,
            backends: &[Backend::Portable],
            chosen: Backend::Portable,
            refused: &[(Backend::Fma, "public keys"), (Backend::Ifma, "a panic")],
        };
        let text = machine.text();
        assert!(
            text.contains("backends  portable\nbackend   portable\nrefused   fma: this CPU has its instructions"),
            "{text}"
        );
        assert!(text.ends_with("the backend has not proved itself: a panic\n"), "{text}");
        let json: serde_json::Value = serde_json::from_str(&machine.json()).unwrap();
        assert_eq!(json["refused"], serde_json::json!({ "fma": "public keys", "ifma": "a panic" }));
        assert_eq!((&json["backend"], &json["threads"]), (&serde_json::json!("portable"), &serde_json::json!(3)));
    }
}
