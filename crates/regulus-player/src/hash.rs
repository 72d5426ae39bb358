//! Content hashes.

use sha2::{Digest, Sha256};

/// The SHA-256 of a text in hexadecimal digits: what `sha256sum` prints for a file.
pub fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::sha256;

    /// The example of FIPS 180-2.
    #[test]
    fn it_is_the_published_hash() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256("abc"), expected);
    }
}
