//! Copies `shaders/` without comments and needless blanks: the text is part of the library, and of its download. Each line of
//! code stays a line of its own, and names stay as they are, so that a compiler's message can be read. Tests run what is shipped.

#![allow(clippy::unwrap_used, reason = "a build that cannot read or write has to stop")]

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=shaders");
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_WEBGPU").is_none() {
        return;
    }
    let out = env::var("OUT_DIR").unwrap();
    for folder in fs::read_dir("shaders").unwrap().map(Result::unwrap) {
        if !folder.file_type().unwrap().is_dir() {
            continue; // the README
        }
        let target = Path::new(&out).join(folder.path());
        fs::create_dir_all(target).unwrap();
        for file in fs::read_dir(folder.path()).unwrap() {
            let file = file.unwrap().path();
            let text = fs::read_to_string(&file).unwrap();
            assert!(!text.contains("/*"), "{}: comments begin with //", file.display());
            fs::write(Path::new(&out).join(&file), strip(&text)).unwrap();
        }
    }
}

/// A shader without comments, needless blanks and lines that have no code.
fn strip(text: &str) -> String {
    let mut lines = String::new();
    for line in text.lines() {
        let code = line.split_once("//").map_or(line, |(code, _)| code).trim();
        if !code.is_empty() {
            strip_line(code, &mut lines);
            lines.push('\n');
        }
    }
    lines
}

/// Appends a line of code to `out` without its needless blanks. A blank is needed between two words, and left between two operators: `- -`
/// and `> =` are not `--` and `>=`.
fn strip_line(code: &str, out: &mut String) {
    let is_in_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let separates = |c: char| "()[]{},;:".contains(c);
    let mut before = ' '; // the last character that was written; a blank stands for none
    for part in code.split_whitespace() {
        if let Some(next) = part.chars().next()
            && before != ' '
            && !separates(before)
            && !separates(next)
            && is_in_word(before) == is_in_word(next)
        {
            out.push(' ');
        }
        out.push_str(part);
        before = part.chars().next_back().unwrap_or(' ');
    }
}
