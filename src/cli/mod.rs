//! To come: cli.
