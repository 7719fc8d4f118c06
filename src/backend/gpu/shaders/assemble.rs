//! Puts the text of a shader together: a file of `shaders/`, with what it imports. `shaders/README.md` says how files are written.

// `FILES`, by name.
include!(concat!(env!("OUT_DIR"), "/shaders.rs"));

/// A word that `#ifdef` asks for, and the text that stands for it in braces.
pub(super) type Word = (&'static str, &'static str);

/// The text of a shader.
pub(super) struct Assembly<'a> {
    files: &'a [(&'a str, &'a str)],
    pub(super) words: Vec<Word>,
    /// The files in it.
    pub(super) imported: Vec<&'a str>,
    pub(super) text: String,
}

impl<'a> Assembly<'a> {
    /// One of the files and all that it imports, each once, where these words are defined. `build.rs` makes sure that what is imported exists.
    pub(super) fn of(files: &'a [(&'a str, &'a str)], file: &str, words: Vec<Word>) -> Self {
        let mut assembly = Self { files, words, imported: Vec::new(), text: String::new() };
        assembly.import(file);
        assembly
    }

    fn import(&mut self, file: &str) {
        let Some(&(file, text)) = self.files.iter().find(|(name, _)| *name == file) else { return };
        if self.imported.contains(&file) {
            return;
        }
        self.imported.push(file);
        // Whether the lines of each `#ifdef` around the current line are taken.
        let mut taken = Vec::new();
        for line in text.lines() {
            if let Some(word) = line.strip_prefix("#ifdef ") {
                taken.push(self.value(word).is_some());
            } else if line == "#else" {
                let this = taken.pop();
                taken.push(this == Some(false));
            } else if line == "#endif" {
                taken.pop();
            } else if !taken.contains(&false) {
                match line.strip_prefix("#import ") {
                    Some(name) => self.import(&self.filled(name)),
                    None => self.text += &(self.filled(line) + "\n"),
                }
            }
        }
    }

    /// What stands for a word; `None` if it is not defined.
    fn value(&self, word: &str) -> Option<&'static str> {
        self.words.iter().find(|(name, _)| *name == word).map(|&(_, value)| value)
    }

    /// A line with the value of a word in the place of `#{WORD}`.
    fn filled(&self, line: &str) -> String {
        let Some((before, rest)) = line.split_once('#') else { return line.to_owned() };
        let (word, after) = rest.trim_start_matches('{').split_once('}').unwrap_or_default();
        [before, self.value(word).unwrap_or_default(), after].concat()
    }
}
