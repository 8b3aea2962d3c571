//! Prints notices about a run on standard error.

use nodewise_project::notice::Notice;

use crate::output::{complain, remark};

/// Prints each notice once, in order. Returns whether one of them is a failure.
pub(crate) fn print_all(mut notices: Vec<Notice>) -> bool {
    notices.sort();
    notices.dedup();
    for notice in &notices {
        let level = if notice.is_failure { "error" } else { "warning" };
        let say = if notice.is_failure { complain } else { remark };
        say(&format!("{level}: {}: {}\n  help: {}", notice.path, notice.reason, notice.help));
    }
    notices.iter().any(|notice| notice.is_failure)
}
