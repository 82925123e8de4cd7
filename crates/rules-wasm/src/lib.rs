//! The boundary between the rules and JavaScript: one thin function per exported rule, no decision of its own.
