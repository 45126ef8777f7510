//! Tests of the service: the contract in process, and a smoke test over a socket.

mod access;
mod aggregate;
mod answer_headers;
mod contract;
mod export;
mod filters;
mod fixture;
mod hostile;
mod lists;
mod mcp;
mod money;
mod openrefine;
mod pages;
mod reconcile;
mod reconcile_clients;
mod representation;
mod schema;
mod session;
mod socket;
mod submissions;
