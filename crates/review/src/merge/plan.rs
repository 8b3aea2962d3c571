//! What has to change in our values, so that they say what their changes say too.
//!
//! Input: the documents of three versions. Output: steps in our text, or conflicts. Invariant: what only one side changed is
//! never a conflict; items of a list are distinguished by what the table says, or not at all.

use nodewise_dialect::meaning::{ItemIdentity, item_identity};
use nodewise_dialect::table::{Field, Shape, Type};
use nodewise_syntax::write::NewValue;

use super::{MergeConflict, MergedDocument};

/// A change that the merge makes in our text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MergeStep {
    pub(super) document: usize,
    /// The path to the mapping or list that changes.
    pub(super) path: Vec<PathStep>,
    pub(super) kind: MergeStepKind,
}

/// One step from a value to a value inside it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum PathStep {
    Key(String),
    /// The list item with these members.
    Item(Vec<(&'static str, NewValue)>),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum MergeStepKind {
    /// Sets a key to a value. A new key is inserted after the key `behind`.
    Set {
        key: String,
        value: NewValue,
        behind: Option<String>,
    },
    RemoveKey(String),
    /// Inserts an item after the item with the members `behind`, or at the end.
    Add {
        value: NewValue,
        behind: Option<Vec<(&'static str, NewValue)>>,
    },
    /// Removes the item with these members.
    Remove(Vec<(&'static str, NewValue)>),
    /// Removes the item with this value.
    RemoveValue(NewValue),
    /// Adds a document at the end.
    AddDocument(NewValue),
}

/// The steps that bring their changes into our documents. Returns the conflicts if both sides changed the same parts.
pub(super) fn plan(
    base: &[MergedDocument],
    ours: &[MergedDocument],
    theirs: &[MergedDocument],
) -> Result<Vec<MergeStep>, Vec<MergeConflict>> {
    let mut planner = Planner::default();
    let kinds = |documents: &[MergedDocument]| {
        documents.iter().take(base.len()).map(|one| (one.kind, name(one))).collect::<Vec<_>>()
    };
    if base.is_empty() || kinds(ours) != kinds(base) || kinds(theirs) != kinds(base) {
        return Err(vec![MergeConflict::whole("a document was added in front, removed or renamed")]);
    }
    for (position, ((base, ours), theirs)) in base.iter().zip(ours).zip(theirs).enumerate() {
        planner.document = position;
        planner.mapping(Some(base.shape), &base.value, &ours.value, &theirs.value);
    }
    let added = theirs.get(base.len()..).unwrap_or_default();
    let own = ours.get(base.len()..).unwrap_or_default();
    for document in added {
        match own.iter().find(|own| (own.kind, name(own)) == (document.kind, name(document))) {
            None => planner.step(MergeStepKind::AddDocument(document.value.clone())),
            Some(own) if is_same(&own.value, &document.value) => {}
            Some(_) => planner.conflict("both sides added it, each in another way"),
        }
    }
    if planner.conflicts.is_empty() { Ok(planner.steps) } else { Err(planner.conflicts) }
}

/// The value of the key that names the document, if its kind has one.
fn name(document: &MergedDocument) -> Option<NewValue> {
    let key = item_identity(document.shape).key?;
    member(&document.value, key).cloned()
}

#[derive(Default)]
struct Planner {
    document: usize,
    path: Vec<PathStep>,
    steps: Vec<MergeStep>,
    conflicts: Vec<MergeConflict>,
}

impl Planner {
    fn step(&mut self, kind: MergeStepKind) {
        self.steps.push(MergeStep { document: self.document, path: self.path.clone(), kind });
    }

    fn conflict(&mut self, message: &str) {
        let path = self.path.iter().map(|step| match step {
            PathStep::Key(key) => key.clone(),
            PathStep::Item(members) => {
                members.iter().map(|(_, value)| in_words(value)).collect::<Vec<_>>().join(" -> ")
            }
        });
        let path = path.collect::<Vec<_>>().join(".");
        self.conflicts.push(MergeConflict { path, message: message.to_owned() });
    }

    fn within(&mut self, step: PathStep, plan: impl FnOnce(&mut Self)) {
        self.path.push(step);
        plan(self);
        self.path.pop();
    }

    fn mapping(
        &mut self,
        shape: Option<&'static Shape>,
        base: &NewValue,
        ours: &NewValue,
        theirs: &NewValue,
    ) {
        let (NewValue::Mapping(old), NewValue::Mapping(own), NewValue::Mapping(new)) = (base, ours, theirs)
        else {
            if !is_same(theirs, base) && !is_same(theirs, ours) {
                self.conflict("both sides changed it, each in another way");
            }
            return;
        };
        let mut behind: Option<String> = None;
        for (key, value) in new {
            let (before, known) = (get(old, key), get(own, key));
            let field = shape.and_then(|shape| shape.field(key));
            match (before, known) {
                (Some(before), _) if is_same(before, value) => {}
                (_, Some(known)) if is_same(known, value) => {}
                (None, None) => {
                    let kind = MergeStepKind::Set {
                        key: key.to_owned(),
                        value: value.clone(),
                        behind: behind.clone(),
                    };
                    self.step(kind);
                }
                (Some(_), None) => {
                    self.within(PathStep::Key(key.clone()), |planner| {
                        planner.conflict("one side removed it, and the other changed it");
                    });
                }
                (before, Some(known)) => self.member(field, key, (before, known, value)),
            }
            behind = Some(key.clone());
        }
        for (key, before) in old.iter().filter(|(key, _)| get(new, key).is_none()) {
            match get(own, key) {
                Some(known) if is_same(known, before) => self.step(MergeStepKind::RemoveKey(key.clone())),
                Some(_) => self.within(PathStep::Key(key.clone()), |planner| {
                    planner.conflict("one side removed it, and the other changed it");
                }),
                None => {}
            }
        }
    }

    /// Merges a key whose value differs between our and their version.
    fn member(
        &mut self,
        field: Option<&'static Field>,
        key: &str,
        (before, own, new): (Option<&NewValue>, &NewValue, &NewValue),
    ) {
        match (before, own, new) {
            (before, NewValue::Mapping(_), NewValue::Mapping(_)) if before.is_none_or(is_mapping) => {
                let empty = NewValue::Mapping(Vec::new());
                let shape = field.and_then(|field| shape_of(field.ty));
                self.within(PathStep::Key(key.to_owned()), |planner| {
                    planner.mapping(shape, before.unwrap_or(&empty), own, new);
                });
            }
            (before, NewValue::Sequence(own), NewValue::Sequence(new)) if before.is_none_or(is_sequence) => {
                let old = before.map(items).unwrap_or_default();
                self.within(PathStep::Key(key.to_owned()), |planner| {
                    if !planner.list(field, (old, own, new)) {
                        planner.whole((before, own, new), key);
                    }
                });
            }
            (Some(before), own, new) if is_same(before, own) => {
                self.step(MergeStepKind::Set { key: key.to_owned(), value: new.clone(), behind: None });
            }
            _ => self.within(PathStep::Key(key.to_owned()), |planner| {
                planner.conflict("both sides changed it, each in another way");
            }),
        }
    }

    /// Merges a list as one value.
    fn whole(&mut self, (before, own, new): (Option<&NewValue>, &[NewValue], &[NewValue]), key: &str) {
        let own = NewValue::Sequence(own.to_vec());
        if before.is_some_and(|before| is_same(before, &own)) {
            let last = self.path.pop();
            let value = NewValue::Sequence(new.to_vec());
            self.step(MergeStepKind::Set { key: key.to_owned(), value, behind: None });
            self.path.extend(last);
        } else {
            self.conflict("both sides changed the list, each in another way");
        }
    }

    /// Merges a list item by item. Returns `false` if the table or the items do not allow it.
    fn list(
        &mut self,
        field: Option<&'static Field>,
        (old, own, new): (&[NewValue], &[NewValue], &[NewValue]),
    ) -> bool {
        let Some(field) = field else { return false };
        let lists = [old, own, new];
        if field.is_unordered && lists.iter().all(|list| list.iter().all(is_scalar)) {
            self.words(old, own, new);
            return true;
        }
        let Some(shape) = item_shape(field.ty) else { return false };
        let identity = item_identity(shape);
        let names = lists.map(|list| identities(&identity, list));
        let [Some(old_names), Some(own_names), Some(new_names)] = &names else { return false };
        let order = |names: &[ItemName]| -> Vec<ItemName> {
            let both = |name: &&ItemName| old_names.contains(name) && new_names.contains(name);
            names.iter().filter(both).cloned().collect()
        };
        if !field.is_unordered && order(old_names) != order(new_names) {
            self.conflict("one side changed the order of the list, and the other changed the list too");
            return true;
        }
        let mut behind = None;
        for (name, value) in new_names.iter().zip(new) {
            match (at(old_names, old, name), at(own_names, own, name)) {
                (Some(before), _) if is_same(before, value) => {}
                (_, Some(known)) if is_same(known, value) => {}
                (None, None) => {
                    self.step(MergeStepKind::Add { value: value.clone(), behind: behind.clone() })
                }
                (Some(_), None) => self.within(PathStep::Item(name.clone()), |planner| {
                    planner.conflict("one side removed it, and the other changed it");
                }),
                (before, Some(known)) => {
                    let empty = NewValue::Mapping(Vec::new());
                    self.within(PathStep::Item(name.clone()), |planner| {
                        planner.mapping(Some(shape), before.unwrap_or(&empty), known, value);
                    });
                }
            }
            behind = Some(name.clone());
        }
        for (name, before) in old_names.iter().zip(old).filter(|(name, _)| !new_names.contains(name)) {
            match at(own_names, own, name) {
                Some(known) if is_same(known, before) => self.step(MergeStepKind::Remove(name.clone())),
                Some(_) => self.within(PathStep::Item(name.clone()), |planner| {
                    planner.conflict("one side removed it, and the other changed it");
                }),
                None => {}
            }
        }
        true
    }

    /// Merges a list of scalars whose order has no meaning.
    fn words(&mut self, old: &[NewValue], own: &[NewValue], new: &[NewValue]) {
        for word in new.iter().filter(|word| !old.contains(word) && !own.contains(word)) {
            self.step(MergeStepKind::Add { value: word.clone(), behind: None });
        }
        for word in old.iter().filter(|word| !new.contains(word) && own.contains(word)) {
            self.step(MergeStepKind::RemoveValue(word.clone()));
        }
    }
}

/// The members that identify an item of a list.
pub(super) type ItemName = Vec<(&'static str, NewValue)>;

/// The identifying members of all items. `None` if an item has none, or if two items have the same.
fn identities(identity: &ItemIdentity, list: &[NewValue]) -> Option<Vec<ItemName>> {
    let by_key = |value: &NewValue| Some(vec![(identity.key?, member(value, identity.key?)?.clone())]);
    let by_ends = |value: &NewValue| -> Option<ItemName> {
        let ends = identity.ends.iter().map(|key| Some((*key, member(value, key)?.clone())));
        ends.collect::<Option<ItemName>>().filter(|ends| !ends.is_empty())
    };
    let names: Option<Vec<ItemName>> =
        list.iter().map(|value| by_key(value).or_else(|| by_ends(value))).collect();
    let names = names?;
    let is_unique =
        |(position, name): (usize, &ItemName)| !names.iter().skip(position + 1).any(|other| other == name);
    names.iter().enumerate().all(is_unique).then_some(names)
}

fn at<'v>(names: &[ItemName], list: &'v [NewValue], name: &ItemName) -> Option<&'v NewValue> {
    list.get(names.iter().position(|known| known == name)?)
}

/// The shape of the items of a list.
fn item_shape(ty: Type) -> Option<&'static Shape> {
    match ty {
        Type::List(item) | Type::OneOrMany(item) => shape_of(*item),
        Type::Sized(inner, _) | Type::Lenient(inner) => item_shape(*inner),
        _ => None,
    }
}

fn shape_of(ty: Type) -> Option<&'static Shape> {
    match ty {
        Type::Object(shape) | Type::Open(shape) => Some(shape),
        Type::Sized(inner, _) | Type::Lenient(inner) => shape_of(*inner),
        _ => None,
    }
}

fn member<'v>(value: &'v NewValue, key: &str) -> Option<&'v NewValue> {
    match value {
        NewValue::Mapping(members) => get(members, key),
        _ => None,
    }
}

fn get<'v>(members: &'v [(String, NewValue)], key: &str) -> Option<&'v NewValue> {
    members.iter().find(|(known, _)| known == key).map(|(_, value)| value)
}

fn items(value: &NewValue) -> &[NewValue] {
    match value {
        NewValue::Sequence(items) => items,
        _ => &[],
    }
}

fn is_mapping(value: &NewValue) -> bool {
    matches!(value, NewValue::Mapping(_))
}

fn is_sequence(value: &NewValue) -> bool {
    matches!(value, NewValue::Sequence(_))
}

fn is_scalar(value: &NewValue) -> bool {
    matches!(value, NewValue::Text(_) | NewValue::Literal(_))
}

/// Whether two values are the same; the order of keys means nothing.
fn is_same(one: &NewValue, other: &NewValue) -> bool {
    match (one, other) {
        (NewValue::Mapping(one), NewValue::Mapping(other)) => {
            let is_there = |(key, value): &(String, NewValue)| {
                get(other, key).is_some_and(|known| is_same(value, known))
            };
            one.len() == other.len() && one.iter().all(is_there)
        }
        (NewValue::Sequence(one), NewValue::Sequence(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (one, other) => one == other,
    }
}

fn in_words(value: &NewValue) -> String {
    match value {
        NewValue::Text(text) | NewValue::Literal(text) => text.clone(),
        NewValue::Mapping(_) | NewValue::Sequence(_) => "…".to_owned(),
    }
}
