//! Tests: every shader is valid, differs from the others, and has floats only where it may.

use std::collections::{HashMap, HashSet};
use std::fs;

use wgpu::naga::front::wgsl;
use wgpu::naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use wgpu::naga::{AddressSpace, BinaryOperator, Expression, Handle, Module, ScalarKind, Type, TypeInner};

use super::*;
use crate::engine::gpu::SMALL_WORKGROUP;
use crate::engine::gpu::shaders::pipelines::WORKGROUP_BYTES;

/// naga's module of a shader for workgroups of that many threads, or naga's error.
fn parsed(key: ShaderKey, workgroup: u32) -> Result<(Module, ModuleInfo), String> {
    let source = key.source(workgroup);
    let module = wgsl::parse_str(&source).map_err(|error| error.emit_to_string(&source))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .map_err(|error| error.emit_to_string(&source))?;
    Ok((module, info))
}

#[test]
fn every_shader_is_valid() {
    let mut count = 0;
    for key in ShaderKey::all() {
        let source = key.source(WORKGROUP);
        // What has no memory of a workgroup is as valid with fewer threads.
        let is_shared = source.contains("var<workgroup>");
        for workgroup in [WORKGROUP, SMALL_WORKGROUP].into_iter().take(if is_shared { 2 } else { 1 }) {
            let (module, _) = parsed(key, workgroup).unwrap_or_else(|error| panic!("{key:?}: {error}"));
            let declared = module.entry_points.first().map(|main| main.workgroup_size);
            assert_eq!(declared, Some([key.pass.workgroup(workgroup), 1, 1]), "{key:?}");
            assert!(!has_workgroup_atomics(&module), "{key:?}: some drivers lose atomic additions there");
            let bytes = workgroup_bytes(&module);
            assert!(bytes <= WORKGROUP_BYTES, "{key:?}: {bytes} bytes of workgroup memory");
        }
        assert!(!mixes_extremes(&source), "{key:?}: SwiftShader loses maxima beside other changes");
        count += 1;
    }
    assert!(count > 800, "only {count} shaders");
}

/// No two keys have the same text; otherwise a file ignores a part of the key. Every file is in a shader, and every flag and name
/// in a file.
#[test]
fn every_key_file_and_flag_counts() {
    let (mut texts, mut files, mut words) = (HashMap::new(), HashSet::new(), HashSet::new());
    for key in ShaderKey::all() {
        let Variant { flags, values, .. } = key.variant();
        let shader = Assembly::of(FILES, key.pass.file().name, key.variant());
        files.extend(shader.imported.iter().copied());
        if let Some(other) = texts.insert(shader.text(), key) {
            panic!("{key:?} and {other:?} are the same");
        }
        words.extend(flags.into_iter().filter(|flag| !flag.is_empty()).chain(values.map(|(name, _)| name)));
    }
    for (file, _) in FILES {
        assert!(files.contains(file), "no shader has {file}.wgsl");
    }
    for word in words {
        let asked = ["#ifdef ", "#elifdef "].map(|directive| format!("{directive}{word}\n"));
        let filled = format!("#{{{word}}}");
        let is_used =
            FILES.iter().any(|(_, text)| asked.iter().chain([&filled]).any(|use_of| text.contains(use_of)));
        assert!(is_used, "no file asks for {word}");
    }
}

/// Writes whole shaders, with comments, to `target/shaders/` for an editor: `cargo test --lib whole_shaders -- --ignored`.
#[test]
#[ignore = "writes files"]
fn whole_shaders() {
    let folders = fs::read_dir("shaders").unwrap().map(|entry| entry.unwrap().path());
    let mut files = Vec::new();
    for file in folders.filter(|path| path.is_dir()).flat_map(|folder| fs::read_dir(folder).unwrap()) {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        files.push((name, fs::read_to_string(path).unwrap()));
    }
    let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    fs::create_dir_all("target/shaders").unwrap();
    for key in ShaderKey::each_part() {
        let (file, variant) = (key.pass.file().name, key.variant());
        let values = variant.values.iter().map(|(_, value)| *value);
        let words = variant.flags.iter().copied().chain(values).filter(|word| !word.is_empty());
        let name = [file].into_iter().chain(words).collect::<Vec<_>>().join("-");
        let text = Assembly::of(&files, file, variant).text();
        fs::write(format!("target/shaders/{name}.wgsl"), text).unwrap();
    }
}

/// The bytes of the variables in workgroup memory.
fn workgroup_bytes(module: &Module) -> u32 {
    let variables = module.global_variables.iter().map(|(_, variable)| variable);
    let shared = variables.filter(|variable| variable.space == AddressSpace::WorkGroup);
    shared.map(|variable| module.types[variable.ty].inner.size(module.to_ctx())).sum()
}

/// Whether a variable in workgroup memory is, or holds, an atomic.
fn has_workgroup_atomics(module: &Module) -> bool {
    fn is_atomic(module: &Module, ty: Handle<Type>) -> bool {
        match &module.types[ty].inner {
            TypeInner::Atomic(_) => true,
            TypeInner::Array { base, .. } => is_atomic(module, *base),
            TypeInner::Struct { members, .. } => members.iter().any(|member| is_atomic(module, member.ty)),
            _ => false,
        }
    }
    let mut variables = module.global_variables.iter().map(|(_, variable)| variable);
    variables.any(|variable| variable.space == AddressSpace::WorkGroup && is_atomic(module, variable.ty))
}

/// Whether a shader makes atomic maxima or minima of a variable, and other atomic changes too. In SwiftShader a maximum excludes other maxima
/// alone, so it undoes a minimum or an addition that comes between its load and its store. A store counts for nothing: no pass may store to a
/// word that other threads change. Two variables are excepted: the status, whose counter and faults are different words, and the words of
/// the start-up probe.
fn mixes_extremes(source: &str) -> bool {
    let mut changes: HashMap<&str, HashSet<&str>> = HashMap::new();
    for call in source.split("atomic").skip(1) {
        let Some((function, rest)) = call.split_once("(&") else { continue };
        let variable = rest.split('[').next().unwrap_or_default();
        if !matches!(function, "Load" | "Store") {
            changes.entry(variable).or_default().insert(function);
        }
    }
    changes.remove("status");
    let is_extreme = |functions: &HashSet<&str>| functions.contains("Max") || functions.contains("Min");
    !source.contains("fn contend(")
        && changes.values().any(|functions| functions.len() > 1 && is_extreme(functions))
}

/// Only tried products and sums, guesses of quotients, and the activations of floats use the adapter's floats. A scatter does not, by
/// construction. A compiler cannot fuse a product or a sum: the next operation sees its bits, xored with a word that the compiler
/// does not know.
#[test]
fn only_operations_that_are_tried_use_floats() {
    let mut tried = 0;
    for key in ShaderKey::all() {
        let (module, info) = parsed(key, WORKGROUP).unwrap();
        let is_float = |inner: &TypeInner| inner.scalar_kind() == Some(ScalarKind::Float);
        let main = &module.entry_points[0].function;
        for (at, _) in main.expressions.iter() {
            let inner = info.get_entry_point(0)[at].ty.inner_with(&module.types);
            assert!(!is_float(inner), "{key:?}: main");
        }
        let is_tried = key.strict().is_some();
        let is_float_kind = matches!(key.combine.kind, Kind::Float16 | Kind::Bfloat16 | Kind::Float32);
        let has_activation = is_float_kind
            && matches!(
                key.pass,
                Pass::Activate(_) | Pass::Elementwise(_, Some(_), _) | Pass::Native(_, Some(_), _)
            );
        for (handle, function) in module.functions.iter() {
            let name = function.name.as_deref().unwrap_or_default();
            let floats = function
                .expressions
                .iter()
                .filter(|(at, _)| is_float(info[handle][*at].ty.inner_with(&module.types)));
            match name {
                "native_multiply" | "native_add" | "native_subtract" => {
                    assert!(is_tried, "{key:?}");
                    let operator = match name {
                        "native_multiply" => BinaryOperator::Multiply,
                        "native_add" => BinaryOperator::Add,
                        _ => BinaryOperator::Subtract,
                    };
                    let binaries = function.expressions.iter().filter_map(|(_, e)| match e {
                        Expression::Binary { op, .. } => Some(*op),
                        _ => None,
                    });
                    let expected = [operator, BinaryOperator::ExclusiveOr];
                    assert_eq!(binaries.collect::<Vec<_>>(), expected, "{key:?}");
                    tried += 1;
                }
                // Integers check the guess.
                "certain_divide" => assert!(is_tried, "{key:?}"),
                _ => assert!(floats.count() == 0 || has_activation, "{key:?}: {name}"),
            }
        }
    }
    assert!(tried > 60, "only {tried} operations");
}
