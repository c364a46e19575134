//! Text of C and C++: its tokens, and where brackets and statements end.
//!
//! Not a parser of the language. [`lex`] makes tokens, [`Code`] finds ends in a row of them. What a directive says is read by the front
//! end alone; here it is one token.

#![forbid(unsafe_code)]

mod code;
pub mod lex;

pub use code::Code;
pub use lex::{Token, TokenKind, tokens};
