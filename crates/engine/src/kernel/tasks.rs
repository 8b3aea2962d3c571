//! The tasks of a run: which are alive, and which task began which. The place of a task that ended is used again. The
//! generation of the place keeps a late wake from reaching the task that now has the place.

use super::{System, Task};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId {
    place: u32,
    generation: u32,
}

/// The tasks of a run.
pub(super) struct Tasks<S: System> {
    slots: Vec<Slot<S>>,
    free: Vec<u32>,
}

struct Slot<S: System> {
    generation: u32,
    parent: Option<TaskId>,
    is_detached: bool,
    state: State<S>,
}

enum State<S: System> {
    Free,
    /// The task is taking a step.
    Away,
    Here(Box<dyn Task<S>>),
}

impl TaskId {
    /// The task that a run begins with.
    pub(super) const FIRST: TaskId = TaskId { place: 0, generation: 0 };
}

impl<S: System> Tasks<S> {
    /// How many tasks are alive.
    pub(super) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    pub(super) fn begin(&mut self, task: Box<dyn Task<S>>, parent: Option<TaskId>) -> TaskId {
        if let Some(place) = self.free.pop()
            && let Some(slot) = self.slots.get_mut(place as usize)
        {
            slot.parent = parent;
            slot.is_detached = false;
            slot.state = State::Here(task);
            return TaskId { place, generation: slot.generation };
        }
        let place = u32::try_from(self.slots.len()).unwrap_or(u32::MAX);
        self.slots.push(Slot { generation: 0, parent, is_detached: false, state: State::Here(task) });
        TaskId { place, generation: 0 }
    }

    pub(super) fn is_alive(&self, task: TaskId) -> bool {
        self.slots
            .get(task.place as usize)
            .is_some_and(|slot| slot.generation == task.generation && !matches!(slot.state, State::Free))
    }

    /// Takes a task out for a step.
    pub(super) fn take(&mut self, task: TaskId) -> Option<Box<dyn Task<S>>> {
        let slot = self.slot(task)?;
        match std::mem::replace(&mut slot.state, State::Away) {
            State::Here(work) => Some(work),
            other => {
                slot.state = other;
                None
            }
        }
    }

    /// Puts a task back after a step, if nobody ended it meanwhile.
    pub(super) fn put_back(&mut self, task: TaskId, work: Box<dyn Task<S>>) {
        if let Some(slot) = self.slot(task)
            && matches!(slot.state, State::Away)
        {
            slot.state = State::Here(work);
        }
    }

    /// Ends a task; returns the task that began it.
    pub(super) fn end(&mut self, task: TaskId) -> Option<TaskId> {
        let slot = self.slot(task)?;
        slot.generation = slot.generation.wrapping_add(1);
        slot.state = State::Free;
        let parent = slot.parent.take();
        self.free.push(task.place);
        parent
    }

    /// Lets a task continue independently of the one that began it; returns that one.
    pub(super) fn detach(&mut self, task: TaskId) -> Option<TaskId> {
        let slot = self.slot(task)?;
        slot.is_detached = true;
        slot.parent.take()
    }

    /// Whether a task that was detached still lives.
    pub(super) fn has_detached(&self) -> bool {
        self.slots.iter().any(|slot| slot.is_detached && !matches!(slot.state, State::Free))
    }

    /// Ends a task and everything that it began, directly or not.
    pub(super) fn end_with_children(&mut self, task: TaskId) {
        let mut ending = vec![task];
        while let Some(task) = ending.pop() {
            self.end(task);
            let children = self.slots.iter().enumerate().filter(|(_, slot)| slot.parent == Some(task));
            ending.extend(children.map(|(place, slot)| TaskId {
                place: u32::try_from(place).unwrap_or(u32::MAX),
                generation: slot.generation,
            }));
        }
    }

    fn slot(&mut self, task: TaskId) -> Option<&mut Slot<S>> {
        let slot = self.slots.get_mut(task.place as usize)?;
        (slot.generation == task.generation && !matches!(slot.state, State::Free)).then_some(slot)
    }
}

impl<S: System> Default for Tasks<S> {
    fn default() -> Self {
        Tasks { slots: Vec::new(), free: Vec::new() }
    }
}

impl<S: System> Clone for Tasks<S> {
    fn clone(&self) -> Self {
        Tasks { slots: self.slots.clone(), free: self.free.clone() }
    }
}

impl<S: System> Clone for Slot<S> {
    fn clone(&self) -> Self {
        let state = match &self.state {
            State::Free => State::Free,
            State::Away => State::Away,
            State::Here(task) => State::Here(task.copied()),
        };
        Slot { generation: self.generation, parent: self.parent, is_detached: self.is_detached, state }
    }
}
