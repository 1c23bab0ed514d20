//! The corpora of the fuzz targets (`fuzz/`), through the code that the targets run.

use std::path::Path;

/// A target's name, and what it does with an input.
type Target = (&'static str, fn(&[u8]));

#[test]
fn every_input_of_the_corpora_is_accepted_or_refused_in_words() {
    // [SAFE193]
    let targets: [Target; 5] = [
        ("pictures", media::fuzzing::picture),
        ("multipart", api::operations::runtime::fuzzing::multipart),
        ("search_form", api::operations::runtime::fuzzing::search_form),
        ("webhooks", gateway::fuzzing::webhook),
        ("pack", vision::fuzzing::pack),
    ];
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for (target, run) in targets {
        let inputs: Vec<_> = std::fs::read_dir(corpora.join(target)).unwrap().collect();
        assert!(inputs.len() > 5, "{target} has {} inputs", inputs.len());
        for input in inputs {
            let file = input.unwrap().path();
            let bytes = std::fs::read(&file).unwrap();
            let outcome = std::panic::catch_unwind(|| run(&bytes));
            assert!(outcome.is_ok(), "{}", file.display());
        }
    }
}
