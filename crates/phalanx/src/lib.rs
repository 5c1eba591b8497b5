//! phalanx
