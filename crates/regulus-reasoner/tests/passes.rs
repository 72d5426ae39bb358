//! What the passes find out, as text: `tests/passes/NAME.rbg` in, `tests/passes/NAME.PASS.txt` out.
//! `REGULUS_BLESS=1` writes the files anew; look at the difference before keeping it.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use regulus_rbg::{Source, load};
use regulus_reasoner::Program;
use regulus_reasoner::native::{Native, Pass};

#[test]
fn passes_find_out_what_is_written_down() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passes");
    let bless = std::env::var_os("REGULUS_BLESS").is_some();
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".rbg").map(str::to_owned))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    for name in names {
        let text = std::fs::read_to_string(folder.join(format!("{name}.rbg"))).unwrap();
        let loaded = load(&Source::new(&name, &text));
        let game = loaded.game.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics));
        let native = Native::new(&game).unwrap();
        let passes = Pass::ALL.iter().map(|pass| (pass.name(), native.describe(*pass)));
        let all = std::iter::once(("automaton", Program::new(&game).to_string())).chain(passes);
        for (pass, found) in all {
            let file = folder.join(format!("{name}.{pass}.txt"));
            if bless {
                std::fs::write(&file, &found).unwrap();
            }
            let expected = std::fs::read_to_string(&file).unwrap_or_default();
            assert!(expected == found, "{name}.{pass}.txt differs; now it is:\n{found}");
        }
    }
}
