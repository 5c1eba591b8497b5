//! `phalanx info`: the CPU, the backends, the tables.

use std::collections::BTreeMap;

use phalanx::Backend;

use super::backend::{bulk, threads};
use crate::args::InfoArgs;
use crate::exit::{ALL_VALID, RunError};
use crate::process::standard;

/// Prints what matters for speed on this machine.
pub(super) fn info(args: &InfoArgs) -> Result<u8, RunError> {
    let chosen = bulk(None)?.backend();
    let backends: Vec<&str> = Backend::available().iter().map(|backend| backend.name()).collect();
    let refused = Backend::refused();
    let threads = threads(None);
    let features = cpu_features();
    let version = env!("CARGO_PKG_VERSION");
    let cpu = cpu_name();
    let text = if args.json {
        let json = serde_json::json!({
            "version": version,
            "cpu": cpu,
            "features": features,
            "threads": threads,
            "backends": backends,
            "backend": chosen.name(),
            "refused": refused.iter().map(|(backend, wrong)| (backend.name(), *wrong)).collect::<BTreeMap<_, _>>(),
        });
        format!("{json}\n")
    } else {
        let refused: String = refused
            .iter()
            .map(|(backend, wrong)| {
                format!("refused   {backend}: this CPU has its instructions, but its self-test gave wrong {wrong}\n")
            })
            .collect();
        format!(
            "version   {version}\ncpu       {}\nfeatures  {}\nthreads   {threads}\nbackends  {}\nbackend   {chosen}\n{refused}",
            cpu.as_deref().unwrap_or("unknown"),
            features.join(" "),
            backends.join(" "),
            chosen = chosen.name(),
        )
    };
    standard::explain(&text)?;
    Ok(ALL_VALID)
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
    note!("bmi2" "adx" "sha" "avx2" "fma" "avxifma");
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
