//! Server-sent events: an answer that comes in parts. In: bytes, cut anywhere; out: events. Invariant: how the bytes are cut changes
//! nothing of the events.

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Event {
    /// The name of the event; empty if it has none.
    pub(super) name: String,
    pub(super) data: String,
}

/// Splits a stream of bytes into events.
#[derive(Debug, Default)]
pub(super) struct Events {
    line: Vec<u8>,
    /// Whether the last line ended in a carriage return. A line feed after it belongs to the same line break.
    after_return: bool,
    event: Event,
    has_data: bool,
    /// How many bytes of the current event have arrived.
    size: usize,
}

/// The largest event, in bytes. No event of an answer is as large.
const LARGEST: usize = 16 * 1024 * 1024;

/// The error that an event is larger than the limit.
#[derive(Debug, PartialEq)]
pub(super) struct TooLarge;

impl Events {
    /// Takes bytes, and returns the events that they complete.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<Vec<Event>, TooLarge> {
        let mut events = Vec::new();
        for byte in bytes {
            match byte {
                b'\n' if self.after_return => self.after_return = false,
                b'\n' | b'\r' => {
                    self.after_return = *byte == b'\r';
                    events.extend(self.end_line());
                }
                byte => {
                    self.after_return = false;
                    self.line.push(*byte);
                    self.size += 1;
                }
            }
            if self.size > LARGEST {
                return Err(TooLarge);
            }
        }
        Ok(events)
    }

    /// The last event, which may lack the blank line after it. Call this when no more bytes come.
    pub(super) fn end(&mut self) -> Option<Event> {
        let last = if self.line.is_empty() { None } else { self.end_line() };
        last.or_else(|| self.end_event())
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        if line.is_empty() {
            return self.end_event();
        }
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field.trim_start_matches('\u{feff}') {
            "event" => self.event.name = value.to_owned(),
            "data" => {
                if self.has_data {
                    self.event.data.push('\n');
                }
                self.has_data = true;
                self.event.data.push_str(value);
            }
            // Comments only keep the connection open. Ids and retry times are for clients that connect again.
            _ => {}
        }
        None
    }

    fn end_event(&mut self) -> Option<Event> {
        self.size = 0;
        let event = std::mem::take(&mut self.event);
        std::mem::take(&mut self.has_data).then_some(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each event as `name=data`, whole and cut at every byte.
    fn check_events(text: &str, expected: &[&str]) {
        for size in [text.len().max(1), 1, 2, 3] {
            let mut events = Events::default();
            let mut found = Vec::new();
            for bytes in text.as_bytes().chunks(size) {
                found.extend(events.push(bytes).expect("small"));
            }
            found.extend(events.end());
            let found: Vec<String> =
                found.into_iter().map(|event| format!("{}={}", event.name, event.data)).collect();
            assert_eq!(found, expected, "{text:?} by {size}");
        }
    }

    #[test]
    fn events_are_cut_at_blank_lines() {
        check_events("data: a\n\ndata: b\n\n", &["=a", "=b"]);
        check_events("event: x\r\ndata: a\r\n\r\ndata:b\r\n\r\n", &["x=a", "=b"]);
        check_events("data: a\r\rdata: b\r\r", &["=a", "=b"]);
        check_events("data: a\ndata: b\n\n", &["=a\nb"]);
        check_events("data\n\n", &["="]);
    }

    #[test]
    fn what_is_no_event_is_left_out() {
        check_events(": hello\n\nid: 1\nretry: 5\n\ndata: a\n\n", &["=a"]);
        check_events("event: x\n\ndata: a\n\n", &["=a"]);
    }

    #[test]
    fn the_last_event_needs_no_blank_line() {
        check_events("data: a\n\ndata: [DONE]", &["=a", "=[DONE]"]);
        check_events("data: é", &["=é"]);
        check_events("", &[]);
    }

    #[test]
    fn an_event_has_an_end() {
        let mut events = Events::default();
        let bytes = vec![b'a'; LARGEST];
        assert_eq!(events.push(&bytes), Ok(Vec::new()));
        assert_eq!(events.push(b"aa"), Err(TooLarge));
    }
}
