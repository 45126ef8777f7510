//! Tests of the service in process and over a socket.
