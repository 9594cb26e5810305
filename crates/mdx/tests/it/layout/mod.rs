//! Every chunk, track and version gate from bytes put together by hand, after the format's documents: nothing here is
//! written by the code under test.

mod bytes;
mod gates;
mod tracks;
mod warcraft;
mod wow;
