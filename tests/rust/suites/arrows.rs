//! The arrows of docs/ARCHITECTURE.md: which room and which role of the library may import which, and that no files import each other in a
//! circle. `tests/js/boundary/imports.test.mjs` does the same for `src/js`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The files at the root of the library and the rooms that all families share, with what each may import. Each imports from those above it
/// only, so that there are no circles.
const SHARED: &[(&str, &[&str])] = &[
    ("allocator", &[]),
    ("words", &[]),
    ("error", &["words"]),
    ("dtype", &["words"]),
    ("scalar", &["dtype"]),
    ("shape", &["error"]),
    ("plan", &["dtype", "error", "scalar", "shape", "words"]),
    ("host", &["dtype", "error"]),
    ("engine", &["dtype", "error", "host", "plan", "scalar", "shape"]),
    ("context", &["words"]),
    ("storage", &["engine", "error", "host"]),
    ("tensor", &["context", "dtype", "error", "host", "plan", "scalar", "shape", "storage"]),
    ("index", &["dtype", "engine", "error", "host", "plan", "scalar", "shape", "storage", "tensor"]),
    (
        "dispatch",
        &["context", "dtype", "engine", "error", "host", "index", "plan", "shape", "storage", "tensor"],
    ),
];

/// The families, and which other families each may import. All may import the rooms of `SHARED`.
const FAMILIES: &[(&str, &[&str])] = &[
    ("convert", &[]),
    ("create", &["convert"]),
    ("elementwise", &[]),
    ("gather", &["elementwise"]),
    ("scatter", &["elementwise"]),
    ("exact", &["gather", "histograms", "scatter"]), // the terms of samples are in the bins of a histogram
    ("segments", &["exact", "scatter"]),
    ("dims", &["convert", "exact", "scatter"]),
    ("histograms", &["convert", "elementwise", "exact", "gather", "scatter", "sort"]),
    ("sort", &["gather", "scatter"]),
    ("masks", &["convert", "elementwise", "gather", "sort"]),
    ("groups", &["elementwise", "gather", "scatter", "segments"]),
    (
        "group_by",
        &[
            "convert",
            "create",
            "elementwise",
            "exact",
            "gather",
            "groups",
            "masks",
            "scatter",
            "segments",
            "sort",
        ],
    ),
    ("trace", &["exact", "gather", "scatter"]),
    ("gradients", &["dims", "elementwise", "gather", "group_by", "groups", "masks", "scatter", "segments"]),
    ("start", &["elementwise"]), // the self-tests of a device
];

/// What the boundary imports of families: what its table of handles holds, and what makes and moves tensors.
const OF_BOUNDARY: &[&str] = &["convert", "create", "exact", "group_by", "start"];

/// The roles of the files in the families and engines, with the roles that each may import. `operator` is any file that has no other role.
const ROLES: &[(&str, &[&str])] = &[
    ("arithmetic", &["arithmetic"]),
    ("plan", &["plan"]),
    ("kernels", &["arithmetic", "kernels", "plan"]),
    ("cpu", &["arithmetic", "backend", "cpu", "engine", "kernels", "plan"]),
    ("gpu", &["arithmetic", "backend", "engine", "gpu", "plan"]),
    ("backend", &["arithmetic", "backend", "cpu", "dispatch", "engine", "gpu", "operator", "plan"]),
    ("engine", &["backend", "cpu", "engine", "gpu", "plan"]),
    ("operator", &["arithmetic", "backend", "dispatch", "engine", "operator", "plan"]),
    ("dispatch", &["backend", "cpu", "dispatch", "engine", "gpu", "operator", "plan"]),
    ("boundary", &["backend", "boundary", "engine", "gpu", "operator", "plan"]),
];

/// The files that import one role more, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("elementwise/gpu/self_test.rs", "cpu"), // a self-test compares the GPU's product with the CPU's
    ("index/mod.rs", "cpu"),                 // an index is what both devices know of it
    ("index/mod.rs", "gpu"),
    ("scatter/call.rs", "cpu"),   // the product of two numbers
    ("create/mod.rs", "cpu"),     // numbers in host memory
    ("groups/skipped.rs", "cpu"), // the range of an index in host memory
];

/// What plans and kernels may not know: errors are made above the kernels, and data is below the plans.
const UNKNOWN: &[(&str, &[&str])] = &[
    ("arithmetic", &["context", "storage", "tensor"]),
    ("plan", &["context", "engine", "storage", "tensor"]),
    ("kernels", &["context", "error", "host", "storage", "tensor"]),
    ("cpu", &["context", "dispatch", "storage", "tensor"]),
    ("gpu", &["context", "dispatch", "storage", "tensor"]),
];

/// The room of a file.
fn room(path: &str) -> &str {
    path.split(['/', '.']).next().unwrap()
}

/// The role of a file; its own name if it is one of those that all share.
fn role(path: &str) -> &str {
    let parts: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    let (first, rest) = parts.split_first().unwrap();
    if ["plan", "dispatch", "boundary", "start"].contains(first) {
        return first;
    }
    if rest.is_empty() {
        return first;
    }
    let roles = ["arithmetic", "kernels", "plan", "cpu", "gpu", "backend", "boundary"];
    let found = rest
        .iter()
        .find_map(|part| roles.iter().find(|role| part == *role || part.strip_suffix("_none") == Some(role)));
    // The kernels of the engine are in its folder for the CPU.
    let found = if rest.contains(&"kernels") { Some(&"kernels") } else { found };
    found.copied().unwrap_or(if *first == "engine" { "engine" } else { "operator" })
}

/// The arrows between files, without those of tests and of the file that shows the insides to tests.
fn arrows(files: &BTreeMap<String, String>) -> Vec<(&str, &str)> {
    let of_tests = |path: &str| ["lib", "ranges", "testing"].contains(&room(path));
    let mut arrows = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| !of_tests(path)) {
        let named = named_files(path, text, files);
        arrows.extend(
            named
                .into_iter()
                .filter(|other| *other != path && room(other) != "testing")
                .map(|other| (path.as_str(), other)),
        );
    }
    arrows
}

#[test]
fn rooms_import_along_the_arrows() {
    let files = files();
    let is_shared = |name: &str| SHARED.iter().any(|(shared, _)| *shared == name);
    let mut faults = Vec::new();
    for (at, (name, allowed)) in SHARED.iter().enumerate() {
        let is_above = |other: &&&str| SHARED[..at].iter().any(|(above, _)| above == *other);
        faults.extend(
            allowed
                .iter()
                .filter(|other| !is_above(other))
                .map(|other| format!("{other} is not above {name}")),
        );
    }
    for (path, other) in arrows(&files) {
        let (from, to) = (room(path), room(other));
        // Exports stand above all; the shared boundary is theirs alone.
        let is_fine = from == to
            || role(path) == "boundary" && (to == "boundary" || is_shared(to) || role(other) == "boundary")
            || match SHARED.iter().chain(FAMILIES).find(|(name, _)| *name == from) {
                Some((_, allowed)) => allowed.contains(&to) || !is_shared(from) && is_shared(to),
                None => from == "boundary" && OF_BOUNDARY.contains(&to),
            };
        if !is_fine {
            faults.push(format!("{path} imports {other}"));
        }
    }
    for path in files.keys() {
        let name = room(path);
        let is_known = is_shared(name) || FAMILIES.iter().any(|(family, _)| *family == name);
        if !is_known && !["boundary", "lib", "ranges", "testing"].contains(&name) {
            faults.push(format!("{path} is in no room"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn roles_import_along_the_arrows() {
    let files = files();
    let mut faults = Vec::new();
    for (path, other) in arrows(&files) {
        let (from, to) = (role(path), role(other));
        let is_role = |name: &str| ROLES.iter().any(|(role, _)| *role == name);
        let unknown = UNKNOWN.iter().find(|(role, _)| *role == from).map_or(&[][..], |(_, unknown)| unknown);
        let is_wrong_role = is_role(to)
            && ROLES
                .iter()
                .find(|(role, _)| *role == from)
                .is_some_and(|(_, allowed)| !allowed.contains(&to))
            && !EXCEPTIONS.contains(&(path, to));
        let knows_operators =
            room(path) == "engine" && !["engine", "plan"].contains(&room(other)) && is_role(to);
        if is_wrong_role || knows_operators || unknown.contains(&to) {
            faults.push(format!("{path}, of the role {from}, imports {other}, of the role {to}"));
        }
    }
    for (path, role) in EXCEPTIONS {
        let is_used = arrows(&files).iter().any(|(from, other)| from == path && self::role(other) == *role);
        if !is_used {
            faults.push(format!("{path} imports no {role}: an exception too many"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let files = files();
    let mut ways: BTreeMap<&str, BTreeSet<&str>> =
        files.keys().map(|path| (path.as_str(), BTreeSet::new())).collect();
    for (path, other) in arrows(&files) {
        ways.get_mut(path).unwrap().insert(other);
    }
    let (mut done, mut circles) = (BTreeSet::new(), Vec::new());
    for file in ways.keys() {
        find_circle(file, &ways, &mut Vec::new(), &mut done, &mut circles);
    }
    assert!(circles.is_empty(), "{}", circles.join("\n"));
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

/// The files that a file names: by a path from the root or from a module around it, or through the name of a module that it declares. A module
/// with several files, by `#[path]`, is each of them.
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
    names.iter().flat_map(|name| files_of(name, files)).collect()
}

/// The files of the innermost module that a path names. A name that a module takes from elsewhere is in the file that it comes from.
fn files_of<'a>(name: &[&str], files: &'a BTreeMap<String, String>) -> Vec<&'a str> {
    for len in (0..=name.len()).rev() {
        let found = module_files(&name[..len], files);
        let behind = found.iter().flat_map(|path| {
            ["pub use crate::", "pub(crate) use crate::"].map(|start| paths_behind(&files[*path], start))
        });
        let behind: Vec<_> = behind.flatten().filter(|path| path.last() == name.get(len)).collect();
        if !behind.is_empty() {
            return behind.iter().flat_map(|path| files_of(path, files)).collect();
        }
        if !found.is_empty() && len > 0 {
            return found;
        }
    }
    Vec::new()
}

/// The files of a module; for no name, that of the library.
fn module_files<'a>(module: &[&str], files: &'a BTreeMap<String, String>) -> Vec<&'a str> {
    let Some((last, parent)) = module.split_last() else { return vec!["lib.rs"] };
    let (module, parent) = (module.join("/"), parent.join("/"));
    let plain = [format!("{module}.rs"), format!("{module}/mod.rs")];
    let declares = files.get(&format!("{parent}/mod.rs")).or_else(|| files.get(&format!("{parent}.rs")));
    let by_path =
        declares.into_iter().flat_map(|text| paths_of(text, last)).map(|path| format!("{parent}/{path}"));
    plain.into_iter().chain(by_path).filter_map(|path| Some(files.get_key_value(&path)?.0.as_str())).collect()
}

/// The paths in the attributes of a declared module.
fn paths_of<'a>(text: &'a str, module: &str) -> Vec<&'a str> {
    let mut paths = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        if let Some((_, path)) = line.split_once("path = \"").filter(|_| line.starts_with("#[")) {
            paths.extend(path.split('"').next());
        } else if line.ends_with(&format!("mod {module};")) {
            return paths;
        } else if !line.starts_with("#[") {
            paths.clear();
        }
    }
    Vec::new()
}

/// The paths that stand behind each `start` in the text.
fn paths_behind<'a>(text: &'a str, start: &str) -> Vec<Vec<&'a str>> {
    let mut paths = Vec::new();
    for (at, _) in text.match_indices(start) {
        let before = &text[..at];
        // A macro's `$crate` is no import: it is the caller's.
        let is_whole = !before.ends_with(|c: char| c.is_alphanumeric() || "_:$".contains(c));
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
