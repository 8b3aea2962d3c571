//! Voice sessions in an AgentOS graph (agentos:2.5, agentos:5.8).

use crate::table::{Shape, Type, Word, field, integer_from, word};

/// The mode that delivers one line and ends.
pub const SPEAK_ONLY: &str = "speak-only";

/// What stands before the keyword in an exit reason.
pub const EXIT_KEYWORD_PREFIX: &str = "keyword:";

const MODES: &[Word] = &[
    word("conversation", "listens and speaks"),
    word("listen-only", "behaves as `conversation` does"),
    word(SPEAK_ONLY, "delivers `speakText` and ends"),
];

const ENDPOINTINGS: &[Word] = &[
    word("acoustic", "by silence"),
    word("heuristic", "by rules about what was said"),
    word("semantic", "by the meaning of what was said"),
];

const BARGE_INS: &[Word] = &[
    word("hard-cut", "stops speaking at once"),
    word("soft-fade", "fades out"),
    word("disabled", "continues to speak"),
];

const EXITS: &[Word] = &[
    word("hangup", "when the other side hangs up; always on"),
    word("silence-timeout", "after 30 seconds of silence"),
    word("keyword", "when one of `exitKeywords` is heard"),
    word("turns-exhausted", "after `maxTurns`; on whenever that is above 0"),
    word("manual", "arms nothing"),
];

/// How a session ends, beside keywords (`keyword:<keyword>`).
pub(super) const EXIT_REASONS: &[Word] = &[
    word("completed", "the line of a `speak-only` session was delivered"),
    word("interrupted", "the run was aborted"),
    word("hangup", "the other side hung up"),
    word("turns-exhausted", "`maxTurns` was reached"),
    word("silence-timeout", "nobody spoke for 30 seconds, with `exitOn: silence-timeout`"),
];

static A_KEYWORD: Type = Type::Text;

pub(super) static VOICE_CONFIG: Shape = Shape {
    name: "VoiceNodeConfig",
    doc: "A voice session. Only the node's `timeout` ends one that nobody closes.",
    fields: &[
        field("mode", Type::Word(MODES), "What the session does.").required(),
        field("stt", Type::Text, "Who turns speech into text. Default: the host's."),
        field("tts", Type::Text, "Who turns text into speech. Default: the host's."),
        field("voice", Type::Text, "The voice that speaks. Default: the host's."),
        field("language", Type::Text, "The language, for instance `en-US`. Default: the host's."),
        field(
            "endpointing",
            Type::Word(ENDPOINTINGS),
            "How the end of a turn is detected. Default: the host's.",
        ),
        field("bargeIn", Type::Word(BARGE_INS), "What an interruption does. Default: the host's."),
        field("diarization", Type::Boolean, "Whether speakers are distinguished. Default: the host's."),
        field(
            "maxTurns",
            integer_from(0),
            "The most turns; 0 is no limit. Ends the session whatever `exitOn` says.",
        )
        .default("0")
        .range_class("agentos:I25"),
        field("exitOn", Type::Word(EXITS), "What ends the session beside a hangup. Default: nothing."),
        field(
            "exitKeywords",
            Type::List(&A_KEYWORD),
            "With `exitOn: keyword`: what is listened for, as part of what was said, in any case.",
        )
        .needed_beside("exitOn", &["keyword"]),
        field("speakText", Type::Text, "With `mode: speak-only`: the line.")
            .needed_beside("mode", &[SPEAK_ONLY]),
    ],
};
