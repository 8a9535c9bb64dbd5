//! Finds the conversation in the entries of a session.
//!
//! A session's file is a tree that grows at its end: each entry names its parent, and going back to an
//! earlier prompt leaves a branch behind. The conversation is the way from the root to the last message.

use std::collections::{HashMap, HashSet};

use super::entry::Entry;

/// Gives the messages of the conversation that the model would be shown on a resume, oldest first.
///
/// What the CLI has made up, and what belongs to subagents and teammates, is left out; the summary of a
/// compaction stays.
pub(super) fn conversation(entries: &[Entry]) -> Vec<&Entry> {
    let tree = Tree::new(entries);
    let Some(leaf) = tree.leaf() else { return Vec::new() };
    let path = tree.with_parallel_calls(tree.path_to(leaf));
    let path = path.into_iter().map(|at| tree.entries[at]);
    path.filter(|entry| entry.is_message() && is_of_main_agent(entry) && !is_made_up(entry))
        .collect()
}

/// Gives the messages of a subagent, oldest first. `entries` is its own file, in which all are its own.
pub(super) fn subagent(entries: &[Entry]) -> Vec<&Entry> {
    let tree = Tree::new(entries);
    let Some(leaf) = tree.entries.iter().rposition(|entry| entry.is_message()) else {
        return Vec::new();
    };
    let path = tree.with_parallel_calls(tree.path_to(leaf));
    let path = path.into_iter().map(|at| tree.entries[at]);
    path.filter(|entry| entry.is_message() && !is_made_up(entry)).collect()
}

fn is_of_main_agent(entry: &Entry) -> bool {
    !entry.is_sidechain && entry.team_name.is_none()
}

fn is_made_up(entry: &Entry) -> bool {
    entry.is_meta && !entry.is_compact_summary
}

/// The links of a session's chain, in the order of the file.
struct Tree<'a> {
    entries: Vec<&'a Entry>,
    /// The parent of each entry, if it is in the file.
    parents: Vec<Option<usize>>,
}

impl<'a> Tree<'a> {
    fn new(entries: &'a [Entry]) -> Self {
        // An entry that was written twice counts where it stands last.
        let mut places = HashMap::new();
        let mut links: Vec<&Entry> = entries.iter().filter(|entry| entry.is_link()).collect();
        for (at, entry) in links.iter().enumerate() {
            places.insert(entry.uuid(), at);
        }
        if places.len() < links.len() {
            let mut at = 0;
            links.retain(|entry| {
                at += 1;
                places[entry.uuid()] == at - 1
            });
            places = links.iter().enumerate().map(|(at, entry)| (entry.uuid(), at)).collect();
        }
        let parent = |entry: &&Entry| places.get(entry.parent_uuid.as_deref()?).copied();
        let parents = links.iter().map(parent).collect();
        let mut tree = Self { entries: links, parents };
        tree.move_preserved(&places);
        tree
    }

    /// Puts the messages that a compaction has preserved behind its summary.
    ///
    /// In the file they stand before it, with the parents that they always had; only the boundary says
    /// where they belong now.
    fn move_preserved(&mut self, places: &HashMap<&str, usize>) {
        for entry in self.entries.clone() {
            let metadata = &entry.compact_metadata;
            let (anchor, moved) = if let Some(preserved) = &metadata.preserved_messages {
                let moved: Vec<_> = preserved.uuids.iter().map(String::as_str).collect();
                (preserved.anchor.as_str(), moved)
            } else if let Some(segment) = &metadata.preserved_segment {
                (segment.anchor.as_str(), vec![&*segment.head, &*segment.tail])
            } else {
                continue;
            };
            let anchor = places.get(anchor).copied();
            let moved: Option<Vec<_>> =
                moved.iter().map(|uuid| places.get(uuid).copied()).collect();
            let (Some(anchor), Some(moved)) = (anchor, moved) else { continue };
            let (Some(&first), Some(&last)) = (moved.first(), moved.last()) else { continue };
            for (at, parent) in self.parents.iter_mut().enumerate() {
                if *parent == Some(anchor) && !moved.contains(&at) {
                    *parent = Some(last);
                }
            }
            self.parents[first] = Some(anchor);
            if metadata.preserved_messages.is_some() {
                for pair in moved.windows(2) {
                    self.parents[pair[1]] = Some(pair[0]);
                }
            }
        }
    }

    /// The last message of the conversation.
    ///
    /// Of all ends of branches, the one that stands last in the file; an end that belongs to a subagent
    /// only where there is no other.
    fn leaf(&self) -> Option<usize> {
        let named: HashSet<usize> = self.parents.iter().copied().flatten().collect();
        let ends = (0..self.entries.len()).filter(|at| !named.contains(at));
        let leaves: Vec<usize> = ends
            .filter_map(|end| self.up_from(end).find(|&at| self.entries[at].is_message()))
            .collect();
        let is_main = |at: &usize| {
            let entry = self.entries[*at];
            is_of_main_agent(entry) && !entry.is_meta
        };
        leaves.iter().copied().filter(is_main).max().or_else(|| leaves.iter().copied().max())
    }

    /// An entry, its parent, and so on up to the root. Ends where a damaged file goes in a circle.
    fn up_from(&self, start: usize) -> impl Iterator<Item = usize> {
        let mut seen = HashSet::new();
        let mut next = Some(start);
        std::iter::from_fn(move || {
            let at = next?;
            if !seen.insert(at) {
                return None;
            }
            next = self.parents[at];
            Some(at)
        })
    }

    fn path_to(&self, leaf: usize) -> Vec<usize> {
        let mut path: Vec<usize> = self.up_from(leaf).collect();
        path.reverse();
        path
    }

    /// Adds what the way up misses of responses with several calls.
    ///
    /// Such a response is one entry for each call, all with the id of the message, and each result hangs
    /// below its own call. One way from the leaf to the root meets only some of them.
    fn with_parallel_calls(&self, path: Vec<usize>) -> Vec<usize> {
        let on_path: HashSet<usize> = path.iter().copied().collect();
        // The responses on the way, by their ids, with the place of their last entry.
        let mut responses: HashMap<&str, usize> = HashMap::new();
        for (place, &at) in path.iter().enumerate() {
            if let Some(id) = self.response(at) {
                responses.insert(id, place);
            }
        }
        let mut answered: HashSet<&str> =
            path.iter().flat_map(|&at| self.entries[at].answered_calls()).collect();
        let mut calls: Vec<Vec<usize>> = vec![Vec::new(); path.len()];
        let mut results = calls.clone();
        // Where the entries of these responses belong, by what a result can name of them.
        let (mut by_uuid, mut by_call) = (HashMap::new(), HashMap::new());
        for (at, entry) in self.entries.iter().enumerate() {
            let Some(&place) = self.response(at).and_then(|id| responses.get(id)) else { continue };
            if !self.is_of_same_agent(at, path[place]) {
                continue;
            }
            by_uuid.insert(entry.uuid(), place);
            by_call.extend(entry.calls().map(|call| (call, place)));
            if !on_path.contains(&at) {
                calls[place].push(at);
            }
        }
        for (at, entry) in self.entries.iter().enumerate() {
            if on_path.contains(&at) || entry.answered_calls().next().is_none() {
                continue;
            }
            let parent = self.parents[at].map(|parent| self.entries[parent].uuid());
            let by_parent = parent.and_then(|uuid| by_uuid.get(uuid));
            let by_name = || {
                let source = entry.source_tool_assistant_uuid.as_deref();
                let mut open = entry.answered_calls().filter(|call| !answered.contains(call));
                let source = source.and_then(|uuid| by_uuid.get(uuid));
                open.find_map(|call| source.or_else(|| by_call.get(call)))
            };
            let Some(&place) = by_parent.or_else(by_name) else { continue };
            if self.is_of_same_agent(at, path[place]) {
                answered.extend(entry.answered_calls());
                results[place].push(at);
            }
        }
        let mut whole = Vec::with_capacity(path.len());
        for ((at, mut calls), mut results) in path.into_iter().zip(calls).zip(results) {
            calls.sort_by_key(|&at| &self.entries[at].timestamp);
            results.sort_by_key(|&at| &self.entries[at].timestamp);
            whole.push(at);
            whole.extend(calls);
            whole.extend(results);
        }
        whole
    }

    /// The id of the API's response that an entry is a part of.
    fn response(&self, at: usize) -> Option<&'a str> {
        let entry = self.entries[at];
        if entry.kind == "assistant" { entry.message.as_ref()?.id.as_deref() } else { None }
    }

    fn is_of_same_agent(&self, one: usize, other: usize) -> bool {
        let (one, other) = (self.entries[one], self.entries[other]);
        one.is_sidechain == other.is_sidechain && one.agent_id == other.agent_id
    }
}

#[cfg(test)]
mod tests;
