//! Compares this library with the original, function by function: answers, every byte of the memory that arguments
//! point into, and what callbacks were called with.
//!
//! `differential OURS ORIGINAL CALLS` loads both files side by side: so many calls of each function, and as many
//! sequences of functions over a few structures. The ratio is the original's time over ours, of the medians of successful
//! calls, with what callbacks of this program take. With a fourth argument it calls the functions with that in their
//! names alone. `PHALANX_SEED` repeats a run. `--faulty` before them says that the first one is the original with a
//! planted fault, and so takes what is no point.

mod aborts;
mod arena;
mod callbacks;
mod compare;
mod contexts;
mod functions;
mod kinds;
mod library;
mod musig;
mod musig_draws;
mod parameters;
mod payment;
mod payment_draws;
mod pool;
mod random;
mod scenario;
mod sequences;
mod values;

use library::Library;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--abort", path, case] => aborts::run(&Library::open(path), case),
        ["--faulty", faulty, original, calls] => run([original, faulty], calls, false, None),
        [ours, original, calls] => run([original, ours], calls, true, None),
        [ours, original, calls, part] => run([original, ours], calls, true, Some(part)),
        _ => panic!("usage: differential [--faulty] OURS ORIGINAL CALLS [PART-OF-NAME]"),
    }
}

fn run(paths: [&str; 2], calls: &str, refuses: bool, part: Option<&str>) {
    let calls = calls.parse().expect("CALLS is a number");
    let seed = phalanx_tiers::seed();
    println!("PHALANX_SEED={seed}");
    let [original, ours] = paths.map(Library::open);
    let libraries = [&original, &ours];
    let contexts = contexts::Contexts::new(libraries);
    let comparison = compare::Comparison { libraries, contexts: &contexts, seed, refuses };
    println!("{:>9} {:>9} {:>9} {:>9} {:>9} {:>6}", "compared", "answer>0", "reports", "overlaps", "outside", "ratio");
    let mut names = vec!["secp256k1_context_static"];
    for function in functions::FUNCTIONS.iter().filter(|function| part.is_none_or(|part| function.name.contains(part)))
    {
        let counts = comparison.run(function, calls);
        assert!(counts.successes * 20 > counts.compared, "{}: hardly ever succeeded", function.name);
        println!(
            "{:9} {:9} {:9} {:9} {:9} {:5.2}x {}",
            counts.compared,
            counts.successes,
            counts.reports,
            counts.overlapping,
            counts.out_of_contract,
            counts.ratio(),
            function.name
        );
        names.push(function.name);
    }
    if part.is_some() {
        return println!("{} functions, {calls} calls of each: no difference", names.len() - 1);
    }
    let sequences = sequences::run(&comparison, calls);
    println!(
        "{:9} {:9} {:9} {:>9} {:9} calls of random sequences",
        sequences.steps, sequences.successes, sequences.reports, "", sequences.refused
    );
    // What the page says of coordinates that are no point.
    let writers: Vec<_> = sequences.writers.iter().copied().collect();
    assert!(calls < 1000 || writers == ["secp256k1_ec_pubkey_combine"], "{writers:?} write what is no point");
    for (name, calls) in contexts::run(libraries, seed, calls) {
        println!("{calls:9} {:39} {name}", "");
        names.push(name);
    }
    let aborts = aborts::compare(paths);
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 90, "82 functions and 8 data symbols");
    println!("90 symbols, {calls} calls of each function, {aborts} ways to end the program: no difference");
}
