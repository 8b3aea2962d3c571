//! Prompts: what a person starts from the menu of a client.
//!
//! Input: arguments. Output: a message to the model. Invariant: the message names tools of this server.

pub(crate) struct PromptTemplate {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    /// The names and descriptions of the arguments. All of them are required.
    pub(crate) arguments: &'static [(&'static str, &'static str)],
    /// The message; `{name}` is replaced by the argument of this name.
    message: &'static str,
}

pub(crate) const PROMPTS: &[PromptTemplate] = &[
    PromptTemplate {
        name: "write-graph",
        title: "Write a graph",
        description: "Writes a new workflow and a scenario that shows that it works.",
        arguments: &[("system", "One of {dialects}"), ("purpose", "What the workflow is for")],
        message: "Write a workflow of {system}: {purpose}\n\n\
                  Use the tools of nodewise:\n\
                  1. `schema` with the name `{system}` lists the definitions, and shows one at a time. Do not guess fields.\n\
                  2. `check` with `text` checks a text before you save it. Correct errors first, then warnings; `explain` explains \
                  a rule.\n\
                  3. `format` the files.\n\
                  4. Write a scenario beside them (`schema` with the name `scenario`) with the answers of models and tools, and \
                  run it with `test`.\n\
                  5. `explore` says what no run reaches and which runs never end.\n\
                  You are done when `check` reports no errors and warnings, and `test` passes.",
    },
    PromptTemplate {
        name: "correct",
        title: "Correct a workflow",
        description: "Corrects what is wrong in files, and says what was meant where that is not certain.",
        arguments: &[("path", "A file or folder")],
        message: "Correct the workflow files in `{path}` with the tools of nodewise:\n\
                  1. `check` them. Errors come first. One cause has one finding; `explain` explains a rule.\n\
                  2. `fix` shows the corrections that keep the meaning; with `write` it applies them. With `unsafe` it shows \
                  guesses, such as similar names: apply only those that you have understood.\n\
                  3. Correct the rest by hand, and `check` again after each edit.\n\
                  4. `test` the scenarios, and `graph` the result.\n\
                  Say at the end what you changed, and ask where more than one correction is possible.",
    },
];

impl PromptTemplate {
    /// The message with its arguments. The error is the name of a missing argument.
    pub(crate) fn message(&self, value: impl Fn(&str) -> Option<String>) -> Result<String, &'static str> {
        // Everything is replaced in one pass, so that braces in a value are not replaced again.
        let mut message = String::new();
        let mut rest = self.message;
        while let Some((before, behind)) = rest.split_once('{') {
            let Some((name, after)) = behind.split_once('}') else { break };
            let known = self.arguments.iter().find(|(known, _)| *known == name);
            message.push_str(before);
            if let Some((name, _)) = known {
                message.push_str(&value(name).ok_or(*name)?);
            }
            rest = after;
        }
        message.push_str(rest);
        Ok(message)
    }
}

#[cfg(test)]
mod tests {
    use super::PROMPTS;

    #[test]
    fn messages_contain_each_argument_and_name_tools_that_exist() {
        for prompt in PROMPTS {
            let message = prompt.message(|name| Some(format!("<{{{name}}}>"))).unwrap();
            for (name, _) in prompt.arguments {
                assert!(message.contains(&format!("<{{{name}}}>")), "{message}");
                assert_eq!(prompt.message(|_| None), Err(prompt.arguments[0].0));
            }
            let is_tool = |word: &&str| crate::tools::TOOLS.iter().any(|tool| tool.name == *word);
            assert!(message.split('`').skip(1).step_by(2).filter(is_tool).count() > 2, "{message}");
        }
    }
}
