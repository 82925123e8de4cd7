//! Deadwax, the server.
