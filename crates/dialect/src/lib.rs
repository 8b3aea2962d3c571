//! The dialects: one declarative table each, and everything that reads it.
//!
//! Reading order: [`table`] (the words a table is written in), [`tables`] (the tables),
//! [`value`] (a document as located values), [`recognise`] (whose file is it?), [`bind`] (a value
//! against a table: problems and uses), [`bundle`] and [`template`] (localized texts), [`overlay`]
//! (merging declarations), [`lower`] (value to model), [`walk`] and [`place`] (what the table says about each part, and about a
//! place where nothing stands yet), [`schema`] and [`reference`] (what others read), [`defaults`] (what may be left out),
//! [`meaning`] (what a document says, however it is written). [`tight`] makes lists for what is held for long,
//! and [`packed_text`] keeps what few users read.

pub mod bind;
pub mod bundle;
pub mod defaults;
mod forms;
pub mod lower;
pub mod meaning;
pub mod overlay;
pub mod packed_text;
pub mod place;
pub mod recognise;
pub mod recovery;
pub mod reference;
pub mod schema;
pub mod suggest;
pub mod table;
pub mod tables;
pub mod template;
pub mod tight;
pub mod value;
pub mod walk;
