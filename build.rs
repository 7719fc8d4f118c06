//! Makes `shaders.rs`, a list of the files of `shaders/` by name, without comments and needless blanks: the text is part of the library, and
//! of its download. Each line of code stays a line of its own, and names stay as they are, so that a compiler's message can be read. Tests
//! run what is shipped. It also tells the library its own features.

#![allow(clippy::unwrap_used, reason = "a build that cannot read or write has to stop")]

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=shaders");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=SCATTERWISE_IDENTITY={}", identity());
    if env::var_os("CARGO_FEATURE_WEBGPU").is_none() {
        return;
    }
    // Files of one folder beside each other compress better. The last word says whether the build has the file's family.
    let folders = sorted(Path::new("shaders")).into_iter().filter(|path| path.is_dir());
    let mut files: Vec<(String, String, bool)> = Vec::new();
    for path in folders.flat_map(|folder| sorted(&folder)) {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains("/*"), "{}: comments begin with //", path.display());
        assert!(files.iter().all(|(other, ..)| *other != name), "two folders have a file {name}.wgsl");
        let folder = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
        let is_here = is_here(folder, &name);
        files.push((name, strip(&text), is_here));
    }
    for (name, text, _) in &files {
        // A name in braces is known when a shader is put together. A name with a capital is a struct, which Rust declares.
        for import in text
            .lines()
            .filter_map(|line| line.strip_prefix("#import "))
            .filter(|import| !import.contains('{') && !import.starts_with(char::is_uppercase))
        {
            assert!(
                files.iter().any(|(other, ..)| other == import),
                "{name}.wgsl imports {import}.wgsl, which is missing"
            );
        }
    }
    let files: Vec<_> = files.into_iter().filter(|file| file.2).map(|(name, text, _)| (name, text)).collect();
    let list = format!("pub(super) const FILES: &[(&str, &str)] = &{files:?};\n");
    fs::write(Path::new(&env::var("OUT_DIR").unwrap()).join("shaders.rs"), list).unwrap();
}

/// Whether a feature is on.
fn has(feature: &str) -> bool {
    env::var_os(format!("CARGO_FEATURE_{}", feature.to_uppercase())).is_some()
}

/// Whether the build needs a shader: those of a family have its folder. No other family imports them, except where a flag says so that is never
/// set without the family.
fn is_here(folder: &str, name: &str) -> bool {
    match (folder, name) {
        ("histograms", "count_integers" | "count_report" | "select_bins") => true, // of bincount
        ("elementwise", "act_arc" | "act_erf" | "act_exp" | "act_log" | "act_sin" | "act_tanh") => {
            has("activations")
        }
        ("sort", "place") => has("sort") || has("masks"), // both compare numbers of any dtypes
        ("exact", _) => has("exact") || has("dims"),      // sums along dimensions are exact
        ("dims" | "gradients" | "groups" | "histograms" | "masks" | "segments" | "sort", _) => has(folder),
        _ => true,
    }
}

/// The version, and which families of operators there are: the identity of a binary, which `startup.js` checks. `full` stands for all of them, `cpu` for
/// all without a GPU, and `core` for none.
fn identity() -> String {
    let is_family = |name: &String| !["default", "npm", "testing"].contains(&name.as_str());
    let features =
        env::vars().filter_map(|(name, _)| Some(name.strip_prefix("CARGO_FEATURE_")?.to_lowercase()));
    let mut families: Vec<String> = features.filter(is_family).collect();
    families.sort();
    let kind = match (has("families"), has("webgpu")) {
        (true, true) => "full".to_owned(),
        (true, false) => "cpu".to_owned(),
        (false, _) if families.is_empty() => "core".to_owned(),
        (false, _) => families.join("+"),
    };
    format!("{} {kind}", env::var("CARGO_PKG_VERSION").unwrap())
}

/// What is in a folder, by name.
fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// A shader without comments, needless blanks and lines that have no code.
fn strip(text: &str) -> String {
    let mut lines = String::new();
    for line in text.lines() {
        let code = line.split_once("//").map_or(line, |(code, _)| code).trim();
        if code.starts_with('#') {
            lines.push_str(code);
        } else {
            strip_line(code, &mut lines);
        }
        if !code.is_empty() {
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
