//! Which part of a run a sample belongs to.

use crate::model::{Phase, Tags};

/// What the tags of one sample say, before the whole file is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Has a scenario: test phase for certain.
    Scenario,
    /// Group `::setup` or below, no scenario.
    Setup,
    /// Group `::teardown` or below, no scenario.
    Teardown,
    /// The scenario is recorded and empty, and the group says no more.
    NoScenario,
    /// The scenario is not recorded; the group is, and is neither setup nor teardown.
    Root,
    /// Neither is recorded.
    Bare,
    /// Neither is recorded, but only the test phase has such samples: a dropped iteration.
    BareTest,
}

impl Class {
    /// Every class, in order.
    pub const ALL: [Class; 7] =
        [Class::Scenario, Class::Setup, Class::Teardown, Class::NoScenario, Class::Root, Class::Bare, Class::BareTest];

    /// A script may name a group of its own `setup`: a scenario decides before the group does.
    pub fn of(tags: &Tags<'_>) -> Self {
        let within = |phase: &str| {
            tags.group.and_then(|g| g.strip_prefix(phase)).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        match tags.scenario {
            Some(scenario) if !scenario.is_empty() => Class::Scenario,
            _ if within("::setup") => Class::Setup,
            _ if within("::teardown") => Class::Teardown,
            Some(_) => Class::NoScenario,
            None if tags.group.is_some() => Class::Root,
            None => Class::Bare,
        }
    }
}

/// Resolves classes once every sample was seen: JSON output leaves unset tags out, so that a missing scenario means
/// "setup" in one file and "not recorded" in another.
#[derive(Debug, Clone, Copy, Default)]
pub struct Phases {
    /// Some sample carried a scenario tag, empty or not.
    pub scenarios_recorded: bool,
    /// Some sample carried a group tag.
    pub groups_recorded: bool,
}

impl Phases {
    /// Takes one sample's class into account.
    pub fn see(&mut self, class: Class) {
        match class {
            Class::Scenario | Class::NoScenario => self.scenarios_recorded = true,
            Class::Setup | Class::Teardown | Class::Root => self.groups_recorded = true,
            Class::Bare | Class::BareTest => {}
        }
    }

    /// True when test phase and the rest can be told apart.
    pub fn known(self) -> bool {
        self.scenarios_recorded || self.groups_recorded
    }

    /// Adds what another file of the same run recorded.
    pub fn merge(&mut self, other: Phases) {
        self.scenarios_recorded |= other.scenarios_recorded;
        self.groups_recorded |= other.groups_recorded;
    }

    /// The phase of a class.
    pub fn resolve(self, class: Class) -> Phase {
        match class {
            Class::Scenario => Phase::Test,
            Class::Setup => Phase::Setup,
            Class::Teardown => Phase::Teardown,
            Class::NoScenario => Phase::Outside,
            Class::Root | Class::BareTest if self.scenarios_recorded => Phase::Outside,
            Class::Root => Phase::Test,
            Class::BareTest if self.groups_recorded => Phase::Test,
            Class::Bare if self.known() => Phase::Outside,
            Class::Bare | Class::BareTest => Phase::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(scenario: Option<&str>, group: Option<&str>) -> Class {
        Class::of(&Tags { scenario, group, ..Tags::default() })
    }

    #[test]
    fn a_group_of_the_script_stays_in_the_test_phase() {
        let phases = Phases { groups_recorded: true, ..Phases::default() };
        assert_eq!(phases.resolve(class(None, Some("::users::create"))), Phase::Test);
        assert_eq!(class(Some("default"), Some("::setup")), Class::Scenario);
        assert_eq!(phases.resolve(class(None, Some("::setups"))), Phase::Test);
    }

    #[test]
    fn nested_groups_of_setup_belong_to_setup() {
        assert_eq!(class(Some(""), Some("::setup::login")), Class::Setup);
        assert_eq!(class(None, Some("::teardown")), Class::Teardown);
    }

    #[test]
    fn without_both_tags_the_phase_is_unknown() {
        assert_eq!(Phases::default().resolve(class(None, None)), Phase::Unknown);
    }

    #[test]
    fn without_groups_an_empty_scenario_is_outside_the_test() {
        assert_eq!(Phases::default().resolve(class(Some(""), None)), Phase::Outside);
        let json = Phases { scenarios_recorded: true, groups_recorded: false };
        assert_eq!(json.resolve(class(None, None)), Phase::Outside);
    }
}
