//! Parts that are inline or declared on their own.

use super::{check_action, check_titles};

#[test]
fn an_account_gets_a_document_of_its_own() {
    check_action(
        "
kind: Node
name: a
func: a.b
auth:
  service_account:
    # who runs it
    context:
      inject: [user$0.id] # the one
",
        "Extract ServiceAccount `a_account`",
        "
kind: Node
name: a
func: a.b
auth:
  service_account: a_account
---
kind: ServiceAccount
name: a_account
# who runs it
context:
  inject: [user.id] # the one
",
    );
}

#[test]
fn its_label_becomes_its_name() {
    check_action(
        "kind: Node\nname: a\nfunc: a.b\nauth: {service_account: {name: clerk, context: {inject: [$0user.id]}}}\n",
        "Extract ServiceAccount `clerk`",
        "kind: Node\nname: a\nfunc: a.b\nauth: {service_account: clerk}\n---\nkind: ServiceAccount\nname: clerk\ncontext: {inject: [user.id]}\n",
    );
}

const DECLARED: &str = "
kind: Node
name: a
func: a.b
auth:
  service_account: cle$0rk
---
kind: ServiceAccount
name: clerk
context:
  # who
  inject: [user.id]
";

#[test]
fn an_account_that_is_used_once_goes_in_place() {
    check_action(
        DECLARED,
        "Inline ServiceAccount `clerk`",
        "
kind: Node
name: a
func: a.b
auth:
  service_account:
    context:
      # who
      inject: [user.id]
",
    );
}

#[test]
fn an_account_that_others_use_stays() {
    let other = "---\nkind: Node\nname: b\nfunc: a.b\nauth: {service_account: clerk}\n";
    check_titles(&format!("{DECLARED}{other}"), "Inline ServiceAccount", &[]);
}
