//! Threads for work that takes milliseconds, with a bounded queue before them.

use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::{io, thread};

/// Jobs that may wait. At a few milliseconds each, the last waits about a second on two threads:
/// one that would wait longer is better turned away.
pub const JOBS_WAITING_MAX: usize = 256;

type Job = Box<dyn FnOnce() + Send>;

/// Threads that do one job after another. Dropping it lets them finish what is queued.
#[derive(Debug, Clone)]
pub(super) struct Pool {
    queue: SyncSender<Job>,
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
        for number in 0..threads.max(1) {
            let jobs = jobs.clone();
            thread::Builder::new().name(format!("heavy-{number}")).spawn(move || run(&jobs))?;
        }
        Ok(Self { queue })
    }

    /// Queues a job. It must not panic: a panic would end its thread.
    pub(super) fn submit(&self, job: impl FnOnce() + Send + 'static) -> Result<(), Full> {
        self.queue.try_send(Box::new(job)).map_err(|error| match error {
            TrySendError::Full(_) | TrySendError::Disconnected(_) => Full,
        })
    }
}

fn run(jobs: &Mutex<Receiver<Job>>) {
    loop {
        // Held only while taking a job, so the others wait for the lock or for a job alike.
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            Ok(job) => job(),
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
}
