//! A check that a limit or a signal ended, and how to go on with it.
//!
//! Kept are the bounds that were decided, and of the first one that was not, where its search stood
//! ([`explore::Saved`]). Engines before that search had their turn: only why they could not decide is kept. Where no search
//! was under way, the bound is begun again. What strands do with two threads is not kept, though it is needed to go from three
//! threads to any number: then the bounds from there on are gone through again.

use std::sync::{Arc, Mutex};

use base::{Bound, CheckReport, Unreached};
use explore::{Handed, Saved, Unknown};
use serde::{Deserialize, Serialize};

use crate::{Checked, Inputs, ProofOf};

/// What is known of the bounds that were decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Known {
    report: CheckReport,
    answered: Vec<Inputs>,
    only: Option<u32>,
    done: Vec<Bound>,
    lasting: bool,
    proofs: Vec<Option<ProofOf>>,
    sites: Vec<(Unreached, bool)>,
}

impl Known {
    pub fn of(checked: &Checked) -> Known {
        Known {
            report: checked.report.clone(),
            answered: checked.answered.clone(),
            only: checked.only,
            done: checked.done.clone(),
            lasting: checked.lasting,
            proofs: checked.proofs.clone(),
            sites: checked.sites.clone(),
        }
    }

    fn give_back(self, checked: &mut Checked) {
        checked.report = self.report;
        checked.answered = self.answered;
        checked.only = self.only;
        checked.done = self.done;
        checked.lasting = self.lasting;
        checked.proofs = self.proofs;
        checked.sites = self.sites;
    }
}

/// Where the search of a bound stood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Halfway {
    /// The bound, by its number.
    pub bound: usize,
    /// Whose turn it was, by its number.
    pub turn: usize,
    /// Why the engines before could not decide.
    pub reasons: Vec<Unknown>,
}

/// What is left of a check.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Pending {
    pub(crate) known: Known,
    /// The bound from which on the check is to go on.
    pub(crate) from: usize,
    pub(crate) halfway: Option<Halfway>,
    /// The search that was under way. It is to be written down beside this, since its states are too many for a text.
    #[serde(skip)]
    pub search: Option<Arc<Saved>>,
}

impl Pending {
    /// How many bounds are decided.
    pub fn decided(&self) -> usize {
        self.known.done.len()
    }

    /// Goes on: what is known is known again. Gives the bound with which to go on, and the search that was under way.
    pub(crate) fn take_up(self, checked: &mut Checked) -> (usize, Option<Resumed>) {
        self.known.give_back(checked);
        let search = self.search.and_then(|saved| Arc::try_unwrap(saved).ok());
        let resumed = self
            .halfway
            .zip(search)
            .map(|(halfway, saved)| Resumed { halfway, search: Arc::new(Mutex::new(Some(saved))) });
        (self.from, resumed)
    }
}

/// A search to go on with.
pub(crate) struct Resumed {
    pub halfway: Halfway,
    pub search: Handed,
}
