//! Where the particles and ribbons of an emitter are at a time: pure functions of emitter, seed and time.
