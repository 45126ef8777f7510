//! Limits the requests of a key or an address: a number per second, and as many at once after a
//! pause. A request that costs more than a search does counts as several searches, once its cost is
//! known.
//!
//! By the generic cell rate algorithm (ITU-T I.371): one moment is stored for each client, that at which the requests
//! granted so far would have come had they been spread evenly. A request is granted unless that moment is more than a
//! second ahead.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hyper::header::{HeaderName, HeaderValue};

use super::access::Access;

/// For how long requests may be saved up.
const WINDOW: Duration = Duration::from_secs(1);

/// What the page may ask from one address in a second: a profile makes some ten requests at once.
const PAGE_RATE: NonZeroU32 = NonZeroU32::new(40).unwrap();

/// CPU time that one request has for nothing more: several times what a search takes.
pub const COUNTED_CPU: Duration = Duration::from_millis(100);

/// Keys or addresses that are kept beyond those that asked within the window.
const IDLE_MAX: usize = 1024;

/// The headers that report a limit to its client, of draft-ietf-httpapi-ratelimit-headers.
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const STATE: HeaderName = HeaderName::from_static("ratelimit");

/// The limits of keys and, for clients without one, of addresses.
#[derive(Debug)]
pub(crate) struct RateLimits {
    keys: Option<RateLimit>,
    addresses: Option<RateLimit>,
}

impl RateLimits {
    pub(crate) fn new(access: Access, per_second: Option<NonZeroU32>) -> Self {
        let addresses = || RateLimit::new("address", per_second.unwrap_or(PAGE_RATE));
        Self {
            keys: per_second.map(|per_second| RateLimit::new("key", per_second)),
            addresses: (access == Access::Page).then(addresses),
        }
    }

    /// Counts a request by its key, or by its address where it is counted by that.
    pub(crate) fn ask(
        &self,
        key: Option<&Arc<str>>,
        address: Option<&Arc<str>>,
        now: Instant,
    ) -> Option<Grant> {
        let (limit, client) = self.of(key, address)?;
        Some(limit.ask(client, now))
    }

    /// Counts what a request that was granted cost beyond one; `None` where that is nothing.
    pub(crate) fn charge(
        &self,
        key: Option<&Arc<str>>,
        address: Option<&Arc<str>>,
        cpu: Duration,
        now: Instant,
    ) -> Option<Grant> {
        let requests = u32::try_from(cpu.as_nanos() / COUNTED_CPU.as_nanos()).unwrap_or(u32::MAX);
        let (limit, client) = self.of(key, address).filter(|_| requests > 0)?;
        Some(limit.charge(client, requests, now))
    }

    /// The limit that counts, and whose it is.
    fn of<'a>(
        &'a self,
        key: Option<&'a Arc<str>>,
        address: Option<&'a Arc<str>>,
    ) -> Option<(&'a RateLimit, &'a Arc<str>)> {
        match key {
            Some(key) => self.keys.as_ref().zip(Some(key)),
            None => self.addresses.as_ref().zip(address),
        }
    }

    /// The headers that report the limit by which a request with this key was counted.
    pub(crate) fn headers(
        &self,
        key: Option<&Arc<str>>,
        grant: Option<Grant>,
    ) -> impl Iterator<Item = (HeaderName, HeaderValue)> + use<> {
        let limit = if key.is_some() { &self.keys } else { &self.addresses };
        let told = limit.as_ref().zip(grant).map(|(limit, grant)| limit.headers(grant));
        told.into_iter().flatten()
    }
}

/// The limit, and how far each client is.
#[derive(Debug)]
struct RateLimit {
    /// What tells clients apart: "key" or "address".
    partition: &'static str,
    per_second: NonZeroU32,
    /// When the requests that were granted are used up, by the identifier of the client.
    used_up: Mutex<HashMap<Arc<str>, Instant>>,
}

/// The decision on a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grant {
    /// Granted; `left` more are available at once.
    Granted { left: u32 },
    /// Refused; the client should wait this long.
    Refused { wait: Duration },
}

impl RateLimit {
    fn new(partition: &'static str, per_second: NonZeroU32) -> Self {
        Self { partition, per_second, used_up: Mutex::default() }
    }

    /// Counts a request of a client.
    fn ask(&self, client: &Arc<str>, now: Instant) -> Grant {
        let spacing = WINDOW / self.per_second.get();
        let mut used_up = self.used_up.lock().unwrap_or_else(PoisonError::into_inner);
        if used_up.len() >= IDLE_MAX && !used_up.contains_key(client) {
            used_up.retain(|_, until| *until > now);
        }
        let until = used_up.get(client).copied().filter(|until| *until > now).unwrap_or(now);
        let next = until + spacing;
        let ahead = next - now;
        if ahead > WINDOW {
            return Grant::Refused { wait: ahead - WINDOW };
        }
        used_up.insert(client.clone(), next);
        self.granted(ahead)
    }

    /// Counts `requests` further requests, whether or not they would be granted.
    fn charge(&self, client: &Arc<str>, requests: u32, now: Instant) -> Grant {
        let mut used_up = self.used_up.lock().unwrap_or_else(PoisonError::into_inner);
        let until = used_up.get(client).copied().filter(|until| *until > now).unwrap_or(now);
        let next = until + (WINDOW / self.per_second.get()).saturating_mul(requests);
        used_up.insert(client.clone(), next);
        self.granted(next - now)
    }

    /// A request is granted to one whose requests are used up in so long.
    fn granted(&self, ahead: Duration) -> Grant {
        let spacing = WINDOW / self.per_second.get();
        let left = WINDOW.saturating_sub(ahead).as_nanos() / spacing.as_nanos().max(1);
        Grant::Granted { left: u32::try_from(left).unwrap_or(u32::MAX) }
    }

    /// The headers that report the limit and what is left of it.
    fn headers(&self, grant: Grant) -> [(HeaderName, HeaderValue); 2] {
        let (left, seconds) = match grant {
            Grant::Granted { left } => (left, WINDOW.as_secs()),
            Grant::Refused { wait } => (0, seconds(wait)),
        };
        let partition = self.partition;
        let value =
            |text: String| HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static(""));
        [
            (
                POLICY,
                value(format!("\"{partition}\";q={};w={}", self.per_second, WINDOW.as_secs())),
            ),
            (STATE, value(format!("\"{partition}\";r={left};t={seconds}"))),
        ]
    }
}

/// Whole seconds that are at least so long.
pub(crate) fn seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_granted_and_then_an_even_rate() {
        let limit = RateLimit::new("key", NonZeroU32::new(4).unwrap());
        let (one, other): (Arc<str>, Arc<str>) = ("a".into(), "b".into());
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        for left in [3, 2, 1, 0] {
            assert_eq!(limit.ask(&one, start), Grant::Granted { left });
        }
        let wait = Duration::from_millis(250);
        assert_eq!(limit.ask(&one, start), Grant::Refused { wait });
        assert_eq!(limit.ask(&other, start), Grant::Granted { left: 3 });
        // What is refused costs nothing.
        assert_eq!(limit.ask(&one, at(249)), Grant::Refused { wait: Duration::from_millis(1) });
        assert_eq!(limit.ask(&one, at(250)), Grant::Granted { left: 0 });
        assert_eq!(limit.ask(&one, at(10_000)), Grant::Granted { left: 3 });
        let [(_, policy), (_, state)] = limit.headers(Grant::Refused { wait });
        assert!(policy == "\"key\";q=4;w=1" && state == "\"key\";r=0;t=1", "{policy:?} {state:?}");
    }

    #[test]
    fn what_costs_much_counts_as_many() {
        let limits = RateLimits::new(Access::WithKey, NonZeroU32::new(4));
        let (key, start): (Arc<str>, _) = ("a".into(), Instant::now());
        let key = Some(&key);
        assert_eq!(limits.ask(key, None, start), Some(Grant::Granted { left: 3 }));
        assert_eq!(limits.charge(key, None, COUNTED_CPU / 2, start), None);
        let charged = limits.charge(key, None, COUNTED_CPU * 2, start);
        assert_eq!(charged, Some(Grant::Granted { left: 1 }));
        let charged = limits.charge(key, None, COUNTED_CPU * 9, start);
        assert_eq!(charged, Some(Grant::Granted { left: 0 }));
        // Twelve and the next one are thirteen, of which four may be at once.
        let wait = Duration::from_millis(9 * 250);
        assert_eq!(limits.ask(key, None, start), Some(Grant::Refused { wait }));
        let open = RateLimits::new(Access::WithKey, None);
        assert_eq!(open.charge(key, None, COUNTED_CPU * 9, start), None);
    }

    #[test]
    fn keys_that_do_not_ask_are_forgotten() {
        let limit = RateLimit::new("address", NonZeroU32::MIN);
        let start = Instant::now();
        for number in 0..10 * IDLE_MAX {
            let now = start + Duration::from_secs(2 * number as u64);
            limit.ask(&number.to_string().into(), now);
        }
        assert!(limit.used_up.lock().unwrap().len() <= IDLE_MAX);
    }
}
