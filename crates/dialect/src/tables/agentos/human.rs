//! Questions for a person in an AgentOS graph (agentos:2.4).

use super::executor::TYPE;
use crate::table::{
    Discriminator, Field, Form, NameUse, ReviewTopic, Shape, Symbol, Type, Word, field, number, word,
};

const EFFORTS: &[Word] = &[
    word("low", "the least"),
    word("medium", "moderate"),
    word("high", "much"),
    word("xhigh", "very much"),
    word("max", "the most"),
];

const TIMEOUT_MEANINGS: &[Word] =
    &[word("accept", "approved"), word("reject", "rejected"), word("error", "the node fails")];

pub(super) const HUMAN_FIELDS: &[Field] = &[
    TYPE,
    field("prompt", Type::Text, "The question; a judge reads it too.").topic(ReviewTopic::Prompt).required(),
    field("autoAccept", Type::Boolean, "Approves at once; wins over everything below.").default("false"),
    field("autoReject", Type::OneOf(REJECTIONS), "Rejects at once; a text that is not empty is the reason.")
        .default("false"),
    field(
        "judge",
        Type::Object(&JUDGE),
        "A model that decides. The person is asked when it is not sure enough, or fails.",
    ),
    field(
        "onTimeout",
        Type::Word(TIMEOUT_MEANINGS),
        "What the node's `timeout` means. Asking a person returns at once, so only a slow judge can run into it.",
    )
    .default("error"),
    field(
        "guardrailOverride",
        Type::Boolean,
        "Whether guardrails may veto an automated approval; they are always `pii-redaction` and `code-safety`.",
    )
    .default("true"),
];

const REJECTIONS: &[Form] = &[
    Form { when: Discriminator::Boolean, ty: Type::Boolean },
    Form { when: Discriminator::Otherwise, ty: Type::Text },
];

static JUDGE: Shape = Shape {
    name: "HumanJudge",
    doc: "A language model that decides in a person's place.",
    fields: &[
        field(
            "model",
            Type::Symbol(Symbol::Model, NameUse::Refers),
            "The model. A provider other than `openai` needs it, or the run fails.",
        )
        .default("gpt-5.6"),
        field("provider", Type::Text, "Whose model it is.").default("openai"),
        field(
            "effort",
            Type::Word(EFFORTS),
            "How much the model thinks. `max` when the model is the default too, else the model's own.",
        ),
        field("criteria", Type::Text, "What it decides by. Default: a rubric about safety."),
        field(
            "confidenceThreshold",
            number(0.0, 1.0),
            "How sure it must be; a verdict counts from this confidence on.",
        )
        .default("0.7")
        .range_class("agentos:I23"),
    ],
};
