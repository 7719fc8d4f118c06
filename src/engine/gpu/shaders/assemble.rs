//! Assembles the text of a shader: a file of `shaders/` with its imports. `shaders/README.md` describes the directives.
//!
//! The code works on bytes, because the standard library's text functions would add kilobytes to the download.

use crate::engine::gpu::PARTS;

// `FILES`, by name.
include!(concat!(env!("OUT_DIR"), "/shaders.rs"));

pub(crate) struct Variant {
    /// The struct `Params`, which is imported as if it were a file.
    pub(crate) params: &'static str,
    /// The flags for `#ifdef` and `#elifdef`. An empty string is no flag.
    pub(crate) flags: Vec<&'static str>,
    /// The texts for the names in braces.
    pub(crate) values: [(&'static str, &'static str); 3],
}

/// The text of a shader.
pub(crate) struct Assembly<'a> {
    files: &'a [(&'a str, &'a str)],
    variant: Variant,
    pub(crate) imported: Vec<&'a str>,
    text: Vec<u8>,
}

impl<'a> Assembly<'a> {
    /// The text of a file with all its imports, each once. `build.rs` makes sure that the imports exist.
    pub(crate) fn of(files: &'a [(&'a str, &'a str)], file: &str, variant: Variant) -> Self {
        let mut assembly = Self { files, variant, imported: Vec::new(), text: Vec::new() };
        assembly.import(file.as_bytes());
        assembly
    }

    pub(crate) fn text(self) -> String {
        String::from_utf8(self.text).unwrap_or_default()
    }

    fn import(&mut self, file: &[u8]) {
        let files = self.files.iter().chain(PARTS).copied().chain([("Params", self.variant.params)]);
        let Some((file, text)) = { files }.find(|(name, _)| name.as_bytes() == file) else { return };
        if self.imported.contains(&file) {
            return;
        }
        self.imported.push(file);
        // For each `#ifdef` around the current line: whether its lines are taken; `None` behind those that were.
        let mut taken: Vec<Option<bool>> = Vec::new();
        for line in text.as_bytes().split(|&byte| byte == b'\n') {
            let elifdef = line.strip_prefix(b"#elifdef ").map(|flag| self.is_set(flag));
            let other = if line == b"#else" { Some(true) } else { elifdef };
            if let Some(flag) = line.strip_prefix(b"#ifdef ") {
                taken.push(Some(self.is_set(flag)));
            } else if other.is_some() {
                let before = taken.pop().flatten();
                taken.push(if before == Some(false) { other } else { None });
            } else if line == b"#endif" {
                taken.pop();
            } else if taken.iter().all(|taken| *taken == Some(true)) {
                match line.strip_prefix(b"#import ") {
                    Some(name) => self.import(&self.filled(name)),
                    None => {
                        let line = self.filled(line);
                        self.text.extend_from_slice(&line);
                        self.text.push(b'\n');
                    }
                }
            }
        }
    }

    fn is_set(&self, flag: &[u8]) -> bool {
        self.variant.flags.iter().any(|known| known.as_bytes() == flag)
    }

    /// A line with each `#{NAME}` replaced by its text.
    fn filled(&self, line: &[u8]) -> Vec<u8> {
        let mut line = line.to_vec();
        if let Some(start) = line.iter().position(|&byte| byte == b'#') {
            let rest = line.split_off(start);
            let end = rest.iter().position(|&byte| byte == b'}').unwrap_or(0);
            let name = rest.get(2..end).unwrap_or_default();
            let value = self.variant.values.iter().find(|(known, _)| known.as_bytes() == name);
            line.extend_from_slice(value.map_or("", |(_, value)| value).as_bytes());
            line.extend_from_slice(rest.get(end + 1..).unwrap_or_default());
        }
        line
    }
}
