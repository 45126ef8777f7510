//! Threads for work that takes milliseconds, with a bounded queue before them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

/// Jobs that may wait, whatever they take: what they hold in memory.
pub const JOBS_WAITING_MAX: usize = 256;

/// How long a job may have to wait, as far as the time that those before it took tells: one that
/// would wait longer is turned away at once, while its client still listens.
pub const WAIT_MAX: Duration = Duration::from_secs(2);

/// The most that one job counts: the first searches by meaning wait until the model is loaded, for
/// seconds, which tells nothing of those after them.
const JOB_COUNTED_MAX: Duration = Duration::from_secs(1);

/// Of the time that jobs take, the last one makes up an eighth of the mean: a few costly ones are
/// noticed, one is no alarm.
const MEAN_SHARE: u64 = 8;

type Job = Box<dyn FnOnce() + Send>;

/// Threads that do one job after another. Dropping it lets them finish what is queued.
#[derive(Debug, Clone)]
pub(super) struct Pool {
    queue: SyncSender<Job>,
    load: Arc<Load>,
}

/// What is known of the jobs. Relaxed: an estimate may be one job behind.
#[derive(Debug)]
struct Load {
    threads: u64,
    waiting: AtomicU64,
    /// Moving mean of the time that a job took.
    mean_us: AtomicU64,
}

impl Load {
    /// How long the next job would wait.
    fn wait(&self) -> Duration {
        let jobs = self.waiting.load(Ordering::Relaxed);
        let mean_us = self.mean_us.load(Ordering::Relaxed);
        Duration::from_micros(jobs.saturating_mul(mean_us) / self.threads)
    }

    fn took(&self, time: Duration) {
        let time_us = time.min(JOB_COUNTED_MAX).as_micros() as u64;
        let mean_us = self.mean_us.load(Ordering::Relaxed);
        let next_us = mean_us - mean_us / MEAN_SHARE + time_us / MEAN_SHARE;
        self.mean_us.store(next_us, Ordering::Relaxed);
    }
}

/// The queue is full.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

impl Pool {
    /// A pool of so many threads.
    ///
    /// # Errors
    /// When the system starts no more threads.
    pub(super) fn new(threads: usize, waiting_max: usize) -> io::Result<Self> {
        let (queue, jobs) = sync_channel(waiting_max);
        let jobs = Arc::new(Mutex::new(jobs));
        let threads = threads.max(1);
        let load = Arc::new(Load {
            threads: threads as u64,
            waiting: AtomicU64::new(0),
            mean_us: AtomicU64::new(0),
        });
        for number in 0..threads {
            let (jobs, load) = (jobs.clone(), load.clone());
            let name = format!("heavy-{number}");
            thread::Builder::new().name(name).spawn(move || run(&jobs, &load))?;
        }
        Ok(Self { queue, load })
    }

    /// Queues a job, unless it would wait longer than [`WAIT_MAX`] or too many wait. It must not
    /// panic: a panic would end its thread.
    pub(super) fn submit(&self, job: impl FnOnce() + Send + 'static) -> Result<(), Full> {
        if self.load.wait() > WAIT_MAX {
            return Err(Full);
        }
        // Before it is queued, so that taking it never counts below zero.
        self.load.waiting.fetch_add(1, Ordering::Relaxed);
        self.queue.try_send(Box::new(job)).map_err(|_| {
            self.load.waiting.fetch_sub(1, Ordering::Relaxed);
            Full
        })
    }
}

fn run(jobs: &Mutex<Receiver<Job>>, load: &Load) {
    loop {
        // Held only while taking a job, so the others wait for the lock or for a job alike.
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            Ok(job) => {
                load.waiting.fetch_sub(1, Ordering::Relaxed);
                let began = Instant::now();
                job();
                load.took(began.elapsed());
            }
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn turns_away_what_does_not_fit() {
        let pool = Pool::new(1, 2).unwrap();
        let (started, is_started) = channel();
        let (release, released) = channel::<()>();
        pool.submit(move || {
            started.send(()).unwrap();
            released.recv().unwrap();
        })
        .unwrap();
        is_started.recv().unwrap();
        let (done, all_done) = channel();
        for number in 0..2 {
            let done = done.clone();
            assert_eq!(pool.submit(move || done.send(number).unwrap()), Ok(()));
        }
        assert_eq!(pool.submit(|| ()), Err(Full));
        release.send(()).unwrap();
        assert_eq!((all_done.recv(), all_done.recv()), (Ok(0), Ok(1)));
    }

    #[test]
    fn turns_away_what_would_wait_too_long() {
        let load = Load { threads: 2, waiting: AtomicU64::new(10), mean_us: AtomicU64::new(0) };
        assert_eq!(load.wait(), Duration::ZERO);
        for _ in 0..100 {
            load.took(Duration::from_millis(500));
        }
        assert!(
            (Duration::from_millis(2_400)..=Duration::from_millis(2_500)).contains(&load.wait())
        );
        for _ in 0..100 {
            load.took(Duration::from_millis(1));
        }
        // One that takes long is no overload.
        load.took(Duration::from_secs(30));
        assert!(load.wait() < WAIT_MAX);
        for _ in 0..100 {
            load.took(Duration::from_millis(1));
        }
        assert!(load.wait() < Duration::from_millis(10));

        let pool = Pool::new(1, 8).unwrap();
        pool.load.waiting.store(5, Ordering::Relaxed);
        pool.load.mean_us.store(1_000_000, Ordering::Relaxed);
        assert_eq!(pool.submit(|| ()), Err(Full));
        pool.load.waiting.store(1, Ordering::Relaxed);
        assert_eq!(pool.submit(|| ()), Ok(()));
    }
}
