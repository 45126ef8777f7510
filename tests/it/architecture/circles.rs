//! Circles between files, found in their `use` declarations and in the paths of their code.
//!
//! A file imports another when it names something that is defined there, by a path from `crate`,
//! `super`, `self`, a child module or a name that a `use` brought in. Re-exports are followed to
//! the file that defines the name, so declaring a module or re-exporting from it imports nothing.
//!
//! What a file takes from a file above it (`super::Error`) doesn't count: a folder's own file may
//! define what all of its children share, and call them. All other imports count, upwards through
//! another folder too, so no set of files below one folder can need each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{Source, read_sources};

/// Crates whose files are read: the folders with their roots.
const CRATES: [&str; 5] =
    ["src", "benches/load", "benches/names", "benches/oracles", "benches/vectors"];

/// The path of a module or a name from the root of its crate.
type ModulePath = Vec<String>;

/// A file: its module, what its `use` declarations bring in, and the other paths of its code.
struct File {
    module: ModulePath,
    uses: Vec<Use>,
    paths: Vec<ModulePath>,
}

/// One name that a `use` declaration brings in.
struct Use {
    path: ModulePath,
    name: String,
    is_reexport: bool,
}

/// The files of a crate by their module.
struct Files {
    files: BTreeMap<ModulePath, File>,
}

/// The module that a file is: `[index, columns]` of `index/columns/mod.rs`, `[]` of a root.
fn module_of(path: &str) -> ModulePath {
    let mut parts: ModulePath =
        path.strip_suffix(".rs").unwrap().split('/').map(str::to_owned).collect();
    let is_folder = parts.last().is_some_and(|last| last == "mod");
    if is_folder || parts == ["lib"] || parts == ["main"] {
        parts.pop();
    }
    parts
}

impl File {
    fn read(source: &Source) -> Self {
        let code = source.code();
        let (mut uses, mut rest) = (Vec::new(), String::new());
        let mut lines = code.lines();
        while let Some(line) = lines.next() {
            let Some((is_reexport, mut tree)) = use_begun(line) else {
                rest.push_str(line);
                rest.push('\n');
                continue;
            };
            while !tree.contains(';') {
                tree.push_str(lines.next().unwrap());
            }
            add_uses(&[], tree.trim_end_matches(';'), is_reexport, &mut uses);
        }
        let words = rest.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
        let paths = words.filter(|word| word.contains("::")).map(segments);
        Self {
            module: module_of(&source.path),
            uses,
            paths: paths.filter(|path| path.len() > 1).collect(),
        }
    }
}

fn segments(path: &str) -> ModulePath {
    path.split("::")
        .map(|part| part.trim_matches(':').to_owned())
        .filter(|p| !p.is_empty())
        .collect()
}

/// Whether a line begins a `use` declaration that re-exports, and what stands behind `use`.
fn use_begun(line: &str) -> Option<(bool, String)> {
    let line = line.trim_start();
    let (visibility, tree) = match line.strip_prefix("use ") {
        Some(tree) => ("", tree),
        None => line.split_once(" use ")?,
    };
    let is_visibility = visibility == "pub"
        || visibility
            .strip_prefix("pub(")
            .is_some_and(|rest| rest.find(')') == Some(rest.len() - 1));
    (visibility.is_empty() || is_visibility).then(|| (is_visibility, tree.to_owned()))
}

/// Adds the names of a `use` tree below a path.
fn add_uses(above: &[String], tree: &str, is_reexport: bool, uses: &mut Vec<Use>) {
    let tree = tree.trim();
    if let Some((stem, list)) = tree.split_once('{') {
        let above: ModulePath = above.iter().cloned().chain(segments(stem)).collect();
        let list = list.trim_end().strip_suffix('}').unwrap();
        let (mut depth, mut start) = (0, 0);
        for (at, c) in list.char_indices().chain([(list.len(), ',')]) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    add_uses(&above, &list[start..at], is_reexport, uses);
                    start = at + 1;
                }
                _ => {}
            }
        }
        return;
    }
    let (path, name) = match tree.split_once(" as ") {
        Some((path, name)) => (path, Some(name.to_owned())),
        None => (tree, None),
    };
    let mut path: ModulePath = above.iter().cloned().chain(segments(path)).collect();
    if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
        path.pop();
    }
    let Some(last) = path.last().cloned() else { return };
    uses.push(Use { name: name.unwrap_or(last), path, is_reexport });
}

impl Files {
    fn of(sources: &[Source]) -> Self {
        // `main.rs` beside a `lib.rs` is a crate of its own, which no module can import.
        let has_library = sources.iter().any(|source| source.path == "lib.rs");
        let of_crate = |source: &&Source| !has_library || source.path != "main.rs";
        let files = sources.iter().filter(of_crate).map(File::read);
        Self { files: files.map(|file| (file.module.clone(), file)).collect() }
    }

    /// A path as it is from the root of the crate; `None` where it leads out of the crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<ModulePath> {
        let first = path.first()?.as_str();
        if first == "crate" {
            return Some(path[1..].to_vec());
        }
        let ups = path.iter().take_while(|part| *part == "super").count();
        let rest = if first == "self" { &path[1..] } else { &path[ups..] };
        let above = &module[..module.len().checked_sub(ups)?];
        let absolute = [above, rest].concat();
        let is_child = || self.files.contains_key(&[module, &path[..1]].concat());
        (ups > 0 || first == "self" || is_child()).then_some(absolute)
    }

    /// The file in which what a path names is defined; `None` for a module itself.
    fn definition(&self, path: &[String], depth: usize) -> Option<ModulePath> {
        let length = (0..=path.len()).rev().find(|&end| self.files.contains_key(&path[..end]))?;
        let (module, rest) = path.split_at(length);
        let name = rest.first()?;
        let file = &self.files[module];
        let found = file.uses.iter().filter(|found| found.name == *name).find_map(|found| {
            let absolute = self.absolute(module, &found.path)?;
            // A name may be imported under itself: `use fst::fst`.
            (depth > 0 && absolute[..] != path[..=length])
                .then(|| self.definition(&[&absolute, &rest[1..]].concat(), depth - 1))
        });
        found.unwrap_or_else(|| Some(module.to_vec()))
    }

    /// The modules that a file imports from, without those above it.
    fn imports(&self, file: &File) -> BTreeSet<ModulePath> {
        let of_uses = file.uses.iter().filter(|found| !found.is_reexport);
        let of_uses = of_uses.filter_map(|found| self.absolute(&file.module, &found.path));
        let of_paths = file.paths.iter().filter_map(|path| {
            let imported = file.uses.iter().find(|found| found.name == path[0]);
            match imported.and_then(|found| self.absolute(&file.module, &found.path)) {
                Some(absolute) => Some([&absolute, &path[1..]].concat()),
                None => self.absolute(&file.module, path),
            }
        });
        of_uses
            .chain(of_paths)
            .filter_map(|path| self.definition(&path, 8))
            .filter(|theirs| !file.module.starts_with(theirs))
            .collect()
    }

    /// The files that import each other in a circle, each circle once.
    fn circles(&self) -> Vec<BTreeSet<ModulePath>> {
        let imports: BTreeMap<&ModulePath, BTreeSet<ModulePath>> =
            self.files.iter().map(|(module, file)| (module, self.imports(file))).collect();
        let reached = |from: &ModulePath| {
            let (mut reached, mut waiting) = (BTreeSet::new(), vec![from]);
            while let Some(next) = waiting.pop() {
                let new = imports[next].iter().filter(|theirs| reached.insert((*theirs).clone()));
                waiting.extend(new);
            }
            reached
        };
        let reached: BTreeMap<&ModulePath, BTreeSet<ModulePath>> =
            self.files.keys().map(|module| (module, reached(module))).collect();
        let circle = |module: &ModulePath| {
            let others = reached[module].iter();
            others.filter(|other| reached[*other].contains(module)).cloned().collect()
        };
        let circles: BTreeSet<BTreeSet<ModulePath>> =
            self.files.keys().map(circle).filter(|circle: &BTreeSet<_>| circle.len() > 1).collect();
        circles.into_iter().collect()
    }
}

/// Every circle between files, one line each.
fn circles(sources: &[Source]) -> Vec<String> {
    let circles = Files::of(sources).circles();
    let line = |circle: &BTreeSet<ModulePath>| {
        let files: Vec<String> = circle.iter().map(|module| module.join("/") + ".rs").collect();
        format!("{} import each other in a circle", files.join(", "))
    };
    circles.iter().map(line).collect()
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    for folder in CRATES {
        let mut sources = Vec::new();
        read_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), "", &mut sources);
        assert!(sources.len() > 1, "too few sources of {folder} were read");
        let found = circles(&sources);
        assert!(found.is_empty(), "{folder}: {}", found.join("\n"));
    }
}

#[test]
fn the_check_of_circles_finds_what_it_should() {
    let check = |files: &[(&str, &str)], expected: &[&str]| {
        let source =
            |(path, text): &(&str, &str)| Source { path: (*path).into(), text: (*text).into() };
        let sources: Vec<_> = files.iter().map(source).collect();
        let found = circles(&sources);
        let expected: Vec<String> =
            expected.iter().map(|one| format!("{one} import each other in a circle")).collect();
        assert_eq!(found, expected, "{files:?}");
    };
    let both = &["m/a.rs, m/b.rs"];
    check(&[("m/a.rs", "use super::b::B;"), ("m/b.rs", "use super::a::A;")], both);
    check(&[("m/a.rs", "use super::b::B;"), ("m/b.rs", "fn f() { super::a::f() }")], both);
    check(
        &[("m/a.rs", "use super::b;\nfn f() { b::f() }"), ("m/b.rs", "use crate::m::a::A;")],
        both,
    );
    check(
        &[
            ("m/a.rs", "use super::{\n    b::{B, D},\n    c::C,\n};"),
            ("m/b.rs", "use super::a::{self, A};"),
        ],
        both,
    );
    check(&[("m/a.rs", "use super::b::B;"), ("m/b.rs", "struct B;")], &[]);
    // A name is followed to where it is defined.
    let parent = ("m/mod.rs", "mod a;\nmod b;\npub use a::A;\npub(super) use b::B;");
    check(&[parent, ("m/a.rs", "use super::B;"), ("m/b.rs", "use super::A;")], both);
    check(&[parent, ("m/a.rs", "use super::B;"), ("m/b.rs", "use super::Error;")], &[]);
    // What stands above is shared by what is below.
    check(&[("m/mod.rs", "use a::A;\nstruct M;"), ("m/a.rs", "use super::M;")], &[]);
    // But not by a folder and the files beside it.
    check(
        &[
            ("m/a.rs", "use super::n::n;"),
            ("m/n/mod.rs", "use c::C;"),
            ("m/n/c.rs", "use crate::m::a::A;"),
        ],
        &["m/a.rs, m/n.rs, m/n/c.rs"],
    );
    // Unit tests may import what they will.
    check(
        &[
            ("m/a.rs", "use super::b::B;"),
            ("m/b.rs", "#[cfg(test)]\nmod tests {\n    use crate::m::a::A;\n}"),
        ],
        &[],
    );
}
