//! Assembles the text of a shader: a file of `shaders/` with its imports. `shaders/README.md` describes the directives.
//!
//! The code works on bytes, because the standard library's text functions would add kilobytes to the download.

use crate::engine::gpu::PARTS;

// `FILES`, by name.
include!(concat!(env!("OUT_DIR"), "/shaders.rs"));

/// The variant of a shader.
pub(crate) struct Variant {
    /// The struct `Params`, which is imported as if it were a file.
    pub(crate) params: &'static str,
    /// The flags for `#ifdef`. An empty string is no flag.
    pub(crate) flags: Vec<&'static str>,
    /// The texts for the names in braces.
    pub(crate) values: [(&'static str, &'static str); 3],
}

/// The text of a shader.
pub(crate) struct Assembly<'a> {
    files: &'a [(&'a str, &'a str)],
    variant: Variant,
    /// The files in it.
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

    /// The text.
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
        // For each `#ifdef` around the current line: whether its lines are taken.
        let mut taken = Vec::new();
        for line in text.as_bytes().split(|&byte| byte == b'\n') {
            if let Some(flag) = line.strip_prefix(b"#ifdef ") {
                taken.push(self.variant.flags.iter().any(|known| known.as_bytes() == flag));
            } else if line == b"#else" {
                let this = taken.pop();
                taken.push(this == Some(false));
            } else if line == b"#endif" {
                taken.pop();
            } else if !taken.contains(&false) {
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
