//! Threads for work that takes milliseconds, with bounded queues before them.
//!
//! What comes with a body, or is as long as one, may take seconds, so it waits in a lane of its own and has a half of the
//! threads at most: searches never wait behind it. Within a lane clients take turns, so that one who asks much waits for itself.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

/// Jobs that may wait, whatever they take: what they hold in memory.
pub const JOBS_WAITING_MAX: usize = 256;
/// Of those, how many may be of one client.
pub const JOBS_OF_CLIENT_MAX: usize = JOBS_WAITING_MAX / 4;

/// How long a job may have to wait, as far as those before it and those that run tell: one that
/// would wait longer is turned away at once, while its client still listens.
pub const WAIT_MAX: Duration = Duration::from_secs(2);

/// The most that one job counts: the first searches by meaning wait until the model is loaded, for
/// seconds, which tells nothing of those after them.
const JOB_COUNTED_MAX: Duration = Duration::from_secs(1);

/// Of the time that jobs take, the last one makes up an eighth of the mean: a few costly ones are
/// noticed, one is no alarm.
const MEAN_SHARE: u32 = 8;

/// A search is not to wait for a submission on a machine with one core either.
const THREADS_MIN: usize = 2;

/// What waits apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// What is asked in the target of a request.
    Searches,
    /// What comes with a body, or in a target as long as one.
    Submissions,
}

type Job = Box<dyn FnOnce() + Send>;

/// Threads that do one job after another. Dropping the last of its clones lets them finish what is queued.
#[derive(Debug, Clone)]
pub(crate) struct Pool {
    queues: Arc<Opened>,
}

/// The queues, open as long as jobs can come.
#[derive(Debug)]
struct Opened(Arc<Queues>);

impl Drop for Opened {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.changed.notify_all();
    }
}

#[derive(Debug)]
struct Queues {
    lanes: Mutex<Lanes>,
    /// A job was queued, or there will be no more.
    changed: Condvar,
}

#[derive(Debug)]
struct Lanes {
    searches: Queue,
    submissions: Queue,
    waiting_max: usize,
    is_closed: bool,
}

/// The jobs of a lane.
#[derive(Default)]
struct Queue {
    /// Threads that it may have.
    threads: usize,
    waiting: HashMap<Arc<str>, VecDeque<Job>>,
    /// Clients with jobs that wait, in the order of their turns.
    turns: VecDeque<Arc<str>>,
    /// When the jobs that run began, by the number of their thread.
    running: HashMap<usize, Instant>,
    /// Moving mean of the time that a job took.
    mean: Duration,
}

/// A job would wait too long, or too many wait.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Pool {
    /// A pool of `threads` threads, or of the minimum if that is more.
    pub(crate) fn new(threads: usize, waiting_max: usize) -> io::Result<Self> {
        let threads = threads.max(THREADS_MIN);
        let lanes = Lanes {
            searches: Queue { threads, ..Queue::default() },
            submissions: Queue { threads: threads / 2, ..Queue::default() },
            waiting_max,
            is_closed: false,
        };
        let queues = Arc::new(Queues { lanes: Mutex::new(lanes), changed: Condvar::new() });
        let pool = Self { queues: Arc::new(Opened(queues.clone())) };
        for number in 0..threads {
            let queues = queues.clone();
            thread::Builder::new()
                .name(format!("heavy-{number}"))
                .spawn(move || queues.work(number))?;
        }
        Ok(pool)
    }

    /// Queues a job of a client, unless it would wait longer than [`WAIT_MAX`] or too many wait. It must not
    /// panic: a panic would end its thread.
    pub(crate) fn submit(
        &self,
        lane: Lane,
        client: &Arc<str>,
        job: impl FnOnce() + Send + 'static,
    ) -> Result<(), Full> {
        let Opened(queues) = &*self.queues;
        let mut lanes = queues.lock();
        if lanes.waiting() >= lanes.waiting_max {
            return Err(Full);
        }
        let queue = lanes.of(lane);
        let own = queue.waiting.get(client).map_or(0, VecDeque::len);
        if own >= JOBS_OF_CLIENT_MAX || queue.wait(client, Instant::now()) > WAIT_MAX {
            return Err(Full);
        }
        queue.push(client, Box::new(job));
        drop(lanes);
        queues.changed.notify_one();
        Ok(())
    }
}

impl Queues {
    fn lock(&self) -> MutexGuard<'_, Lanes> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does jobs on the thread of this number until there can be no more.
    fn work(&self, thread: usize) {
        let mut lanes = self.lock();
        loop {
            let Some((lane, job)) = lanes.next(thread) else {
                if lanes.is_closed && lanes.waiting() == 0 {
                    // Others may wait for the last of them.
                    self.changed.notify_all();
                    return;
                }
                lanes = self.changed.wait(lanes).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(lanes);
            job();
            lanes = self.lock();
            lanes.of(lane).ended(thread, Instant::now());
        }
    }
}

impl Lanes {
    fn of(&mut self, lane: Lane) -> &mut Queue {
        match lane {
            Lane::Searches => &mut self.searches,
            Lane::Submissions => &mut self.submissions,
        }
    }

    fn waiting(&self) -> usize {
        self.searches.len() + self.submissions.len()
    }

    /// The next job for a thread: a submission while those have threads left, or else a search.
    fn next(&mut self, thread: usize) -> Option<(Lane, Job)> {
        [Lane::Submissions, Lane::Searches].into_iter().find_map(|lane| {
            let job = self.of(lane).pop(thread, Instant::now())?;
            Some((lane, job))
        })
    }
}

impl Queue {
    fn len(&self) -> usize {
        self.waiting.values().map(VecDeque::len).sum()
    }

    fn push(&mut self, client: &Arc<str>, job: Job) {
        let jobs = self.waiting.entry(client.clone()).or_default();
        if jobs.is_empty() {
            self.turns.push_back(client.clone());
        }
        jobs.push_back(job);
    }

    /// The next job of the client whose turn it is.
    fn pop(&mut self, thread: usize, now: Instant) -> Option<Job> {
        if self.running.len() >= self.threads {
            return None;
        }
        let client = self.turns.pop_front()?;
        let jobs = self.waiting.get_mut(&client)?;
        let job = jobs.pop_front()?;
        if jobs.is_empty() {
            self.waiting.remove(&client);
        } else {
            self.turns.push_back(client);
        }
        self.running.insert(thread, now);
        Some(job)
    }

    fn ended(&mut self, thread: usize, now: Instant) {
        let Some(began) = self.running.remove(&thread) else { return };
        let took = now.duration_since(began).min(JOB_COUNTED_MAX);
        self.mean = self.mean - self.mean / MEAN_SHARE + took / MEAN_SHARE;
    }

    /// How long the next job of a client would wait: for its own jobs, for as many turns of the others, and for a
    /// thread. Jobs take as long as those before them, or as those that run have taken already.
    fn wait(&self, client: &Arc<str>, now: Instant) -> Duration {
        let own = self.waiting.get(client).map_or(0, VecDeque::len);
        let of_others = self.waiting.iter().filter(|(other, _)| *other != client);
        let before = own + of_others.map(|(_, jobs)| jobs.len().min(own + 1)).sum::<usize>();
        let age = |began: &Instant| now.duration_since(*began).min(JOB_COUNTED_MAX);
        let ages: Duration = self.running.values().map(age).sum();
        let running = u32::try_from(self.running.len()).unwrap_or(u32::MAX);
        let each = self.mean.max(ages.checked_div(running).unwrap_or_default());
        let is_busy = self.running.len() >= self.threads;
        let jobs = u32::try_from(before + usize::from(is_busy)).unwrap_or(u32::MAX);
        let threads = u32::try_from(self.threads).unwrap_or(u32::MAX).max(1);
        each.saturating_mul(jobs) / threads
    }
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue").field("waiting", &self.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    fn client(name: &str) -> Arc<str> {
        name.into()
    }

    /// Keeps every thread of a lane busy until what is returned is dropped.
    fn busy(pool: &Pool, lane: Lane) -> Vec<Sender<()>> {
        let threads = pool.queues.0.lock().of(lane).threads;
        let (started, is_started) = channel();
        let hold = |_| {
            let (release, released): (Sender<()>, Receiver<()>) = channel();
            let started = started.clone();
            let job = move || {
                started.send(()).unwrap();
                let _ = released.recv();
            };
            pool.submit(lane, &client("first"), job).unwrap();
            is_started.recv().unwrap();
            release
        };
        let held = (0..threads).map(hold).collect();
        // However slow the machine is, what runs has taken no time.
        for began in pool.queues.0.lock().of(lane).running.values_mut() {
            *began += Duration::from_secs(3_600);
        }
        held
    }

    #[test]
    fn clients_take_turns() {
        let pool = Pool::new(2, JOBS_WAITING_MAX).unwrap();
        let held = busy(&pool, Lane::Submissions);
        let (done, all_done) = channel();
        for name in ["a", "a", "a", "b", "a", "c", "b"] {
            let done = done.clone();
            let job = move || done.send(name).unwrap();
            pool.submit(Lane::Submissions, &client(name), job).unwrap();
        }
        drop((held, done, pool));
        assert_eq!(all_done.iter().collect::<Vec<_>>(), ["a", "b", "c", "a", "b", "a", "a"]);
    }

    #[test]
    fn searches_do_not_wait_for_submissions() {
        let pool = Pool::new(1, JOBS_WAITING_MAX).unwrap();
        let _held = busy(&pool, Lane::Submissions);
        let (done, is_done) = channel();
        let late = done.clone();
        let job = move || late.send("submission").unwrap();
        pool.submit(Lane::Submissions, &client("a"), job).unwrap();
        pool.submit(Lane::Searches, &client("b"), move || done.send("search").unwrap()).unwrap();
        assert_eq!(is_done.recv(), Ok("search"));
    }

    #[test]
    fn what_does_not_fit_is_turned_away() {
        let pool = Pool::new(2, JOBS_OF_CLIENT_MAX + 1).unwrap();
        let _held = busy(&pool, Lane::Searches);
        let submit = |name: &str| pool.submit(Lane::Searches, &client(name), || ());
        for _ in 0..JOBS_OF_CLIENT_MAX {
            assert_eq!(submit("a"), Ok(()));
        }
        assert_eq!(submit("a"), Err(Full), "the share of one client is used up");
        assert_eq!(submit("b"), Ok(()));
        assert_eq!(submit("c"), Err(Full), "all places are taken");
    }

    #[test]
    fn a_wait_is_that_of_ones_turn() {
        let (now, second) = (Instant::now() + Duration::from_secs(60), Duration::from_secs(1));
        let mut queue = Queue { threads: 2, mean: second / 2, ..Queue::default() };
        let (one, other) = (client("one"), client("other"));
        assert_eq!(queue.wait(&one, now), Duration::ZERO);
        for _ in 0..9 {
            queue.push(&one, Box::new(|| ()));
        }
        assert_eq!(queue.wait(&one, now), second * 9 / 4);
        assert_eq!(queue.wait(&other, now), second / 4);
        queue.push(&other, Box::new(|| ()));
        assert_eq!(queue.wait(&other, now), second * 3 / 4);
        // What runs counts before it has ended, and all of it no more than a second.
        queue.running = [(0, now - second * 30), (1, now - second * 30)].into();
        assert_eq!(queue.wait(&other, now), second * 2);
        queue.running.remove(&1);
        assert_eq!(queue.wait(&other, now), second * 3 / 2);
    }

    #[test]
    fn the_mean_follows_what_jobs_take() {
        let (began, mut queue) = (Instant::now(), Queue { threads: 1, ..Queue::default() });
        let mut took = |milliseconds| {
            queue.running.insert(0, began);
            queue.ended(0, began + Duration::from_millis(milliseconds));
            queue.mean
        };
        for _ in 0..100 {
            took(500);
        }
        assert!((Duration::from_millis(480)..=Duration::from_millis(500)).contains(&took(500)));
        for _ in 0..100 {
            took(1);
        }
        // One that takes long is no overload.
        assert!(took(30_000) < Duration::from_millis(150));
    }
}
