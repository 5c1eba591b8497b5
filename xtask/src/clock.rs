//! The time that a run has.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The run is cut off after 90 minutes, wherever it is. So it stops by itself before, with all that it found out.
const BEGIN_UNTIL: Duration = Duration::from_secs(80 * 60);
const END_AT: Duration = Duration::from_secs(88 * 60);

/// When a run began, and until when steps may begin and must end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    begin: SystemTime,
    begin_until: Duration,
    end_at: Duration,
}

impl Clock {
    /// Of a run that began when the variable `PHALANX_BEGIN` says, in seconds since 1970, or else now. What sets a
    /// machine up takes its time from the same 90 minutes.
    pub(crate) fn of_this_run() -> Clock {
        let seconds = std::env::var("PHALANX_BEGIN").ok().and_then(|text| text.parse().ok());
        let begin = seconds.map_or_else(SystemTime::now, |seconds| UNIX_EPOCH + Duration::from_secs(seconds));
        Clock { begin, begin_until: BEGIN_UNTIL, end_at: END_AT }
    }

    fn elapsed(&self) -> Duration {
        self.begin.elapsed().unwrap_or_default()
    }

    /// Why no step may begin any more, if it is too late.
    pub(crate) fn too_late(&self) -> Option<String> {
        let late = self.elapsed() >= self.begin_until;
        late.then(|| format!("{} minutes had passed", self.begin_until.as_secs() / 60))
    }

    /// How long a step may run that begins now.
    pub(crate) fn left(&self) -> Duration {
        self.end_at.saturating_sub(self.elapsed())
    }

    #[cfg(test)]
    pub(crate) fn with(begin_until: Duration, end_at: Duration) -> Clock {
        Clock { begin: SystemTime::now(), begin_until, end_at }
    }
}
