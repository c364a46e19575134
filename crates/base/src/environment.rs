//! Environment variables of the checked program, and what OpenMP reads in them.

/// What the environment says to an OpenMP runtime.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenMp {
    /// `OMP_NUM_THREADS`: the threads of a team.
    pub threads: Option<u32>,
    /// `OMP_SCHEDULE`: for `schedule(runtime)`, the kind as `omp_sched_t` counts it, and the chunk (0: none is given).
    pub schedule: Option<(u32, i32)>,
    /// `OMP_DYNAMIC`.
    pub dynamic: bool,
    /// `OMP_MAX_ACTIVE_LEVELS`.
    pub levels: Option<u32>,
    /// `OMP_THREAD_LIMIT`.
    pub limit: Option<u32>,
    /// `OMP_CANCELLATION`.
    pub cancellation: bool,
}

impl OpenMp {
    /// Reads variables, each as `NAME=VALUE`; values that make no sense count as if they were not there.
    pub fn read(variables: &[String]) -> OpenMp {
        let mut all = OpenMp::default();
        for (name, value) in variables.iter().filter_map(|v| v.split_once('=')) {
            let mut next = all.clone();
            if next.set(name, value.trim()).is_ok() {
                all = next;
            }
        }
        all
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "OMP_NUM_THREADS" => self.threads = Some(number(value, 1, 1024)?),
            "OMP_THREAD_LIMIT" => self.limit = Some(number(value, 1, 1 << 30)?),
            "OMP_MAX_ACTIVE_LEVELS" => self.levels = Some(number(value, 0, 1 << 30)?),
            "OMP_DYNAMIC" => self.dynamic = truth(value)?,
            "OMP_CANCELLATION" => self.cancellation = truth(value)?,
            "OMP_SCHEDULE" => self.schedule = Some(schedule(value)?),
            "OMP_NESTED" => return Err("not followed; OMP_MAX_ACTIVE_LEVELS says the same".into()),
            "OMP_NUM_TEAMS" => return Err("not followed; the clause `num_teams` says the same".into()),
            "OMP_TEAMS_THREAD_LIMIT" => {
                return Err("not followed; the clause `thread_limit` says the same".into());
            }
            _ => {}
        }
        Ok(())
    }
}

/// Looks at one variable, as `NAME=VALUE`; what is wrong with it, if anything is.
///
/// # Errors
/// If it is no variable, or one of OpenMP's with a value that it cannot have.
pub fn check(variable: &str) -> Result<(), String> {
    match variable.split_once('=') {
        Some((name, value)) if !name.is_empty() && !variable.contains('\0') => {
            OpenMp::default().set(name, value.trim()).map_err(|error| format!("{name}: {error}"))
        }
        _ => Err(format!("expected NAME=VALUE, found `{variable}`")),
    }
}

fn number(value: &str, low: u32, high: u32) -> Result<u32, String> {
    let number = value.parse().ok().filter(|n| (low..=high).contains(n));
    number.ok_or_else(|| format!("expected one number from {low} to {high}, found `{value}`"))
}

fn truth(value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("expected true or false, found `{value}`")),
    }
}

fn schedule(value: &str) -> Result<(u32, i32), String> {
    let wrong = || {
        format!(
            "expected static, dynamic, guided or auto, with a chunk or not (`dynamic,4`), found `{value}`"
        )
    };
    let plain = value.split_once(':').map_or(value, |(_, rest)| rest);
    let (kind, chunk) = match plain.split_once(',') {
        Some((kind, chunk)) => (kind, chunk.trim().parse().ok().filter(|&n: &i32| n > 0).ok_or_else(wrong)?),
        None => (plain, 0),
    };
    let kind = match kind.trim().to_ascii_lowercase().as_str() {
        "static" => 1,
        "dynamic" => 2,
        "guided" => 3,
        "auto" => 4,
        _ => return Err(wrong()),
    };
    Ok((kind, chunk))
}

#[cfg(test)]
mod tests {
    use super::{OpenMp, check};

    #[test]
    fn values_are_read_and_checked() {
        let list =
            ["OMP_SCHEDULE=nonmonotonic:Dynamic, 4", "OMP_CANCELLATION=TRUE", "OMP_NUM_THREADS=3", "HOME=/"];
        let read = OpenMp::read(&list.map(String::from));
        assert_eq!((read.schedule, read.cancellation, read.threads), (Some((2, 4)), true, Some(3)));
        assert_eq!(OpenMp::read(&["OMP_SCHEDULE=static".into()]).schedule, Some((1, 0)));
        assert!(list.iter().all(|v| check(v).is_ok()));
        for wrong in [
            "HOME",
            "=x",
            "OMP_SCHEDULE=fast",
            "OMP_SCHEDULE=static,0",
            "OMP_NUM_THREADS=4,2",
            "OMP_DYNAMIC=1",
        ] {
            assert!(check(wrong).is_err(), "{wrong}");
        }
    }
}
