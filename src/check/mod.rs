//! Published text back into claims.
