//! The pages, as HTML.
//!
//! Input: waiting runs, a question, what a person wrote; output: a page. Invariant: what runs and people write appears as text alone,
//! and every page works without scripts and with the keyboard.

use serde_json::{Value as Json, json};

use super::links::{Links, Ticket, question_path};
use super::{DecisionRecord, OpenQuestion, RunFacts, WaitingRun};
use crate::people::Topic;
use crate::store::{Moment, RunStatus};

/// The style sheet of all pages.
pub(super) const STYLE: &str = include_str!("style.css");
pub(super) const STYLE_PATH: &str = "/style.css";

/// The names of the form's fields.
pub(super) const NAME: &str = "name";
pub(super) const DECISION: &str = "decision";
pub(super) const DATA: &str = "data";
pub(super) const WORD: &str = "word";
/// The value of the button that decides with the text in the field [`WORD`].
pub(super) const OWN_WORD: &str = "word";
/// The most characters of a person's name.
pub(super) const NAME_MAX: usize = 200;

/// What a person wrote into a form that was refused, and why it was refused.
#[derive(Debug, Clone, Default)]
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) data: String,
    pub(super) word: String,
    /// The name of the wrong field, and a message about it.
    pub(super) fault: Option<(&'static str, String)>,
}

/// The page with the waiting runs. Its links expire together with the link to this page.
pub(super) fn list(runs: &[WaitingRun], links: &Links, expires: u64) -> String {
    let mut body = "<h1>Runs that wait for a decision</h1>\n".to_owned();
    if runs.is_empty() {
        body.push_str("<p>No run waits. Load the page again to look again.</p>\n");
    }
    for run in runs {
        body.push_str("<section>\n");
        body.push_str(&format!("<h2 dir=\"auto\">{}</h2>\n", escaped(called(&run.facts))));
        body.push_str(&facts(&run.facts));
        body.push_str("<ul>\n");
        for question in &run.questions {
            let node = escaped(&question.node);
            let state = match &question.decided {
                Some(record) => format!("{node}: {}", said(record)),
                None => {
                    let link = links.local(&question_path(&run.facts.id, &question.key), expires);
                    let words = escaped(&line(&question.question));
                    format!(
                        "<a href=\"{}\">Decide at {node}</a>: <span dir=\"auto\">{words}</span>",
                        escaped(&link)
                    )
                }
            };
            body.push_str(&format!("<li>{state}</li>\n"));
        }
        body.push_str("</ul>\n</section>\n");
    }
    whole("Runs that wait", &body)
}

/// The page of an open question, with the form to decide it.
pub(super) fn question(run: &RunFacts, question: &OpenQuestion, ticket: &Ticket, draft: &Draft) -> String {
    let title = format!("Decision at {}", question.node);
    let mut body = String::new();
    if let Some((field, fault)) = &draft.fault {
        body.push_str(&format!(
            "<p class=\"error\" role=\"alert\">Nothing is decided yet. <a href=\"#{field}\">{}</a></p>\n",
            escaped(fault)
        ));
    }
    body.push_str(&format!("<h1 dir=\"auto\">{}</h1>\n", escaped(&title)));
    body.push_str(&facts(run));
    body.push_str("<h2>Question</h2>\n");
    body.push_str(&match &question.question {
        Json::String(words) => format!("<p class=\"question\" dir=\"auto\">{}</p>\n", escaped(words)),
        other => value(other, "The question"),
    });
    let is_empty = |review: &Json| *review == json!({}) || *review == json!([]);
    if let Some(review) = question.review.as_ref().filter(|review| !is_empty(review)) {
        let head = match question.topic {
            Topic::Approval => "What to look at",
            Topic::Again => "The call",
        };
        body.push_str(&format!("<h2>{head}</h2>\n{}", members(review)));
    }
    body.push_str("<h2>Your decision</h2>\n");
    body.push_str(&form(run, question, ticket, draft));
    whole(&title, &body)
}

/// The page of a question that was decided.
pub(super) fn decided(run: &RunFacts, record: &DecisionRecord) -> String {
    let body = format!(
        "<h1>Decided</h1>\n<p class=\"question\" dir=\"auto\">{}.</p>\n{}<p>{}</p>\n",
        said(record),
        facts(run),
        goes_on(run)
    );
    whole("Decided", &body)
}

/// The page for a decision that came too late, because someone decided before.
pub(super) fn decided_before(run: &RunFacts, record: &DecisionRecord) -> String {
    let body = format!(
        "<h1>This was decided already</h1>\n<p role=\"alert\">Your decision was not taken. \
         <span dir=\"auto\">{}.</span></p>\n{}<p>{}</p>\n",
        said(record),
        facts(run),
        goes_on(run)
    );
    whole("Decided already", &body)
}

/// The page of a question that the run does not wait for now.
pub(super) fn closed(run: &RunFacts) -> String {
    let (title, help) = match &run.status {
        // The run may be busy with the decision of another question.
        RunStatus::Running => (
            "The run is running",
            "It does not wait for this now. If it asks this again, it is here when the run waits next: load the page again.",
        ),
        _ => (
            "The run does not wait for this any more",
            "It was decided elsewhere, or the run ended. Nothing is left to decide here.",
        ),
    };
    whole(title, &format!("<h1>{title}</h1>\n<p>{help}</p>\n{}", facts(run)))
}

/// A page that says what is wrong, and what to do.
pub(super) fn fault(title: &str, help: &str) -> String {
    whole(title, &format!("<h1>{}</h1>\n<p>{}</p>\n", escaped(title), escaped(help)))
}

/// The page for a link that has expired.
pub(super) fn expired(at: Moment) -> String {
    fault(
        "The link has expired",
        &format!(
            "It was valid until {at} UTC. Ask the person who runs `nodewise serve --decisions` for a new one."
        ),
    )
}

fn form(run: &RunFacts, question: &OpenQuestion, ticket: &Ticket, draft: &Draft) -> String {
    let action = escaped(&question_path(&run.id, &question.key));
    // The Enter key in a field presses the first button, so the first button is one that does nothing.
    let mut form = format!(
        "<form method=\"post\" action=\"{action}\">\n<button type=\"submit\" disabled hidden></button>\n\
         <input type=\"hidden\" name=\"expires\" value=\"{}\">\n<input type=\"hidden\" name=\"signature\" value=\"{}\">\n",
        ticket.expires,
        escaped(&ticket.signature)
    );
    let hint = "It is kept with the decision.";
    form.push_str(&field(
        draft,
        (NAME, "Your name", hint),
        &format!("<input id=\"name\" name=\"name\" autocomplete=\"name\" maxlength=\"{NAME_MAX}\" required value=\"{}\"", escaped(&draft.name)),
        ">",
    ));
    let area = |hint, label| {
        let open = "<textarea id=\"data\" name=\"data\" rows=\"3\"";
        field(draft, (DATA, label, hint), open, &format!(">\n{}</textarea>", escaped(&draft.data)))
    };
    let button = |class: &str, value: &str, label: &str| {
        format!(
            "<button type=\"submit\" class=\"{class}\" name=\"decision\" value=\"{value}\">{label}</button>\n"
        )
    };
    match question.topic {
        Topic::Approval => {
            form.push_str(&area("Optional: a text, or JSON if the graph reads it.", "Comment"));
            form.push_str(&button("approve", "approved", "Approve"));
            form.push_str(&button("reject", "rejected", "Reject"));
            form.push_str("<fieldset>\n<legend>Answer with another word</legend>\n");
            let open = format!(
                "<input id=\"word\" name=\"word\" autocomplete=\"off\" value=\"{}\"",
                escaped(&draft.word)
            );
            form.push_str(&field(
                draft,
                (WORD, "Word", "Only if the graph expects another word than approved or rejected."),
                &open,
                ">",
            ));
            form.push_str(&button("word", OWN_WORD, "Answer with this word"));
            form.push_str("</fieldset>\n");
        }
        Topic::Again => {
            form.push_str(&button("approve", "approved", "Make the call again"));
            form.push_str(&button("reject", "rejected", "Let the call fail"));
            form.push_str("<fieldset>\n<legend>Give the result of the call</legend>\n");
            form.push_str(&area("JSON, if you know what the call did.", "Result"));
            form.push_str(&button("word", crate::driver::ANSWER, "Use this result"));
            form.push_str("</fieldset>\n");
        }
    }
    form.push_str("</form>\n");
    form
}

/// A field of the form with its label, its hint and its error, if there is one.
fn field(draft: &Draft, (id, label, hint): (&str, &str, &str), open: &str, close: &str) -> String {
    let is_wrong = draft.fault.as_ref().is_some_and(|(field, _)| *field == id);
    let wrong = if is_wrong { " aria-invalid=\"true\"" } else { "" };
    format!(
        "<label for=\"{id}\">{label}</label>\n<p class=\"hint\" id=\"{id}-hint\">{hint}</p>\n\
         {open} aria-describedby=\"{id}-hint\"{wrong}{close}\n"
    )
}

fn facts(run: &RunFacts) -> String {
    let title = escaped(&run.title);
    format!(
        "<dl>\n<dt>Run</dt><dd><code>{}</code></dd>\n<dt>What runs</dt><dd dir=\"auto\">{title}</dd>\n\
         <dt>Began</dt><dd>{}</dd>\n<dt>Status</dt><dd>{}</dd>\n</dl>\n",
        escaped(&run.id),
        time(run.begun),
        escaped(run.status.word())
    )
}

/// A sentence about how a run continues after a decision.
fn goes_on(run: &RunFacts) -> &'static str {
    match &run.status {
        RunStatus::Waiting(_) => {
            "The decision is kept. The run continues with it; load the page again to see how it stands."
        }
        RunStatus::Running => "The run continues. You can close this page.",
        RunStatus::Interrupted => {
            "The run is not finished, and nobody drives it: continue it with `nodewise resume`."
        }
        RunStatus::Ended { .. } => "The run has ended.",
    }
}

fn called(run: &RunFacts) -> &str {
    run.name.as_deref().unwrap_or(&run.title)
}

/// Who decided what and when, as HTML.
fn said(record: &DecisionRecord) -> String {
    let word = match record.word.as_str() {
        "approved" => "approved this".to_owned(),
        "rejected" => "rejected this".to_owned(),
        crate::driver::ANSWER => "gave the result".to_owned(),
        word => format!("answered “{}”", escaped(word)),
    };
    format!("<bdi>{}</bdi> {word} on {}", escaped(&record.by), time(record.at))
}

fn time(at: Moment) -> String {
    format!("<time datetime=\"{}\">{at} UTC</time>", at.iso())
}

/// What a person should look at, as a list of names and values.
fn members(shown: &Json) -> String {
    let Json::Object(members) = shown else { return value(shown, "What to look at") };
    let mut list = "<dl>\n".to_owned();
    for (name, member) in members {
        list.push_str(&format!("<dt dir=\"auto\">{}</dt><dd>{}</dd>\n", escaped(name), value(member, name)));
    }
    list + "</dl>\n"
}

fn value(shown: &Json, name: &str) -> String {
    match shown {
        Json::String(text) => format!("<p class=\"value\" dir=\"auto\">{}</p>", escaped(text)),
        Json::Array(_) | Json::Object(_) => format!(
            // Elements that scroll must be reachable with the keyboard.
            "<pre tabindex=\"0\" role=\"region\" aria-label=\"{}\">{}</pre>",
            escaped(name),
            escaped(&format!("{shown:#}"))
        ),
        other => format!("<p class=\"value\">{other}</p>"),
    }
}

/// A question on one line.
fn line(question: &Json) -> String {
    question.as_str().map_or_else(|| question.to_string(), str::to_owned)
}

fn whole(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{} – nodewise</title>\n\
         <link rel=\"stylesheet\" href=\"{STYLE_PATH}\">\n</head>\n<body>\n<header>nodewise</header>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escaped(title)
    )
}

/// Escapes a text for HTML, including values of attributes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // HTML allows no other control characters.
            '\n' | '\r' | '\t' => out.push(character),
            other if other.is_control() => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}
