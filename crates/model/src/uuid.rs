//! Ids that say nothing to people.

/// Whether a name is a UUID, so that it means nothing to readers.
#[must_use]
pub fn is_uuid(name: &str) -> bool {
    const DASHES: [usize; 4] = [8, 13, 18, 23];
    let is_fine = |(position, byte): (usize, u8)| match DASHES.contains(&position) {
        true => byte == b'-',
        false => byte.is_ascii_hexdigit(),
    };
    name.len() == 36 && name.bytes().enumerate().all(is_fine)
}

#[cfg(test)]
mod tests {
    use super::is_uuid;

    #[test]
    fn uuids_are_known() {
        assert!(is_uuid("0b54a3f2-7c1d-4e7e-9a52-3f8d2c6b1e90"));
        assert!(!is_uuid("0b54a3f2-7c1d-4e7e-9a52-3f8d2c6b1e9x"));
        assert!(!is_uuid("claims"));
    }
}
