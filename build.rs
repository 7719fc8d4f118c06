//! Copies `shaders/` without comments and needless blanks, and with short names: the text is part of the library, and of
//! its download. Lines stay lines, so that a compiler's complaint can be found; `SCATTERWISE_SHADER_NAMES=long` leaves the
//! names too. Tests run what is shipped: `every_shader_is_valid` fails where a name went wrong.

#![allow(clippy::unwrap_used, reason = "a build that cannot read or write has to stop")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// What Rust writes into shaders by name, beside the activations: `PRODUCT` and others in `src/backend/gpu/`.
const KEPT: [&str; 9] = [
    "main",
    "product",
    "activate",
    "combine",
    "Element",
    "FRACTION_BITS",
    "float16_round",
    "float16_widen",
    "bfloat16_round",
];

fn main() {
    println!("cargo::rerun-if-changed=shaders");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=SCATTERWISE_SHADER_NAMES");
    if env::var_os("CARGO_FEATURE_WEBGPU").is_none() {
        return;
    }
    let files = read_shaders();
    let shaders = parse(files.values());
    let names = match env::var("SCATTERWISE_SHADER_NAMES").as_deref() {
        Ok("long") => Names::default(),
        _ => Names::of(&shaders),
    };
    let out = env::var("OUT_DIR").unwrap();
    for (file, shader) in files.keys().zip(&shaders) {
        let target = Path::new(&out).join(file);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(target, names.write(shader)).unwrap();
    }
}

/// The shaders by their paths, stripped.
fn read_shaders() -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    for folder in fs::read_dir("shaders").unwrap() {
        for file in fs::read_dir(folder.unwrap().path()).unwrap() {
            let file = file.unwrap().path();
            let text = fs::read_to_string(&file).unwrap();
            assert!(!text.contains("/*"), "{}: comments begin with //", file.display());
            files.insert(file, strip(&text));
        }
    }
    files
}

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

/// A blank is needed between two words, and left between two operators: `- -` and `> =` are not `--` and `>=`.
fn strip_line(code: &str, out: &mut String) {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let bracket = |c: char| "()[]{},;:".contains(c);
    let mut before = ' ';
    for part in code.split_whitespace() {
        if let Some(next) = part.chars().next()
            && before != ' '
            && !bracket(before)
            && !bracket(next)
            && word(before) == word(next)
        {
            out.push(' ');
        }
        out.push_str(part);
        before = part.chars().next_back().unwrap_or(' ');
    }
}

/// Where a name is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    /// In every file: shaders are put together from several.
    Everywhere,
    /// After a dot, and where a struct is declared.
    Member,
    /// In one function, by its number.
    Function(usize),
}

/// A piece of a shader: a word, or what is between words.
struct Token<'a> {
    text: &'a str,
    scope: Scope,
    is_declared: bool,
}

/// Takes stripped shaders apart. Which words are names is known from their declarations alone: keywords, types, built-in
/// functions and the letters of vectors have none.
fn parse<'a>(files: impl Iterator<Item = &'a String>) -> Vec<Vec<Token<'a>>> {
    let mut functions = 0;
    files.map(|text| parse_file(&split(text), &mut functions)).collect()
}

fn parse_file<'a>(pieces: &[&'a str], functions: &mut usize) -> Vec<Token<'a>> {
    let (mut around, mut depth) = (Scope::Everywhere, 0);
    let mut tokens = Vec::new();
    for (at, &text) in pieces.iter().enumerate() {
        let next = pieces.get(at + 1).unwrap_or(&"");
        let (before, keyword) = match pieces.get(..at).unwrap_or_default() {
            [.., keyword, " "] => (" ", *keyword),
            [.., before] => (*before, ""),
            [] => ("", ""),
        };
        let is_outer = matches!(keyword, "fn" | "struct" | "alias");
        let is_inner =
            matches!(keyword, "const" | "let" | "var") || (next.starts_with(':') && text != "default");
        let scope = match around {
            _ if before.ends_with('.') => Scope::Member,
            Scope::Function(_) if !is_outer => around,
            Scope::Member if is_inner => Scope::Member,
            _ => Scope::Everywhere,
        };
        tokens.push(Token { text, scope, is_declared: is_word(text) && (is_outer || is_inner) });
        if text == "struct" {
            around = Scope::Member;
        } else if text == "fn" {
            *functions += 1;
            around = Scope::Function(*functions);
        }
        depth += text.matches('{').count();
        depth -= text.matches('}').count();
        if depth == 0 && text.contains('}') {
            around = Scope::Everywhere;
        }
    }
    tokens
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Words and numbers, and what is between them.
fn split(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_part(c) != is_part(first)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// The short names: capitals for what is known everywhere, so that nothing in a function hides it.
#[derive(Default)]
struct Names<'a> {
    short: BTreeMap<(Scope, &'a str), String>,
}

impl<'a> Names<'a> {
    fn of(shaders: &[Vec<Token<'a>>]) -> Self {
        let mut short = BTreeMap::new();
        let mut counts = BTreeMap::new();
        for &Token { text, scope, is_declared } in shaders.iter().flatten() {
            let is_kept = KEPT.contains(&text) || text.starts_with("act_");
            if is_declared && !is_kept && !short.contains_key(&(scope, text)) {
                let count = counts.entry(scope).or_insert(0);
                short.insert((scope, text), short_name(scope, *count));
                *count += 1;
            }
        }
        Self { short }
    }

    fn write(&self, shader: &[Token<'a>]) -> String {
        let word = |token: &Token<'a>| {
            let find = |scope| self.short.get(&(scope, token.text)).map(String::as_str);
            let outer = || if token.scope == Scope::Member { None } else { find(Scope::Everywhere) };
            find(token.scope).or_else(outer).unwrap_or(token.text).to_owned()
        };
        shader.iter().map(word).collect()
    }
}

fn short_name(scope: Scope, count: usize) -> String {
    let letter = |at: usize| char::from(b'a' + u8::try_from(at).unwrap());
    let (more, last) = (count / 26, letter(count % 26));
    match (scope, more) {
        (Scope::Everywhere, 0) => last.to_ascii_uppercase().to_string(),
        (Scope::Everywhere, _) => format!("{}{last}", letter(more - 1).to_ascii_uppercase()),
        (_, 0) => last.to_string(),
        // Two small letters can be a keyword.
        (_, _) => format!("_{last}{}", if more > 1 { more.to_string() } else { String::new() }),
    }
}
