//! The arrows of docs/ARCHITECTURE.md: which module of the library may import which.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Every module at the root of the library and what it may import. Each imports from those above it only, so that there are no
/// circles.
const ARROWS: &[(&str, &[&str])] = &[
    ("allocator", &[]),
    ("error", &[]),
    ("dtype", &[]),
    ("scalar", &["dtype"]),
    ("shape", &["error"]),
    ("plan", &["dtype", "error", "scalar", "shape"]),
    ("host", &["dtype", "error"]),
    ("exact", &["dtype", "error", "host", "scalar", "shape"]),
    ("backend", &["dtype", "error", "exact", "host", "plan", "scalar", "shape"]),
    ("context", &[]),
    ("storage", &["backend", "error", "host"]),
    ("tensor", &["context", "dtype", "error", "host", "plan", "scalar", "shape", "storage"]),
    (
        "dispatch",
        &[
            "backend", "context", "dtype", "error", "exact", "host", "plan", "scalar", "shape", "storage",
            "tensor",
        ],
    ),
    (
        "ops",
        &["context", "dispatch", "dtype", "error", "host", "plan", "scalar", "shape", "storage", "tensor"],
    ),
    ("testing", &["backend", "exact", "host", "plan", "shape"]),
    (
        "boundary",
        &[
            "allocator",
            "backend",
            "context",
            "dtype",
            "error",
            "host",
            "ops",
            "plan",
            "scalar",
            "shape",
            "storage",
            "tensor",
        ],
    ),
];

/// Every module at the root of the library is in `ARROWS` and imports only its allowed modules. A module that is left in
/// `imports` at the end is not in `ARROWS`.
#[test]
fn modules_import_along_the_arrows() {
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let is_module = name != "lib" && name != "js"; // src/js is JavaScript
        if is_module {
            collect(&path, imports.entry(name).or_default());
        }
    }
    let mut faults = Vec::new();
    for (at, (name, allowed)) in ARROWS.iter().enumerate() {
        let found = imports.remove(*name).unwrap_or_default();
        let is_above = |other: &str| ARROWS[..at].iter().any(|(above, _)| *above == other);
        faults.extend(
            allowed
                .iter()
                .filter(|other| !is_above(other))
                .map(|other| format!("{other} is not above {name}")),
        );
        let wrong = found.iter().filter(|other| *other != name && !allowed.contains(&other.as_str()));
        faults.extend(wrong.map(|other| format!("{name} imports {other}")));
    }
    faults.extend(imports.keys().map(|name| format!("{name} has no arrows")));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Adds to `found` the modules at the root that the code of a file, or of the files in a folder, names behind `crate::`.
fn collect(path: &Path, found: &mut BTreeSet<String>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            collect(&entry.unwrap().path(), found);
        }
        return;
    }
    if path.extension().is_none_or(|extension| extension != "rs") {
        return;
    }
    let text = fs::read_to_string(path).unwrap();
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    for after in code.join("\n").split("crate::").skip(1) {
        found.extend(roots(after));
    }
}

/// The modules at the root that the text behind a `crate::` begins with: one name, or the first name of each path in a list in braces.
fn roots(text: &str) -> Vec<String> {
    let first = |text: &str| {
        text.trim_start().split(|c: char| !(c.is_alphanumeric() || c == '_')).next().map(str::to_owned)
    };
    let Some(list) = text.strip_prefix('{') else { return first(text).into_iter().collect() };
    // `depth` counts the braces that are open within the list, `start` is where the current path begins.
    let (mut names, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, letter) in list.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => {
                names.extend(first(&list[start..at]));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                names.extend(first(&list[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}
