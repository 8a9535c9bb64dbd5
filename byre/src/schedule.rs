//! A scheduler for tests: tries every order in which things can happen, not just some.
//!
//! What varies in byre's maps of pending requests is the order of whole steps: one task owns them, or a
//! mutex that nobody holds across an await. So it is enough to run the steps in every order, on one thread,
//! and no order is left to chance.

/// Runs `test` once for every sequence of choices that it can make, and says how many there are.
pub(crate) fn every(mut test: impl FnMut(&mut Choices)) -> usize {
    let mut choices = Choices::default();
    for count in 1.. {
        choices.at = 0;
        test(&mut choices);
        if !choices.advance() {
            return count;
        }
    }
    unreachable!("there is a last one")
}

/// The choices of one run.
#[derive(Debug, Default)]
pub(crate) struct Choices {
    /// What was chosen so far, and of how many.
    path: Vec<(usize, usize)>,
    at: usize,
}

impl Choices {
    /// Chooses a number below `count`.
    pub(crate) fn choose(&mut self, count: usize) -> usize {
        assert!(count > 0, "there is nothing to choose from");
        if self.at == self.path.len() {
            self.path.push((0, count));
        }
        let (choice, of) = self.path[self.at];
        assert_eq!(of, count, "the test does not depend on its choices alone");
        self.at += 1;
        choice
    }

    /// Merges sequences of steps into one, each in its own order. `lengths` says how long they are, and what
    /// comes out is which sequence has the next step.
    pub(crate) fn merge(&mut self, lengths: &[usize]) -> Vec<usize> {
        let mut left = lengths.to_vec();
        let mut order = Vec::new();
        while left.iter().any(|left| *left > 0) {
            let open: Vec<_> = (0..left.len()).filter(|n| left[*n] > 0).collect();
            let next = open[self.choose(open.len())];
            left[next] -= 1;
            order.push(next);
        }
        order
    }

    /// Goes on to the next sequence of choices, if there is one.
    fn advance(&mut self) -> bool {
        self.path.truncate(self.at);
        while let Some((choice, of)) = self.path.pop() {
            if choice + 1 < of {
                self.path.push((choice + 1, of));
                return true;
            }
        }
        false
    }
}

#[test]
fn every_order_comes_once() {
    let mut orders = std::collections::HashSet::new();
    let count = every(|choices| assert!(orders.insert(choices.merge(&[2, 1, 2]))));
    assert_eq!((count, orders.len()), (30, 30), "5! / (2! 2!)");
}
