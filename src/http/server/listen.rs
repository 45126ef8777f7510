//! Where the server listens: an address and port, or a socket in the file system; and what asks a
//! server there whether it lives.

use std::fmt;
use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream as Peer};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::UnixStream as LocalPeer;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::mpsc::channel;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, TcpStream, UnixListener, UnixStream};

/// How long [`probe`] waits: a server that lives answers in milliseconds, also under
/// overload.
pub const PROBE_TIMEOUT: Duration = Duration::from_secs(3);
/// Longest path of a socket that Linux takes, with the zero byte at its end.
pub const SOCKET_PATH_BYTES_MAX: usize = 108;
/// What the system holds of answers that a client has not taken, a connection; it takes the double,
/// and without a bound some megabytes. Larger than most answers, and enough for 2 MB/s to a client
/// 100 ms away; all connections together take 403 MB at most.
pub const SEND_BUFFER_BYTES: u32 = 256 * 1024;
/// Connections that wait to be accepted: a burst, such as of a proxy that starts.
const BACKLOG_MAX: u32 = 1_024;
/// What stands before the path of a socket.
const UNIX: &str = "unix:";
/// Who may connect to a socket: its owner and its group, as the folder's permissions allow.
const SOCKET_MODE: u32 = 0o660;

/// Where to listen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listen {
    /// Port 0 picks a free one.
    Tcp(SocketAddr),
    /// A socket in the file system.
    Unix(PathBuf),
}

impl Listen {
    /// Whether only programs of this machine can connect.
    pub fn is_loopback(&self) -> bool {
        match self {
            Self::Tcp(address) => address.ip().is_loopback(),
            Self::Unix(_) => false,
        }
    }
}

/// Why a text says nowhere to listen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ListenError {
    #[error(
        "expected an IP address and a port, such as 127.0.0.1:8080 or [::1]:8080, or a socket, \
         such as unix:/run/almoner/almoner.sock"
    )]
    Neither,
    #[error("expected the absolute path of a socket of at most 107 bytes after unix:")]
    SocketPath,
}

impl FromStr for Listen {
    type Err = ListenError;

    fn from_str(text: &str) -> Result<Self, ListenError> {
        if let Some(path) = text.strip_prefix(UNIX) {
            let fits = path.starts_with('/') && !path.ends_with('/');
            return if fits && path.len() < SOCKET_PATH_BYTES_MAX && !path.contains('\0') {
                Ok(Self::Unix(path.into()))
            } else {
                Err(ListenError::SocketPath)
            };
        }
        let text = text.strip_prefix("http://").unwrap_or(text);
        // The one name that needs nobody to look it up.
        let local = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
        let address = local.as_deref().unwrap_or(text).parse();
        address.map(Self::Tcp).map_err(|_| ListenError::Neither)
    }
}

/// As people and programs write it: an address with its scheme, or the socket.
impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => write!(f, "http://{address}"),
            Self::Unix(path) => write!(f, "{UNIX}{}", path.display()),
        }
    }
}

/// What listens.
#[derive(Debug)]
pub(crate) enum Listener {
    Tcp(TcpListener),
    /// With its file, until nobody shall find it any more.
    Unix {
        listener: UnixListener,
        file: Option<SocketFile>,
    },
}

/// A connection that came.
pub(crate) enum Accepted {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Listener {
    /// Listens; returns where, with the port that was picked.
    pub(crate) async fn bind(listen: &Listen) -> io::Result<(Self, Listen)> {
        match listen {
            Listen::Tcp(address) => {
                let listener = bind_address(*address)?;
                let address = listener.local_addr()?;
                Ok((Self::Tcp(listener), Listen::Tcp(address)))
            }
            Listen::Unix(path) => {
                let (listener, file) = bind_socket(path)?;
                std::fs::set_permissions(path, PermissionsExt::from_mode(SOCKET_MODE))?;
                Ok((Self::Unix { listener, file: Some(file) }, listen.clone()))
            }
        }
    }

    /// Lets nobody new find it; who did is still accepted.
    pub(crate) fn withdraw(&mut self) {
        if let Self::Unix { file, .. } = self {
            *file = None;
        }
    }

    pub(crate) fn poll_accept(&self, context: &mut Context<'_>) -> Poll<io::Result<Accepted>> {
        match self {
            Self::Tcp(listener) => {
                let accepted = listener.poll_accept(context);
                accepted.map_ok(|(stream, _)| {
                    // Answers are small: they should not wait to be joined with more. Failing is
                    // harmless.
                    let _ = stream.set_nodelay(true);
                    Accepted::Tcp(stream)
                })
            }
            Self::Unix { listener, .. } => {
                listener.poll_accept(context).map_ok(|(stream, _)| Accepted::Unix(stream))
            }
        }
    }
}

/// Binds an address. What connects there inherits the bound of what is sent.
fn bind_address(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4(),
        SocketAddr::V6(_) => TcpSocket::new_v6(),
    }?;
    // A server that ended just now leaves connections that hold the address for a minute.
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER_BYTES)?;
    socket.bind(address)?;
    socket.listen(BACKLOG_MAX)
}

/// Binds a socket. One that a server left which was killed is replaced; one of a server that lives
/// is not, nor anything else of that name.
fn bind_socket(path: &Path) -> io::Result<(UnixListener, SocketFile)> {
    // Whoever holds this may look at what is there, remove it and bind; held while the server lives.
    let mut lock = path.as_os_str().to_owned();
    lock.push(".lock");
    let lock = File::create(lock)?;
    lock.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => ErrorKind::AddrInUse.into(),
        TryLockError::Error(error) => error,
    })?;
    let listener = match UnixListener::bind(path) {
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            let is_socket = std::fs::symlink_metadata(path)?.file_type().is_socket();
            // Another program may listen there, which knows nothing of the lock.
            let refused = LocalPeer::connect(path)
                .is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused);
            if !is_socket || !refused {
                return Err(error);
            }
            std::fs::remove_file(path)?;
            UnixListener::bind(path)?
        }
        bound => bound?,
    };
    let file = SocketFile { path: path.to_owned(), identity: identity(path)?, _lock: lock };
    Ok((listener, file))
}

/// The file of a socket, removed with this, unless another server's is in its place by then.
#[derive(Debug)]
pub(crate) struct SocketFile {
    path: PathBuf,
    identity: (u64, u64),
    /// Let go after the file is removed.
    _lock: File,
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    let found = std::fs::symlink_metadata(path)?;
    Ok((found.dev(), found.ino()))
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        if identity(&self.path).is_ok_and(|found| found == self.identity) {
            // What remains is replaced by the next server.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Why a server does not seem to live.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    #[error("nothing answers at {listen}")]
    Silent { listen: Listen, source: io::Error },
    #[error("expected 200 of {path} at {listen}, found {found:?}")]
    Other { listen: Listen, path: &'static str, found: String },
}

/// Asks a server for a path that answers 200 while all is well, with a key where one is needed.
///
/// # Errors
/// When nothing answers within [`PROBE_TIMEOUT`], or something else than 200.
pub fn probe(listen: &Listen, path: &'static str, key: Option<&str>) -> Result<(), ProbeError> {
    let silent = |source| ProbeError::Silent { listen: listen.clone(), source };
    let key = key.map(|key| format!("X-API-Key: {key}\r\n")).unwrap_or_default();
    let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{key}Connection: close\r\n\r\n");
    // A thread of its own, which nobody waits for any longer than that: connecting to a socket, and
    // an answer that drips, know no other end.
    let (sender, receiver) = channel();
    let place = listen.clone();
    std::thread::Builder::new().spawn(move || sender.send(ask(&place, &head))).map_err(silent)?;
    let line = match receiver.recv_timeout(PROBE_TIMEOUT) {
        Ok(answered) => answered.map_err(silent)?,
        Err(_) => return Err(silent(ErrorKind::TimedOut.into())),
    };
    let mut words = line.split(' ');
    match (words.next(), words.next()) {
        (Some("HTTP/1.1"), Some("200")) => Ok(()),
        _ => Err(ProbeError::Other { listen: listen.clone(), path, found: line }),
    }
}

/// The first line that is answered.
fn ask(listen: &Listen, head: &str) -> io::Result<String> {
    match listen {
        Listen::Tcp(address) => first_line(Peer::connect(reachable(*address))?, head),
        Listen::Unix(path) => first_line(LocalPeer::connect(path)?, head),
    }
}

/// The address at which a server can be reached that listens at all of them.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

fn first_line(mut stream: impl Read + Write, head: &str) -> io::Result<String> {
    stream.write_all(head.as_bytes())?;
    // A status line is far shorter.
    let mut bytes = [0; 128];
    let mut length = 0;
    while length < bytes.len() && !bytes[..length].contains(&b'\n') {
        match stream.read(&mut bytes[length..])? {
            0 => break,
            read => length += read,
        }
    }
    let text = String::from_utf8_lossy(&bytes[..length]);
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_to_listen_at() {
        let long = format!("unix:/{}", "a".repeat(SOCKET_PATH_BYTES_MAX));
        for (text, place) in [
            ("127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            ("http://127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            ("localhost:80", Some("http://127.0.0.1:80")),
            ("[::1]:0", Some("http://[::1]:0")),
            ("unix:/run/almoner.sock", Some("unix:/run/almoner.sock")),
            ("unix:almoner.sock", None),
            ("unix:/run/", None),
            ("unix:", None),
            (long.as_str(), None),
            ("8080", None),
            (":8080", None),
            ("127.0.0.1", None),
            ("localhost", None),
            ("example.org:80", None),
        ] {
            let found = text.parse().ok().map(|listen: Listen| listen.to_string());
            assert_eq!(found.as_deref(), place, "{text}");
        }
    }

    #[test]
    fn a_socket_that_nobody_listens_at_is_replaced_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sock");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            // A standard library listener leaves its file, as a killed server does.
            drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
            assert!(path.exists());
            let listen = Listen::Unix(path.clone());
            let (listener, _) = Listener::bind(&listen).await.unwrap();
            let mode = std::fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, SOCKET_MODE);
            let second = Listener::bind(&listen).await.unwrap_err();
            assert_eq!(second.kind(), ErrorKind::AddrInUse);
            drop(listener);
            assert!(!path.exists(), "removed at the end");
            std::fs::write(&path, "kept").unwrap();
            assert!(Listener::bind(&listen).await.is_err());
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "kept");
        });
    }

    #[test]
    fn a_probe_takes_200_for_life_and_nothing_else() {
        for (answer, lives) in [
            ("HTTP/1.1 200 OK\r\n\r\n", true),
            ("HTTP/1.1 503 Service Unavailable\r\n\r\n", false),
            ("SSH-2.0-x\r\n", false),
            ("", false),
        ] {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            let listen = Listen::Tcp(listener.local_addr().unwrap());
            let server = std::thread::spawn(move || {
                let (mut stream, _) = listener.accept().unwrap();
                let _ = stream.read(&mut [0; 256]);
                stream.write_all(answer.as_bytes()).unwrap();
            });
            assert_eq!(probe(&listen, "/health", None).is_ok(), lives, "{answer}");
            server.join().unwrap();
            assert!(probe(&listen, "/health", None).is_err(), "nobody listens any more");
        }
    }
}
