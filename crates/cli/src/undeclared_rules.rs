//! Rules of the project that its configuration names and no file declares.
//!
//! Input: a project and the facts of its files. Output: a notice for each such name. Invariant: a rule that cannot be applied is
//! declared all the same, and another finding says what is wrong with it.

use std::collections::BTreeSet;

use nodewise_analysis::files::Files;
use nodewise_analysis::nearest;
use nodewise_analysis::project_rules::{finding_id, is_project_rule};
use nodewise_model::Body;
use nodewise_project::config::FILE_NAME;
use nodewise_project::discovery::Project;
use nodewise_project::notice::Notice;

/// The notices about the names.
pub(crate) fn notices(project: &Project, files: &Files) -> Vec<Notice> {
    let overridden = project.config.overrides.iter().flat_map(|(_, levels)| levels.keys());
    let named = project.config.settings.levels.keys().chain(overridden);
    let named: BTreeSet<&str> = named.map(String::as_str).filter(|id| is_project_rule(id)).collect();
    if named.is_empty() {
        return Vec::new();
    }
    // A file that is known by its links declares no rule, and need not be read.
    let documents = files.iter().filter(|file| !file.is_deferred()).flat_map(|file| &file.documents);
    let declarations = documents.filter_map(|document| document.effective.as_ref()?.declaration.as_ref());
    let ids = declarations.filter_map(|declaration| match &declaration.body {
        Body::Rule(rule) => finding_id(&rule.id.as_ref()?.value),
        _ => None,
    });
    let declared: BTreeSet<&str> = ids.collect();
    let notice = |id: &str| {
        let help = match nearest(id, declared.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`nodewise explain project` lists the rules of the project".to_owned(),
        };
        let path = project.shown.join(FILE_NAME).display().to_string();
        Notice::remark(path, format!("no rule of the project is called `{id}`"), help)
    };
    named.difference(&declared).map(|id| notice(id)).collect()
}
