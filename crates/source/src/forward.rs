//! Headers that a project installs into another folder than they lie in: `<yajl/yajl_tree.h>` of `src/api/yajl_tree.h`. Each is found by its last name, if there is
//! one of that name only, and stands behind everything else on the include path. `_stdint.h` and its like, which autoconf makes, is `<stdint.h>`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::configure::read_small;

/// For every header that these files include with a folder's name, and that is in none of the folders: its name, and a line that includes the one that is meant.
pub(crate) fn forwards<'p>(
    files: impl Iterator<Item = &'p PathBuf>,
    folders: &BTreeSet<PathBuf>,
    headers: &[PathBuf],
) -> Vec<(PathBuf, String)> {
    let mut by_name: BTreeMap<_, Vec<&PathBuf>> = BTreeMap::new();
    for header in headers {
        by_name.entry(header.file_name()).or_default().push(header);
    }
    let wanted: BTreeSet<PathBuf> =
        files.filter_map(|path| read_small(path)).flat_map(|text| included(&text)).collect();
    let forward = |name: PathBuf| {
        if is_made_of_stdint(&name) {
            let is_there = by_name.contains_key(&name.file_name());
            return (!is_there).then(|| (name, "#include <inttypes.h>\n#include <stdint.h>\n".to_owned()));
        }
        let [header] = by_name.get(&name.file_name())?[..] else { return None };
        let is_there = folders.iter().any(|folder| folder.join(&name).is_file());
        let header = header.canonicalize().ok()?.into_os_string().into_string().ok()?;
        let is_plain = !header.contains(['"', '\\', '\n']);
        (!is_there && is_plain).then(|| (name, format!("#include \"{header}\"\n")))
    };
    wanted.into_iter().filter_map(forward).collect()
}

/// Whether a header is one that autoconf makes for systems without `<stdint.h>`: `_stdint.h`, `lib_stdint.h`.
fn is_made_of_stdint(name: &Path) -> bool {
    name.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with("_stdint.h"))
}

/// The headers that a text includes with the names of folders, and those that autoconf makes.
fn included(text: &str) -> BTreeSet<PathBuf> {
    let name = |line: &str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
        let end = match rest.chars().next()? {
            '<' => '>',
            '"' => '"',
            _ => return None,
        };
        let name = Path::new(rest[1..].split_once(end)?.0);
        let is_below = name.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        (is_below && (name.components().count() > 1 || is_made_of_stdint(name))).then(|| name.to_path_buf())
    };
    text.lines().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::{BTreeSet, Path, PathBuf, forwards, included};

    #[test]
    fn only_headers_with_folders_below_are_asked_for() {
        let text = "#include <_stdint.h>\n#include <stdint.h>\n#include <lib/a.h>\n # include \"lib/b.h\" // <c/d.h>\n#include <stdio.h>\n#include \"../e/f.h\"\n#include NAME\n#include <g/h.h\n";
        assert_eq!(included(text), ["_stdint.h", "lib/a.h", "lib/b.h"].map(PathBuf::from).into());
    }

    #[test]
    fn what_autoconf_makes_of_stdint_is_stdint_unless_it_is_there() {
        let scratch = tempfile::tempdir().expect("a folder");
        let source = scratch.path().join("a.c");
        std::fs::write(&source, "#include \"lib/_stdint.h\"\n#include <own_stdint.h>\n").expect("a file");
        let own = [scratch.path().join("own_stdint.h")];
        let found = forwards([source].iter(), &BTreeSet::new(), &own);
        let wanted = "#include <inttypes.h>\n#include <stdint.h>\n";
        assert_eq!(found, [(PathBuf::from("lib/_stdint.h"), wanted.to_owned())]);
    }

    #[test]
    fn a_header_is_meant_if_it_is_the_only_one_of_its_name() {
        let scratch = tempfile::tempdir().expect("a folder");
        let root = scratch.path();
        let file = |name: &str, text: &str| {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            std::fs::write(&path, text).expect("a file");
            path
        };
        let source = file("a.c", "#include <lib/one.h>\n#include <lib/two.h>\n#include <there/three.h>\n");
        let headers = [file("api/one.h", ""), file("api/two.h", ""), file("old/two.h", ""), file("there/three.h", "")];
        let folders = BTreeSet::from([root.to_path_buf(), root.join("api")]);
        let found = forwards([source].iter(), &folders, &headers);
        let names: Vec<&Path> = found.iter().map(|(name, _)| name.as_path()).collect();
        assert_eq!(names, [Path::new("lib/one.h")]);
        assert!(found[0].1.ends_with("api/one.h\"\n"), "{}", found[0].1);
    }
}
