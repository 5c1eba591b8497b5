//! A side of a comparison, by its name on the command line.

use crate::{
    Failure,
    library::{Build, Library, OURS, Source},
};
use lab_abi::Inputs;

/// A library with this at the end of its name takes parsed inputs.
const PARSED: &str = "-parsed";
/// A peer with this at the end of its name is built as it ships.
const SHIPPED: &str = "-as-shipped";

/// Builds a library as a peer is built. The error says why there is no such peer.
pub(crate) fn ready(library: &str) -> Result<(), Failure> {
    Side::find(library)?.open_as_peer(Build::Native).map(drop)
}

/// One side of a comparison.
pub(super) struct Side {
    source: Source,
    /// Whether it is built as it ships.
    is_as_shipped: bool,
    /// The form in which it gets its inputs.
    pub(super) inputs: Inputs,
    /// The name in records.
    pub(super) name: String,
}

impl Side {
    /// What a name on the command line stands for.
    pub(super) fn find(name: &str) -> Result<Self, Failure> {
        let (name, inputs) = name.strip_suffix(PARSED).map_or((name, Inputs::Encoded), |name| (name, Inputs::Parsed));
        let (library, is_as_shipped) = name.strip_suffix(SHIPPED).map_or((name, false), |library| (library, true));
        let absent = |reason: String| Failure::NotThere(format!("{library} is absent: {reason}"));
        let source = Source::find(library).map_err(absent)?;
        if is_as_shipped && source.is_ours() {
            return Err(absent("ours is built by --build".into()));
        }
        let form = if inputs == Inputs::Parsed { PARSED } else { "" };
        let build = if is_as_shipped { SHIPPED } else { "" };
        Ok(Self { name: source.name() + build + form, source, is_as_shipped, inputs })
    }

    /// Builds and opens the library: so, or as it ships where its name says that.
    pub(super) fn open(&self, build: Build) -> Result<Box<dyn Library>, Failure> {
        self.source
            .open(if self.is_as_shipped { Build::Shipped } else { build })
            .map_err(|reason| Failure::NotThere(format!("{} is absent: {reason}", self.source.name())))
    }

    /// Opens the library as the peer of our side built so: ours, at an earlier commit or as it is, is built alike.
    pub(super) fn open_as_peer(&self, build: Build) -> Result<Box<dyn Library>, Failure> {
        self.open(if self.source.is_ours() { build } else { Build::Native })
    }

    /// The commit, where the side is one.
    pub(super) fn commit(&self) -> Option<String> {
        match &self.source {
            Source::Commit(commit) => Some(commit.short().to_owned()),
            Source::Folder(_) => None,
        }
    }

    /// Whether the side is ours as the work tree has it.
    pub(super) fn is_work_tree(&self) -> bool {
        self.source == Source::Folder(OURS.to_owned())
    }

    /// Refuses a backend other than the one that was asked for.
    pub(super) fn runs(&self, backend: &str, asked: &str) -> Result<(), Failure> {
        if backend.eq_ignore_ascii_case(asked) {
            return Ok(());
        }
        Err(Failure::NotThere(format!(
            "{} computes this by the backend {backend}, not by {asked}, whatever --backend says",
            self.name
        )))
    }

    /// A library's refusal of a request.
    pub(super) fn refusal(&self, reason: &str) -> Failure {
        // Only a library that was built with another `lab_abi` says these.
        let another = reason.starts_with("request line not understood") || reason.contains("bytes of input are not");
        let link = match reason {
            _ if another => "has another ABI of the lab: ",
            _ if reason.starts_with("no operation named") => "has ",
            _ => "",
        };
        Failure::NotThere(format!("{} {link}{reason}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_the_form_of_inputs_and_what_ships_and_ours_does_not_ship() {
        for (name, is_as_shipped, inputs) in [
            ("k256", false, Inputs::Encoded),
            ("libsecp256k1-parsed", false, Inputs::Parsed),
            ("libsecp256k1-as-shipped", true, Inputs::Encoded),
            ("libsecp256k1-as-shipped-parsed", true, Inputs::Parsed),
        ] {
            let side = Side::find(name).unwrap();
            assert_eq!((&*side.name, side.is_as_shipped, side.inputs), (name, is_as_shipped, inputs));
        }
        assert!(matches!(Side::find("phalanx-as-shipped"), Err(Failure::NotThere(said)) if said.contains("--build")));
    }

    #[test]
    fn a_backend_that_does_not_run_is_refused() {
        let side = Side::find("phalanx").unwrap();
        assert!(side.runs("portable", "portable").is_ok());
        match side.runs("ifma", "portable") {
            Err(Failure::NotThere(said)) => assert!(said.contains("by the backend ifma, not by portable"), "{said}"),
            _ => panic!("another backend is not refused"),
        }
    }

    #[test]
    fn a_library_of_another_abi_is_told_from_one_that_does_not_offer_the_operation() {
        let side = Side::find("k256-parsed").unwrap();
        let said = |reason| match side.refusal(reason) {
            Failure::NotThere(said) | Failure::Broken(said) => said,
        };
        assert_eq!(said("does not offer msm"), "k256-parsed does not offer msm");
        let other = "k256-parsed has another ABI of the lab: request line not understood: a=b";
        assert_eq!(said("no operation named msm"), "k256-parsed has no operation named msm");
        assert_eq!(said("request line not understood: a=b"), other);
        assert!(said("9 bytes of input are not 2 rows").contains("another ABI"));
    }
}
