//! To come: fictional.
