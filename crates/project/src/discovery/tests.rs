//! What an editor's folder holds: nothing around it, no link out of it.

use std::fs;
use std::path::{Path, PathBuf};

use super::{DiscoveryRequest, find};
use crate::python;

/// A folder of its own for one test.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("nodewise-project-{}-{name}", std::process::id()));
    fs::remove_dir_all(&folder).ok();
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// The files that the command finds in a folder, and what it says about the rest, each in a line.
fn check_found(root: &Path, expected: &str) {
    let found = find(&DiscoveryRequest::new(&[root.to_owned()], None).unwrap(), None).unwrap();
    let files = found.projects.iter().flat_map(|project| project.files.iter());
    let mut lines: Vec<String> = files.map(|file| file.relative.to_string()).collect();
    let shown = |path: &str| Path::new(path).strip_prefix(root).unwrap().display().to_string();
    let mut notices: Vec<_> = found.notices.iter().map(|one| (shown(&one.path), &one.reason)).collect();
    notices.sort();
    lines.extend(notices.into_iter().map(|(path, reason)| format!("! {path}: {reason}")));
    assert_eq!(lines.join("\n"), expected);
    fs::remove_dir_all(root).ok();
}

/// The projects of a folder, one a line: `folder: file file`, `!` before what is wrong with a configuration.
fn check_projects(root: &Path, expected: &str) {
    let found = find(&DiscoveryRequest::confined(root), None).unwrap();
    let mut lines = String::new();
    for project in &found.projects {
        let name = project.root.strip_prefix(root).unwrap().display();
        let files: Vec<&str> = project.files.iter().map(|file| &*file.relative).collect();
        lines.push_str(&format!("/{name}: {}\n", files.join(" ")));
        if let Some(problem) = project.config_problems.first() {
            lines.push_str(&format!("! {}:{} {}\n", problem.at.line, problem.at.column, problem.reason));
        }
    }
    assert_eq!(lines, expected);
    fs::remove_dir_all(root).ok();
}

#[test]
fn the_nearest_configuration_makes_a_project() {
    let root = folder(
        "nested",
        &[
            ("a.yaml", ""),
            ("inner/nodewise.toml", "[files]\nexclude = [\"old\"]\n"),
            ("inner/b.yaml", ""),
            ("inner/old/c.yaml", ""),
            ("inner/deep/nodewise.toml", "[fles]\n"),
            ("inner/deep/d.json", ""),
            ("inner/deep/d.txt", ""),
        ],
    );
    check_projects(&root, "/: a.yaml\n/inner: b.yaml\n/inner/deep: d.json\n! 1:2 unknown key `fles`\n");
}

#[test]
fn a_configuration_around_the_folder_is_not_looked_at() {
    let outer = folder("around", &[("nodewise.toml", "[oops"), (".gitignore", "*.yaml"), ("in/a.yaml", "")]);
    check_projects(&outer.join("in"), "/: a.yaml\n");
    fs::remove_dir_all(outer).ok();
}

#[cfg(unix)]
#[test]
fn links_lead_around_inside_but_never_out() {
    let outer = folder("links", &[("secret/s.yaml", ""), ("in/real/a.yaml", "")]);
    let root = outer.join("in");
    std::os::unix::fs::symlink(outer.join("secret"), root.join("out")).unwrap();
    std::os::unix::fs::symlink(outer.join("secret/s.yaml"), root.join("s.yaml")).unwrap();
    std::os::unix::fs::symlink(root.join("real"), root.join("same")).unwrap();
    // The command means the same files, unless it follows links.
    let of_command = |follows: bool| {
        let request = DiscoveryRequest::new(std::slice::from_ref(&root), None).unwrap().follow_links(follows);
        let found = find(&request, None).unwrap();
        let files = found.projects.iter().flat_map(|project| project.files.iter());
        files.map(|file| file.relative.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(of_command(false), ["real/a.yaml", "same/a.yaml"]);
    assert_eq!(of_command(true), ["out/s.yaml", "real/a.yaml", "s.yaml", "same/a.yaml"]);
    check_projects(&root, "/: real/a.yaml same/a.yaml\n");
    fs::remove_dir_all(outer).ok();
}

/// A name that is no text, which Linux allows, is shown otherwise than it is.
#[cfg(target_os = "linux")]
#[test]
fn each_file_is_read_where_it_was_found() {
    use std::os::unix::ffi::OsStrExt;
    let texts = ["a/b.yaml", "old/in/c.yaml", "x\\y.yaml"].map(|path| (path, path));
    let root = folder("read", &texts);
    fs::write(root.join("nodewise.toml"), "[files]\nexclude = [\"old\"]\n").unwrap();
    fs::write(root.join(std::ffi::OsStr::from_bytes(b"\xff.yaml")), "\u{fffd}.yaml").unwrap();
    let given = [root.clone(), root.join("old"), root.join("a/../a/b.yaml")];
    let found = find(&DiscoveryRequest::new(&given, None).unwrap(), None).unwrap();
    let files = &found.projects[0].files;
    let read: Vec<String> = files.iter().map(|file| fs::read_to_string(file.path()).unwrap()).collect();
    assert_eq!(read, ["a/b.yaml", "old/in/c.yaml", "x\\y.yaml", "\u{fffd}.yaml"]);
    assert_eq!(files.iter().map(|file| &*file.relative).collect::<Vec<_>>(), read);
    assert_eq!(files.iter().filter(|file| file.is_named).count(), 1);
    assert_eq!(files.capacity(), files.len());
    fs::remove_dir_all(root).ok();
}

#[test]
fn python_files_are_listed_without_hidden_and_ignored_ones() {
    let root = folder(
        "python",
        &[
            ("b.py", ""),
            ("a/x.py", ""),
            (".venv/lib.py", ""),
            (".gitignore", "build/"),
            ("build/y.py", ""),
            ("z.txt", ""),
        ],
    );
    let found = python::files(&root);
    let found: Vec<_> =
        found.iter().map(|path| path.strip_prefix(&root).unwrap().to_str().unwrap()).collect();
    assert_eq!(found, ["a/x.py", "b.py"]);
    fs::remove_dir_all(root).ok();
}

/// Opening a pipe that nobody writes to waits forever, so the walk runs on a thread that the test does not wait for.
#[cfg(unix)]
#[test]
fn pipes_in_a_folder_are_not_read() {
    for pipe in ["x.yaml", "x.json", ".gitignore", "nodewise.toml", "sub/.gitignore", "sub/nodewise.toml"] {
        let root = folder(&format!("pipe-{}", pipe.replace('/', "-")), &[("a.yaml", ""), ("sub/b.txt", "")]);
        let made = std::process::Command::new("mkfifo").arg(root.join(pipe)).status().unwrap();
        assert!(made.success(), "{pipe}");
        let (sender, receiver) = std::sync::mpsc::channel();
        let walked = root.clone();
        std::thread::spawn(move || {
            let of_command = DiscoveryRequest::new(std::slice::from_ref(&walked), None).unwrap();
            for request in [of_command, DiscoveryRequest::confined(&walked)] {
                let found = find(&request, None).unwrap();
                let files = found.projects.iter().flat_map(|project| project.files.iter());
                sender.send(files.map(|file| file.relative.to_string()).collect::<Vec<_>>()).unwrap();
            }
            let scripts = python::files(&walked);
            sender.send(scripts.iter().map(|path| path.display().to_string()).collect()).unwrap();
        });
        let next = || receiver.recv_timeout(std::time::Duration::from_secs(20));
        assert_eq!(next().as_deref(), Ok(&["a.yaml".to_owned()][..]), "{pipe}: the command");
        assert_eq!(next().as_deref(), Ok(&["a.yaml".to_owned()][..]), "{pipe}: the editor");
        assert_eq!(next().as_deref(), Ok(&[][..]), "{pipe}: Python files");
        fs::remove_dir_all(root).ok();
    }
}

#[test]
fn the_nearest_ignore_file_that_says_anything_counts() {
    let root = folder(
        "ignored",
        &[
            (".gitignore", "*.yaml\n!keep.yaml\nout/\n/in/top\n"),
            ("a.yaml", ""),
            ("keep.yaml", ""),
            ("out/keep.yaml", ""),
            ("in/.gitignore", "!b.yaml\nkeep.yaml\n[\n"),
            ("in/b.yaml", ""),
            ("in/keep.yaml", ""),
            ("in/top/keep.yaml", ""),
            ("in/deep/b.yaml", ""),
            ("in/deep/a.yaml", ""),
            ("in/deep/top/b.yaml", ""),
            ("in/deep/.gitignore", ""),
        ],
    );
    check_found(&root.join("in"), "b.yaml\ndeep/b.yaml\ndeep/top/b.yaml");
    let root =
        folder("ignored-below", &[(".gitignore", "!a/b.yaml"), ("a/.gitignore", "*"), ("a/b.yaml", "")]);
    check_found(&root, "");
}

#[test]
fn files_are_in_load_order_however_many_folders_are_listed_at_once() {
    let mut paths = Vec::new();
    for folder in 0..60 {
        let names = ["a.yaml", "a/x.yaml", "a-b/x.yaml", "z/deep/x.yml", "m.json", "Z.yaml"];
        paths.extend(names.map(|name| format!("f{}/{}/{name}", folder % 7, folder)));
    }
    let files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "")).collect();
    let root = folder("many", &files);
    let mut expected = paths.clone();
    expected.sort_by(|one, other| one.split('/').cmp(other.split('/')));
    check_found(&root, &expected.join("\n"));
}

#[cfg(unix)]
#[test]
fn what_is_not_read_is_said() {
    use std::os::unix::fs::symlink;
    let root = folder("said", &[("real/a.yaml", ""), ("folder.yaml/b.yaml", ""), (".git/c.yaml", "")]);
    symlink("..", root.join("real/around")).unwrap();
    symlink(".", root.join("real/itself.yaml")).unwrap();
    symlink("nowhere", root.join("real/broken.yaml")).unwrap();
    symlink("nowhere", root.join("real/broken.txt")).unwrap();
    symlink("folder.yaml", root.join("inside")).unwrap();
    symlink("/", root.join("outside")).unwrap();
    symlink("/dev/null", root.join("outside.yaml")).unwrap();
    check_found(
        &root,
        "\
folder.yaml/b.yaml
inside/b.yaml
real/a.yaml
! folder.yaml: a folder, not a file
! outside: a link that leads out of the project; not followed
! outside.yaml: a link that leads out of the project; not followed
! real/around: a link to a parent folder; not followed
! real/broken.yaml: a broken link
! real/itself.yaml: a link to a parent folder; not followed",
    );
}
