//! The row about the whole store: which runs it has, and how often one began, ended or was deleted.
//!
//! Input: the table of runs; output: whether all of them are there. Invariant: the row changes in the transaction that adds or
//! deletes a run, so it fits the table at any moment.

use rusqlite::{Transaction, params};

use super::id::hash;

/// The only row of the table `store`.
#[derive(Debug, Clone, Copy)]
pub(super) struct WholeRow {
    /// A number that no other store has.
    pub(super) identity: i64,
    pub(super) revision: i64,
    /// How many runs the store should have.
    runs: i64,
    /// The sum of the checksums of the runs' ids.
    ids: i64,
    sum: i64,
}

/// The changes of runs that this row counts.
#[derive(Debug, Clone, Copy)]
pub(super) enum RunChange {
    Begins,
    Ends,
    IsDeleted,
}

impl WholeRow {
    pub(super) fn read(tx: &Transaction<'_>) -> rusqlite::Result<WholeRow> {
        tx.prepare_cached("SELECT identity, revision, runs, ids, sum FROM store")?.query_row([], |row| {
            Ok(WholeRow {
                identity: row.get(0)?,
                revision: row.get(1)?,
                runs: row.get(2)?,
                ids: row.get(3)?,
                sum: row.get(4)?,
            })
        })
    }

    /// Inserts the row of a store that has these runs.
    pub(super) fn make<'i>(tx: &Transaction<'_>, ids: impl Iterator<Item = &'i str>) -> rusqlite::Result<()> {
        let identity = tx.query_row("SELECT random()", [], |row| row.get(0))?;
        let mut row = WholeRow { identity, revision: 0, runs: 0, ids: 0, sum: 0 };
        ids.for_each(|id| row.change(id, RunChange::Begins));
        row.sum = row.checksum();
        tx.execute(
            "INSERT INTO store (identity, revision, runs, ids, sum) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![row.identity, row.revision, row.runs, row.ids, row.sum],
        )?;
        Ok(())
    }

    /// Updates the row when a run begins, ends or is deleted.
    pub(super) fn update(tx: &Transaction<'_>, id: &str, change: RunChange) -> rusqlite::Result<WholeRow> {
        let mut row = WholeRow::read(tx)?;
        // If the row was damaged, it must not get a checksum that fits.
        let was_sound = row.is_sound();
        row.change(id, change);
        row.revision += 1;
        if was_sound {
            row.sum = row.checksum();
        }
        tx.prepare_cached("UPDATE store SET revision = ?1, runs = ?2, ids = ?3, sum = ?4")?
            .execute(params![row.revision, row.runs, row.ids, row.sum])?;
        Ok(row)
    }

    fn change(&mut self, id: &str, change: RunChange) {
        let id = hash(&[id.as_bytes()]).cast_signed();
        match change {
            RunChange::Begins => (self.runs, self.ids) = (self.runs + 1, self.ids.wrapping_add(id)),
            RunChange::IsDeleted => (self.runs, self.ids) = (self.runs - 1, self.ids.wrapping_sub(id)),
            RunChange::Ends => {}
        }
    }

    fn is_sound(&self) -> bool {
        self.sum == self.checksum()
    }

    fn checksum(&self) -> i64 {
        let numbers = [self.identity, self.revision, self.runs, self.ids].map(i64::to_le_bytes);
        hash(&[&numbers.concat()]).cast_signed()
    }

    /// Describes the difference if the store has other runs than it should; `None` if it has the right ones.
    pub(super) fn difference<'i>(&self, ids: impl Iterator<Item = &'i str>) -> Option<String> {
        if !self.is_sound() {
            return Some("its list of runs is not as it was written".to_owned());
        }
        let (mut runs, mut sum) = (0, 0_i64);
        for id in ids {
            runs += 1;
            sum = sum.wrapping_add(hash(&[id.as_bytes()]).cast_signed());
        }
        match self.runs - runs {
            0 => (self.ids != sum).then(|| "the id of a run is not as it was written".to_owned()),
            1 => Some("one of its runs is missing".to_owned()),
            missing if missing > 0 => Some(format!("{missing} of its runs are missing")),
            _ => Some("it has more runs than were written".to_owned()),
        }
    }
}
