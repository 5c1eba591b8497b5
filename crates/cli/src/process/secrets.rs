//! Arguments that could hold a secret. People paste keys where a file is expected; no message repeats them.
//!
//! The rules go by form alone. A wrong digit does not make a key public, so no checksum is looked at.

use std::borrow::Cow;
use std::path::Path;
use std::sync::OnceLock;

use phalanx::hash::sha256;

/// The fewest letters and digits in a row of a key: WIF has 51, a key in hex 64, an extended key 107 and more. Some may
/// be lacking.
const RUN: usize = 40;
/// The fewest hex digits in a row of a seed, which has 32 and more: some may be lacking.
const HEX_RUN: usize = 28;
/// The fewest hex digits with marks between them.
const SPACED_HEX: usize = 56;
/// The fewest characters of a key in Base64.
const BASE64: usize = 43;
/// The fewest words in a row of a seed, of which some may stand between other characters.
const WORDS: usize = 9;
/// The fewest arguments that are words of a seed, one forgotten.
const WORD_ARGUMENTS: usize = 11;
/// The lengths of Casascius' mini keys.
const MINI: [usize; 3] = [22, 26, 30];

/// What of the arguments is not to be repeated.
#[derive(Debug, Default, PartialEq, Eq)]
struct Secrets {
    /// Letters and digits in a row.
    runs: Vec<String>,
    /// Texts of other characters too, which are looked for as they are.
    texts: Vec<String>,
}

static SECRETS: OnceLock<Secrets> = OnceLock::new();

/// A message without what could be a secret among the arguments of this process and the variable that it reads.
pub(crate) fn without_secrets(message: &str) -> Cow<'_, str> {
    let secrets = SECRETS.get_or_init(|| {
        let mut secrets = Secrets::default();
        let arguments = std::env::args_os().skip(1).chain(std::env::var_os("PHALANX_BACKEND"));
        arguments.for_each(|argument| secrets.add(&argument.to_string_lossy()));
        secrets
    });
    secrets.removed_from(message)
}

/// Whether [`WORD_ARGUMENTS`] arguments in a row are words and not names of files, as if a wallet's seed had been typed.
pub(crate) fn seed_words() -> bool {
    let arguments: Vec<String> = std::env::args_os().skip(1).map(|text| text.to_string_lossy().into_owned()).collect();
    arguments
        .windows(WORD_ARGUMENTS)
        .any(|words| words.iter().all(|word| !word.is_empty() && is_word(word) && !Path::new(word).exists()))
}

impl Secrets {
    /// Notes what could be a secret in an argument.
    fn add(&mut self, argument: &str) {
        // The value alone is in messages: it stands behind `=`, or behind the letter of a short option.
        let of_option = match argument.strip_prefix("--") {
            Some(long) => long.split_once('=').map(|(_, value)| value),
            None => argument.strip_prefix('-').and_then(|short| short.get(1..)),
        };
        // That of `--columns` stands behind a name.
        let of_pair = argument.split_once('=').map(|(_, value)| value);
        for text in [Some(argument), of_option, of_pair].into_iter().flatten() {
            let mut found = Secrets::in_text(text);
            let is_empty = found.runs.is_empty() && found.texts.is_empty();
            // A file may have a hash for a name. A key has no ending.
            if is_empty || text.contains(['.', '/']) && Path::new(text).exists() {
                continue;
            }
            self.runs.append(&mut found.runs);
            self.texts.append(&mut found.texts);
        }
        self.runs.sort_unstable();
        self.runs.dedup();
    }

    fn in_text(text: &str) -> Secrets {
        let runs_of = |is_wanted: fn(&str) -> bool| runs(text).map(|(_, run)| run).filter(move |run| is_wanted(run));
        let of_base64 = pieces(text, is_of_base64).filter(|piece| is_base64(piece));
        let of_hex = pieces(text, is_of_spaced_hex).map(|piece| piece.trim_matches(is_mark));
        let of_hex = of_hex.filter(|piece| is_spaced_hex(piece));
        let words = has_words(text).then(|| text.trim());
        let texts = of_base64.chain(of_hex).chain(runs_of(is_mini_key)).chain(words);
        Secrets { runs: runs_of(is_secret).map(str::to_owned).collect(), texts: texts.map(str::to_owned).collect() }
    }

    fn removed_from<'m>(&self, message: &'m str) -> Cow<'m, str> {
        let mut message = Cow::Borrowed(message);
        for text in &self.texts {
            // A message may show it as Rust's source has it.
            for form in [text.clone(), text.escape_debug().to_string()] {
                if message.contains(&form) {
                    message = Cow::Owned(message.replace(&form, &hidden(&form)));
                }
            }
        }
        // Messages may repeat a part of an argument, or put a letter before it.
        let is_known = |run: &str| {
            let mut known = self.runs.iter();
            known.any(|known| run.contains(&known[..]) || is_secret(run) && known.contains(run))
        };
        let found: Vec<(usize, usize)> =
            runs(&message).filter(|(_, run)| is_known(run)).map(|(start, run)| (start, start + run.len())).collect();
        for (start, end) in found.into_iter().rev() {
            let hidden = hidden(&message[start..end]);
            message.to_mut().replace_range(start..end, &hidden);
        }
        message
    }
}

/// What stands in the place of a secret.
fn hidden(secret: &str) -> String {
    format!("({} characters, not repeated: they may be a secret)", secret.chars().count())
}

/// Characters of a class in a row.
fn pieces(text: &str, is_in_class: fn(char) -> bool) -> impl Iterator<Item = &str> {
    text.split(move |character| !is_in_class(character)).filter(|piece| !piece.is_empty())
}

/// Letters and digits in a row, and where they begin.
fn runs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    pieces(text, |character| character.is_ascii_alphanumeric())
        .map(|run| (run.as_ptr() as usize - text.as_ptr() as usize, run))
}

/// Whether a run is long enough for a key and does not begin as an extended public key.
fn is_secret(run: &str) -> bool {
    let is_hex = run.len() >= HEX_RUN && run.bytes().all(|digit| digit.is_ascii_hexdigit());
    (run.len() >= RUN || is_hex) && !is_public(run)
}

fn is_public(text: &str) -> bool {
    matches!(text.get(1..4), Some("pub"))
}

/// What may stand between hex digits.
fn is_mark(character: char) -> bool {
    " :-_,/\\x\t".contains(character)
}

fn is_of_spaced_hex(character: char) -> bool {
    character.is_ascii_hexdigit() || is_mark(character)
}

/// Hex digits with marks or spaces between them. Without a mark they are a run.
fn is_spaced_hex(text: &str) -> bool {
    text.contains(is_mark) && text.bytes().filter(u8::is_ascii_hexdigit).count() >= SPACED_HEX
}

/// Whether words follow each other as in a seed of BIP-39 or SLIP-39, in any language.
fn has_words(text: &str) -> bool {
    let words = text.split(|character: char| character.is_whitespace() || ",-_".contains(character));
    let mut words = words.filter(|word| !word.is_empty());
    let count_on = |count, word| if is_word(word) { count + 1 } else { 0 };
    words.try_fold(0, |count, word| Some(count_on(count, word)).filter(|count| *count < WORDS)).is_none()
}

fn is_word(text: &str) -> bool {
    text.chars().all(|character| character.is_alphabetic() && !character.is_uppercase())
}

/// One of the two alphabets of Base64.
fn is_of_base64(character: char) -> bool {
    character.is_ascii_alphanumeric() || "+/-_=".contains(character)
}

/// Base64 of at least 32 bytes. Without a mark it is a run.
fn is_base64(text: &str) -> bool {
    let has = |of_class: fn(&u8) -> bool| text.bytes().any(|byte| of_class(&byte));
    text.len() >= BASE64
        && !is_public(text)
        // A mark stands for one value in 32. Names have more.
        && text.bytes().filter(|byte| !byte.is_ascii_alphanumeric()).count() <= text.len() / 8
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
}

/// A mini private key, by the hash that all of them have.
fn is_mini_key(text: &str) -> bool {
    text.starts_with('S') && MINI.contains(&text.len()) && sha256(format!("{text}?").as_bytes())[0] == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(arguments: &[&str], message: &str) -> String {
        let mut secrets = Secrets::default();
        arguments.iter().for_each(|argument| secrets.add(argument));
        secrets.removed_from(message).into_owned()
    }

    #[test]
    fn what_could_be_a_secret_is_not_repeated() {
        let hex = "07".repeat(32);
        let wif = "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn";
        let words = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";
        let base64 = "AQIDBAUGBwgJCgsMDQ4PEBESE/QVFhcYGRobHB0+HyA=";
        let spaced = hex.as_bytes().chunks(2).map(|two| str::from_utf8(two).unwrap()).collect::<Vec<_>>().join(":");
        let nsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5";
        let mini = "SzavMBLoXU6kDrqtUVmffv";
        let joined = words.replace(' ', "-");
        let slashed = spaced.replace(':', "/");
        let escaped = format!("\\x{}", spaced.replace(':', "\\x"));
        let formed = [&joined[..], &slashed, &escaped];
        let plain = [&hex, wif, words, base64, &spaced, nsec, mini, &hex[1..], &wif[..45], &hex[..32]];
        for secret in plain.into_iter().chain(formed) {
            let pair = format!("sig={secret}");
            assert!(!shown(&[&pair], &format!("no column `{secret}`")).contains(secret), "{pair}");
            for argument in [secret.to_owned(), format!("--out={secret}"), format!("-o{secret}"), format!(" {secret} ")]
            {
                for message in [
                    format!("{secret}: No such file"),
                    format!("unexpected argument '{argument}' found"),
                    format!("no backend {argument:?} here"),
                    format!("\"{secret}\", {secret}/x: twice"),
                ] {
                    let shown = shown(&[&argument], &message);
                    let head = secret.split([' ', ':', '/', '+']).next().unwrap();
                    assert!(!shown.contains(secret) && shown.contains("not repeated"), "{shown}");
                    assert!(head.len() < 16 || !shown.contains(head), "{shown}");
                }
            }
        }
        // A part of it, and with a letter before it.
        assert!(!shown(&[&format!("\n{hex}")], &format!("\\n{hex}")).contains(&hex));
        assert!(!shown(&[&format!("-q{hex}{hex}")], &hex).contains(&hex));
    }

    #[test]
    fn other_arguments_are_repeated() {
        let xpub = format!("[d34db33f/84h/0h/0h]xpub6{}", "C".repeat(106));
        let this = std::env::current_exe().unwrap();
        for name in [
            "mainnet-01895-3f81607c.era1",
            "/data/transactions-2024/block-866342.parquet",
            "550e8400-e29b-41d4-a716-446655440000.csv",
            &xpub,
            "1,2,3",
            "the quick brown fox",
            this.to_str().unwrap(),
        ] {
            let message = format!("{name}: No such file or directory");
            assert_eq!(shown(&[name], &message), message);
        }
        // Only arguments are searched for.
        let hash = "ab".repeat(32);
        assert_eq!(shown(&["verify"], &hash), hash);
        // A file with a hash for a name.
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(format!("{hash}.csv"));
        let (name, message) = (file.to_str().unwrap(), format!("{}: no column", file.display()));
        assert_ne!(shown(&[name], &message), message);
        std::fs::write(&file, "").unwrap();
        assert_eq!(shown(&[name], &message), message);
    }
}
