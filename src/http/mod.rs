//! To come: http.
