//! One item at a time: `keygen`, `pubkey`, `sign`, `ecdh`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use phalanx::hash::sha256;
use phalanx::{Keypair, PublicKey, SecretKey, ecdh as exchange, ecdsa, schnorr};
use phalanx_ethereum::address;
use zeroize::Zeroizing;

use super::{backend, secret};
use crate::exit::{ALL_VALID, RunError};
use crate::output::{ReadPlace, refuse_replacing};
use crate::process::standard;

/// `phalanx keygen`.
pub(super) fn keygen(args: &KeygenArgs) -> Result<u8, RunError> {
    backend::asked(None)?;
    let secret = SecretKey::random();
    let form = |form| shown(&secret.public_key(), form);
    let public = format!(
        "public_key {}\nx_only {}\naddress {}\n",
        form(KeyForm::Compressed),
        form(KeyForm::XOnly),
        form(KeyForm::Address)
    );
    match &args.secret_file {
        // The key is safe before anybody learns where to send what it is to guard.
        Some(path) => {
            secret::write(path, &secret)?;
            standard::answer(&public)
                .map_err(|failure| failure.with(&format!("the secret key is in {}", path.display())))?;
        }
        None => {
            standard::answer(&secret::line(&format!("{} ", secret::LABEL), &Zeroizing::new(secret.to_bytes())))?;
            standard::answer(&public)?;
        }
    }
    Ok(ALL_VALID)
}

/// `phalanx pubkey`.
pub(super) fn pubkey(args: &PubkeyArgs) -> Result<u8, RunError> {
    backend::asked(None)?;
    refuse_overwriting(args.secret.secret_file.as_deref(), None)?;
    let public = secret::read(args.secret.secret_file.as_deref())?.public_key();
    standard::answer(&format!("{}\n", shown(&public, args.form)))?;
    Ok(ALL_VALID)
}

/// Fails if standard output goes to the file of the secret key or of the message.
fn refuse_overwriting(secret: Option<&Path>, message: Option<&Path>) -> Result<(), RunError> {
    let secret = secret.map_or(ReadPlace::Standard, ReadPlace::of_name);
    let message = message.map(|path| ReadPlace::File(path.to_owned()));
    refuse_replacing(&[], &[Some(secret), message].into_iter().flatten().collect::<Vec<_>>())
}

fn shown(key: &PublicKey, form: KeyForm) -> String {
    match form {
        KeyForm::Compressed => const_hex::encode(key.to_bytes()),
        KeyForm::Uncompressed => const_hex::encode(key.to_bytes_uncompressed()),
        KeyForm::XOnly => const_hex::encode(key.x_only().0.to_bytes()),
        KeyForm::Address => const_hex::encode_prefixed(address(key)),
    }
}

/// `phalanx sign`.
pub(super) fn sign(args: &SignArgs) -> Result<u8, RunError> {
    match args.scheme {
        Scheme::Schnorr if args.recoverable => return Err(RunError::new("--recoverable is for --scheme ecdsa")),
        Scheme::Schnorr if args.encoding == Encoding::Der => return Err(RunError::new("DER is for --scheme ecdsa")),
        Scheme::Ecdsa if args.aux.is_some() => return Err(RunError::new("--aux is for --scheme schnorr")),
        Scheme::Ecdsa if args.recoverable && args.encoding == Encoding::Der => {
            return Err(RunError::new("--recoverable is for --encoding compact"));
        }
        _ => {}
    }
    backend::asked(None)?;
    refuse_overwriting(args.secret.secret_file.as_deref(), args.what.message_file.as_deref())?;
    let digest = args.what.digest.as_deref().map(|text| fixed(text, "--digest")).transpose()?;
    let message = digest.map_or_else(|| message(&args.what), |digest| Ok(digest.to_vec()))?;
    let aux = args.aux.as_deref().map(|text| fixed(text, "--aux")).transpose()?;
    let pair = Keypair::from_secret(secret::read(args.secret.secret_file.as_deref())?);
    let signature = match args.scheme {
        Scheme::Ecdsa => sign_ecdsa(&digest.unwrap_or_else(|| sha256(&message)), &pair, args)?,
        Scheme::Schnorr => {
            // 32 bytes that nobody can guess: a fresh secret key is one way to get them.
            let aux = Zeroizing::new(aux.unwrap_or_else(|| SecretKey::random().to_bytes()));
            let signature = schnorr::sign_checked(&message, &pair, &aux).map_err(RunError::of)?;
            signature.to_bytes().to_vec()
        }
    };
    standard::answer(&format!("{}\n", const_hex::encode(signature)))?;
    Ok(ALL_VALID)
}

fn sign_ecdsa(digest: &[u8; 32], pair: &Keypair, args: &SignArgs) -> Result<Vec<u8>, RunError> {
    if args.recoverable {
        let (signature, id) = ecdsa::sign_recoverable(digest, pair.secret_key());
        if ecdsa::recover(digest, &signature, id) != Ok(pair.public_key()) {
            return Err(RunError::of(phalanx::Error::InvalidSignature));
        }
        let mut bytes = signature.to_compact().to_vec();
        bytes.push(id.to_u8());
        return Ok(bytes);
    }
    let signature = ecdsa::sign_checked(digest, pair).map_err(RunError::of)?;
    Ok(match args.encoding {
        Encoding::Compact => signature.to_compact().to_vec(),
        Encoding::Der => signature.to_der().to_vec(),
    })
}

/// The message that `sign` is asked to sign.
fn message(what: &SignWhat) -> Result<Vec<u8>, RunError> {
    match (&what.message, &what.message_hex, &what.message_file) {
        (Some(text), _, _) => Ok(text.clone().into_bytes()),
        (_, Some(text), _) => const_hex::decode(text).map_err(|_| RunError::new("--message-hex: not hex")),
        (_, _, Some(path)) => std::fs::read(path).map_err(|error| RunError::io(&path.display().to_string(), &error)),
        _ => Err(RunError::new("there is nothing to sign")),
    }
}

fn fixed(text: &str, option: &str) -> Result<[u8; 32], RunError> {
    let mut bytes = [0; 32];
    const_hex::decode_to_slice(text, &mut bytes)
        .map_err(|_| RunError::new(format!("{option}: not 32 bytes of hex")))?;
    Ok(bytes)
}

/// `phalanx ecdh`.
pub(super) fn ecdh(args: &EcdhArgs) -> Result<u8, RunError> {
    backend::asked(None)?;
    refuse_overwriting(args.secret.secret_file.as_deref(), None)?;
    let bytes = const_hex::decode(&args.public_key).map_err(|_| RunError::new("--public-key: not hex"))?;
    let public = PublicKey::from_bytes(&bytes).map_err(|error| RunError::new(format!("--public-key: {error}")))?;
    let secret = secret::read(args.secret.secret_file.as_deref())?;
    let share = if args.x_only { exchange::shared_x } else { exchange::shared_secret };
    standard::answer(&secret::line("", &Zeroizing::new(share(&public, &secret))))?;
    Ok(ALL_VALID)
}

/// Make a new secret key from the operating system's randomness.
///
/// Prints the secret key, the compressed public key, the x-only key of BIP-340 and the Ethereum address in hex, one
/// on each line after its name. With --secret-file the secret key goes to that file alone.
#[derive(Debug, Args)]
pub(crate) struct KeygenArgs {
    /// Write the secret key to a new file that only its owner can read, and print the public key alone.
    ///
    /// The file appears only when the key is in it. A file that is already there is never replaced.
    #[arg(long, value_name = "FILE")]
    secret_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct SecretArgs {
    /// Read the secret key from this file instead of standard input.
    #[arg(long, value_name = "FILE")]
    secret_file: Option<PathBuf>,
}

/// Print the public key of a secret key.
#[derive(Debug, Args)]
#[command(after_help = SECRETS)]
pub(crate) struct PubkeyArgs {
    #[command(flatten)]
    secret: SecretArgs,
    /// The form to print.
    #[arg(long, value_name = "FORM", default_value = "compressed")]
    form: KeyForm,
}

/// Sign a digest or a message with a secret key.
///
/// ECDSA signs a 32-byte digest with the nonce of RFC 6979 and a low s; of a message it signs the SHA-256. Schnorr
/// (BIP-340) signs a message of any length as it is. Each signature is verified before it is printed.
#[derive(Debug, Args)]
#[command(after_help = SECRETS)]
pub(crate) struct SignArgs {
    #[command(flatten)]
    secret: SecretArgs,
    /// The signature scheme.
    #[arg(long, value_name = "SCHEME", default_value = "ecdsa")]
    scheme: Scheme,
    #[command(flatten)]
    what: SignWhat,
    /// How an ECDSA signature is written.
    #[arg(long, value_name = "ENCODING", default_value = "compact")]
    encoding: Encoding,
    /// Append the recovery id, 0 to 3, to a compact ECDSA signature: 65 bytes.
    #[arg(long)]
    recoverable: bool,
    /// Auxiliary randomness of a Schnorr signature, 32 bytes; by default fresh from the operating system.
    #[arg(long, value_name = "HEX")]
    aux: Option<String>,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct SignWhat {
    /// The 32 bytes to sign.
    #[arg(long, value_name = "HEX")]
    digest: Option<String>,
    /// The text to sign.
    #[arg(long, value_name = "TEXT")]
    message: Option<String>,
    /// The bytes to sign.
    #[arg(long, value_name = "HEX")]
    message_hex: Option<String>,
    /// The file to sign.
    #[arg(long, value_name = "FILE")]
    message_file: Option<PathBuf>,
}

/// Agree on a secret with the owner of a public key: SHA-256 of the shared point, compressed.
#[derive(Debug, Args)]
#[command(after_help = SECRETS)]
pub(crate) struct EcdhArgs {
    #[command(flatten)]
    secret: SecretArgs,
    /// The other's public key, 33 or 65 bytes.
    #[arg(long, value_name = "HEX")]
    public_key: String,
    /// Print the x coordinate of the shared point instead of a hash.
    #[arg(long)]
    x_only: bool,
}

/// How a public key is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KeyForm {
    /// 33 bytes.
    Compressed,
    /// 65 bytes.
    Uncompressed,
    /// 32 bytes, as BIP-340 has it.
    XOnly,
    /// The Ethereum address.
    Address,
}

/// A signature scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Scheme {
    /// ECDSA with the nonce of RFC 6979.
    Ecdsa,
    /// Schnorr signatures of BIP-340.
    Schnorr,
}

/// How an ECDSA signature is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Encoding {
    /// r and s, 64 bytes.
    Compact,
    /// A DER sequence, as in Bitcoin scripts and X.509.
    Der,
}

const SECRETS: &str = "\
The secret key is read from --secret-file or, without it, from the first line of standard input: 64 hex digits, with \
or without 0x, alone or after the word `secret` as keygen writes it. It is never taken from the command line, where \
the machine's other users and the shell's history would see it. What is typed at a terminal is not shown. Input behind that line is left to the next program \
that reads it.";
