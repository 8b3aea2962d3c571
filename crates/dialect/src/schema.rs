//! The dialect as JSON Schema, for editors and validators that know nothing else.
