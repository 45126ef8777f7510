//! Whether the time in which a wrong key is refused tells anything of a right one.
//!
//! As dudect does (Reparaz, Balasch and Verbauwhede, 2017): wrong keys of several classes are asked
//! in random order, the slowest answers are left out, and the mean of each class is compared
//! with that of random keys by Welch's t. Random keys are one class more: what t is where there is
//! no difference. Long keys take longer, since all of a key is hashed: that this is seen shows
//! that a difference would be.

use std::path::Path;
use std::time::{Duration, Instant};

use almoner::record::thousands;

use super::revoked;
use crate::Options;
use crate::chance::Rng;
use crate::client;
use crate::program::text;
use crate::report::Report;
use crate::server::Server;
use crate::times::Times;

/// Keys of each class in the full form and in the quick one.
const KEYS: u64 = 40_000;
const QUICK_KEYS: u64 = 500;
/// The share of answers that is compared, the fastest.
const KEPT_SHARE: f64 = 0.9;
/// From here on a difference is taken for one.
const T_MAX: f64 = 4.5;
/// Asked before anything is timed.
const WARM: u64 = 500;
/// Bytes of a long key: thirty times as much to hash as of one of the right length.
const LONG_BYTES: usize = 2_000;
/// Letters of keys.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Wrong keys of one sort: how long they must take, and how one is made.
type Class = (&'static str, Takes, Box<dyn Fn(&mut Rng) -> String>);

/// How long keys must take beside random ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// As long: they have the length of a valid key.
    AsLong,
    Longer,
    /// Nothing is asked.
    Any,
}

/// Mean, variance of the mean, and count.
#[derive(Debug, Clone, Copy)]
struct Mean {
    ns: f64,
    variance: f64,
    count: usize,
}

pub fn run(options: &Options, server: &Server, data_dir: &Path, lookup: &str, report: &mut Report) {
    let (id, secret) = revoked::create(options, data_dir, "timing");
    options.program.run(&["keys", "revoke", "--data-dir", text(data_dir), &id]);
    let classes = classes(server.key(), &secret);
    let mut chance = Rng::new(options.seed());
    let mut client = server.connect();
    // By now the server knows that it is revoked.
    std::thread::sleep(Duration::from_secs(1));
    let total = options.either(KEYS, QUICK_KEYS) * classes.len() as u64;
    let mut samples: Vec<Vec<Duration>> = vec![Vec::new(); classes.len()];
    let mut accepted = 0;
    for number in 0..total + WARM {
        let class = chance.below(classes.len());
        let request = client::request(lookup, &(classes[class].2)(&mut chance), None);
        let begun = Instant::now();
        let status = client.ask(&request).expect("an answer").status;
        let took = begun.elapsed();
        accepted += u64::from(status != 401);
        if number >= WARM {
            samples[class].push(took);
        }
    }
    report.figure("wrong keys", format!("{} of {} classes", thousands(total), classes.len()));
    report.holds(accepted == 0, format!("{accepted} of them are answered with other than 401"));
    compare(options, &classes, &samples, report);
}

fn classes(valid: &str, revoked: &str) -> Vec<Class> {
    let length = valid.len();
    // So many letters are right, all others are random; the last is another than the right one.
    let begun = |right: usize| {
        let valid = valid.to_owned();
        Box::new(move |chance: &mut Rng| {
            loop {
                let key = format!("{}{}", &valid[..right], letters(chance, length - right));
                if key != valid {
                    break key;
                }
            }
        })
    };
    let of_length = |length| Box::new(move |chance: &mut Rng| letters(chance, length));
    let revoked = revoked.to_owned();
    vec![
        ("random", Takes::AsLong, begun(0)),
        ("random again", Takes::AsLong, begun(0)),
        ("the first half is right", Takes::AsLong, begun(length / 2)),
        ("all but the last letter is right", Takes::AsLong, begun(length - 1)),
        ("revoked", Takes::AsLong, Box::new(move |_| revoked.clone())),
        ("empty", Takes::Any, of_length(0)),
        ("one letter shorter", Takes::Any, of_length(length - 1)),
        ("one letter longer", Takes::Any, of_length(length + 1)),
        ("long", Takes::Longer, of_length(LONG_BYTES)),
    ]
}

fn letters(chance: &mut Rng, count: usize) -> String {
    (0..count).map(|_| char::from(*chance.of(LETTERS))).collect()
}

/// Prints each class beside random keys, and what must hold of it.
fn compare(options: &Options, classes: &[Class], samples: &[Vec<Duration>], report: &mut Report) {
    let mut all = Times::default();
    let short = classes.iter().zip(samples).filter(|(class, _)| class.1 != Takes::Longer);
    short.flat_map(|(_, times)| times).for_each(|time| all.add(*time));
    let slowest = all.at(KEPT_SHARE);
    report.figure("a refusal", all.summary());
    let means: Vec<Mean> = samples.iter().map(|times| Mean::of(times, slowest)).collect();
    let random = means[0];
    for ((name, takes, _), mean) in classes.iter().zip(&means).skip(1) {
        let (difference, error) = (mean.ns - random.ns, (mean.variance + random.variance).sqrt());
        let t = difference / error;
        let text = format!(
            "{difference:+.0} ns, t {t:+.2} ({} of them; {:.0} ns would be noticed)",
            thousands(mean.count as u64),
            T_MAX * error
        );
        report.figure(name, text);
        match takes {
            // The quick form has too few to tell.
            _ if options.quick() => {}
            Takes::AsLong => {
                let text = format!("|t| of keys of which {name} is below {T_MAX}");
                report.holds(t.abs() < T_MAX, text);
            }
            Takes::Longer => report.holds(t > T_MAX, "that long keys take longer is noticed"),
            Takes::Any => {}
        }
    }
}

impl Mean {
    fn of(times: &[Duration], slowest: Duration) -> Self {
        let kept = times.iter().filter(|time| **time <= slowest);
        let kept: Vec<f64> = kept.map(|time| time.as_nanos() as f64).collect();
        let count = kept.len() as f64;
        let ns = kept.iter().sum::<f64>() / count;
        let squares: f64 = kept.iter().map(|time| (time - ns).powi(2)).sum();
        Self { ns, variance: squares / (count - 1.0) / count, count: kept.len() }
    }
}
