//! The page of all keys is what the declarations say. `REGULUS_BLESS=1` writes it anew.

use std::path::Path;

#[test]
fn the_page_is_made_from_the_declarations() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/keys.md");
    let made = regulus_agent::reference();
    if std::env::var_os("REGULUS_BLESS").is_some() {
        std::fs::write(&path, &made).expect("docs can be written");
    }
    let written = std::fs::read_to_string(&path).expect("docs/keys.md");
    assert_eq!(written, made, "REGULUS_BLESS=1 writes docs/keys.md anew");
}
