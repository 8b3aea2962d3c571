//! Fixtures for tests: files, cursors and caret marks in one text.
