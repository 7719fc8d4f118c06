//! The arrows of docs/ARCHITECTURE.md: which module of the library may import which, and that no files import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

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

/// Folders of src whose files import each other in no circle. A `mod.rs` is a file like any other: where it names its children, no child may
/// name it, so that children name each other by their own paths. A `mod` alone names nothing.
const WITHOUT_CIRCLES: &[&str] = &["backend", "boundary", "exact", "plan"];

/// Every module at the root of the library is in `ARROWS` and imports only its allowed modules. A module that is left in
/// `imports` at the end is not in `ARROWS`.
#[test]
fn modules_import_along_the_arrows() {
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, text) in files() {
        let name = path.split(['/', '.']).next().unwrap().to_owned();
        let is_module = name != "lib" && name != "js"; // src/js is JavaScript
        if is_module {
            let found = paths_behind(&text, "crate::").into_iter().map(|path| path[0].to_owned());
            imports.entry(name).or_default().extend(found);
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

#[test]
fn no_files_import_each_other_in_a_circle() {
    let files = files();
    let mut circles = Vec::new();
    for folder in WITHOUT_CIRCLES {
        let inside = |path: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        let arrows: BTreeMap<&str, BTreeSet<&str>> = files
            .iter()
            .filter(|(path, _)| inside(path))
            .map(|(path, text)| {
                let named = named_files(path, text, &files);
                (path.as_str(), named.into_iter().filter(|other| inside(other) && other != path).collect())
            })
            .collect();
        assert!(!arrows.is_empty(), "there is no {folder}");
        let mut done = BTreeSet::new();
        for file in arrows.keys() {
            find_circle(file, &arrows, &mut Vec::new(), &mut done, &mut circles);
        }
    }
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

/// The kernels of the CPU cannot make errors, and know no buffers that allocate or count.
#[test]
fn kernels_import_numbers_only() {
    let files = files();
    let kernels = files.iter().filter(|(path, _)| path.starts_with("backend/cpu/kernels/"));
    let imports = kernels.flat_map(|(path, text)| {
        paths_behind(text, "crate::").into_iter().map(move |name| (path, name.join("::")))
    });
    let allowed = ["backend::cpu::kernels::", "dtype::", "exact::", "plan::", "scalar::", "shape::"];
    let wrong = imports.filter(|(_, name)| !allowed.iter().any(|start| name.starts_with(start)));
    assert_eq!(wrong.collect::<Vec<_>>(), []);
}

/// Follows the arrows from a file. `way` leads to it, and `done` are the files from which all arrows were followed.
fn find_circle<'a>(
    file: &'a str,
    arrows: &BTreeMap<&'a str, BTreeSet<&'a str>>,
    way: &mut Vec<&'a str>,
    done: &mut BTreeSet<&'a str>,
    circles: &mut Vec<String>,
) {
    if let Some(at) = way.iter().position(|other| *other == file) {
        circles.push(format!("{} → {file}", way[at..].join(" → ")));
        return;
    }
    if done.contains(file) {
        return;
    }
    way.push(file);
    for next in &arrows[file] {
        find_circle(next, arrows, way, done, circles);
    }
    way.pop();
    done.insert(file);
}

/// The code of the library by its path in src. Comments are left out, and tests.
fn files() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = BTreeMap::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let code: Vec<&str> =
                    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
                let code = code.join("\n");
                let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap().to_owned();
                let path = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
                files.insert(path, code);
            }
        }
    }
    files
}

/// The files that a file names: by a path from the root or from a module around it, or through the name of a module that it declares.
fn named_files<'a>(path: &str, text: &str, files: &'a BTreeMap<String, String>) -> BTreeSet<&'a str> {
    let mut module: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    if module.last() == Some(&"mod") {
        module.pop();
    }
    let mut names: Vec<Vec<&str>> = paths_behind(text, "crate::");
    for behind in paths_behind(text, "super::") {
        names.push([&module[..module.len() - 1], &behind].concat());
    }
    for declared in paths_behind(text, "mod ") {
        let is_used = !paths_behind(text, &format!("{}::", declared[0])).is_empty();
        if is_used {
            names.push([&module[..], &declared].concat());
        }
    }
    names.iter().filter_map(|name| file_of(name, files)).collect()
}

/// The file of the innermost module that a path names.
fn file_of<'a>(name: &[&str], files: &'a BTreeMap<String, String>) -> Option<&'a str> {
    let found = (1..=name.len()).rev().find_map(|len| {
        let module: PathBuf = name[..len].iter().collect();
        let module = module.to_str().unwrap().replace('\\', "/");
        files
            .get_key_value(&format!("{module}.rs"))
            .or_else(|| files.get_key_value(&format!("{module}/mod.rs")))
    });
    found.map(|(path, _)| path.as_str())
}

/// The paths that stand behind each `start` in the text.
fn paths_behind<'a>(text: &'a str, start: &str) -> Vec<Vec<&'a str>> {
    let mut paths = Vec::new();
    for (at, _) in text.match_indices(start) {
        let before = &text[..at];
        let is_whole = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        let is_visibility = before.ends_with("(in ");
        if is_whole && !is_visibility {
            read_paths(&text[at + start.len()..], &[], &mut paths);
        }
    }
    paths
}

/// Reads a path behind `before`, or the paths in a list in braces. Returns what is behind them.
fn read_paths<'a>(text: &'a str, before: &[&'a str], paths: &mut Vec<Vec<&'a str>>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut list) = text.strip_prefix('{') {
        loop {
            list = read_paths(list, before, paths).trim_start();
            match list.strip_prefix(',') {
                Some(rest) => list = rest,
                None => return list.strip_prefix('}').unwrap_or(list),
            }
        }
    }
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if name.is_empty() {
        return rest;
    }
    let path = [before, &[name]].concat();
    match rest.strip_prefix("::") {
        Some(behind) if behind.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '{') => {
            read_paths(behind, &path, paths)
        }
        _ => {
            paths.push(path);
            rest
        }
    }
}
