//! Options that are one of some words.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Words of which an option is one, each with what help says of it and what it stands for.
pub(super) fn choice<T: Copy + Send + Sync + 'static>(
    choices: impl IntoIterator<Item = (&'static str, &'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    let choices: Vec<_> = choices.into_iter().collect();
    let words = PossibleValuesParser::new(choices.iter().map(|(word, help, _)| PossibleValue::new(word).help(help)));
    words.try_map(move |found| {
        let chosen = choices.iter().find(|(word, ..)| *word == found);
        chosen.map(|(_, _, meaning)| *meaning).ok_or("not one of the words")
    })
}
