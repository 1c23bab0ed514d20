use proptest::prelude::*;

use super::*;

#[test]
fn a_gstin_has_its_form_a_state_and_the_check_character_that_fits() {
    // [PAY217]
    for (text, state) in [
        ("27AAPFU0939F1ZV", "Maharashtra (27)"),
        (" 29aagcb7383j1z4\u{200b}", "Karnataka (29)"),
        ("27 AASCS2460H 1Z0", "Maharashtra (27)"),
    ] {
        let gstin = Gstin::parse(text).unwrap();
        assert_eq!((gstin.as_str().len(), gstin.state().to_string().as_str()), (15, state), "{text}");
    }
    for text in
        ["", "27AAPFU0939F1Z", "27AAPFU0939F1ZVV", "2AAAPFU0939F1ZV", "27AAPFU0939F11V", "२७AAPFU0939F1ZV"]
    {
        assert_eq!(Gstin::parse(text), Err(Refusal::GstinInvalid), "{text}");
    }
    // Another check character, a digit that was mistyped, and two that were exchanged.
    for text in ["27AAPFU0939F1ZW", "27AAPFU0938F1ZV", "27AAPFU0993F1ZV"] {
        assert_eq!(Gstin::parse(text), Err(Refusal::GstinMistyped), "{text}");
    }
    let others = "99AAPFU0939F1Z";
    let unknown = format!("{others}{}", check_character(others).unwrap());
    assert_eq!(Gstin::parse(&unknown), Err(Refusal::GstinStateUnknown));
}

#[test]
fn states_have_a_code_each_and_territories_without_a_legislature_a_tax_of_their_own_name() {
    for (place, state) in STATES.iter().enumerate() {
        assert_eq!(State::parse(state.code()), Some(*state));
        assert!(STATES[..place].iter().all(|other| other.code() < state.code()), "{state:?}");
    }
    assert_eq!(State::parse("25"), None);
    assert_eq!(STATES.iter().filter(|state| state.own_tax() == "UTGST").count(), 6);
}

#[test]
fn a_sac_has_four_to_eight_digits_and_a_rate_is_a_percentage() {
    assert_eq!(Sac::parse("998439").unwrap().as_str(), "998439");
    assert!(["", "998", "998439123", "99843a", "९९८४"].iter().all(|text| Sac::parse(text).is_none()));
    assert!(Rate::new(0).is_none() && Rate::new(101).is_none());
    assert_eq!([18, 5].map(|percent| Rate::new(percent).unwrap().half()), ["9", "2.5"]);
}

#[test]
fn the_tax_is_within_the_price() {
    // [PAY218] [PAY219]
    let rate = Rate::new(18).unwrap();
    let parts = |price: i64, reach| {
        let Split { value, cgst, sgst, igst } = Split::of(Paise::new(price), rate, reach);
        [value.get(), cgst.get(), sgst.get(), igst.get()]
    };
    assert_eq!(parts(99_900, Reach::BetweenStates), [84_661, 0, 0, 15_239]);
    // Of an odd paisa the union's half is the larger one.
    assert_eq!(parts(99_900, Reach::WithinState), [84_661, 7_620, 7_619, 0]);
    assert_eq!(parts(11_800, Reach::WithinState), [10_000, 900, 900, 0]);
    assert_eq!(parts(100, Reach::WithinState), [85, 8, 7, 0]);
    // 59 * 100 / 118 is 50 exactly, and half a paisa is rounded up: 1 * 100 / 200.
    assert_eq!(parts(59, Reach::BetweenStates), [50, 0, 0, 9]);
    assert_eq!(Split::of(Paise::new(1), Rate::new(100).unwrap(), Reach::BetweenStates).value, Paise::new(1));
}

fn reaches() -> impl Strategy<Value = Reach> {
    prop_oneof![Just(Reach::WithinState), Just(Reach::BetweenStates)]
}

fn is_whole(split: &Split) -> bool {
    [split.value, split.cgst, split.sgst, split.igst].iter().all(|part| *part >= Paise::ZERO)
}

proptest! {
    #[test]
    fn the_parts_of_a_price_add_up_to_it(price in 1_i64..=50_000_000, percent in 1_u32..=100, reach in reaches()) {
        // [PAY218] [PAY219]
        let split = Split::of(Paise::new(price), Rate::new(percent).unwrap(), reach);
        prop_assert!(is_whole(&split));
        prop_assert_eq!(split.total(), Paise::new(price));
        // Half up: twice the distance to the exact value is at most one paisa.
        let exact = i128::from(price) * 100;
        let whole = i128::from(100 + percent);
        let distance = 2 * (i128::from(split.value.get()) * whole - exact);
        prop_assert!(-whole < distance && distance <= whole);
        match reach {
            Reach::WithinState => {
                prop_assert_eq!(split.igst, Paise::ZERO);
                prop_assert!((0..=1).contains(&(split.cgst.get() - split.sgst.get())));
            }
            Reach::BetweenStates => prop_assert_eq!((split.cgst, split.sgst), (Paise::ZERO, Paise::ZERO)),
        }
    }

    #[test]
    fn what_is_returned_in_parts_is_the_whole_in_the_end(
        price in 1_i64..=2_000_000,
        percent in 1_u32..=100,
        reach in reaches(),
        steps in prop::collection::vec((1_i64..=400_000, any::<bool>()), 1..20),
    ) {
        // [PAY226]
        let split = Split::of(Paise::new(price), Rate::new(percent).unwrap(), reach);
        let mut notes: Vec<Split> = Vec::new();
        let mut returned = Split::default();
        let all = (i64::MAX, false);
        for (amount, comes_back) in steps.into_iter().chain([all]) {
            if comes_back && !notes.is_empty() {
                // A refund has failed after all.
                returned = returned.minus(&notes.remove(notes.len() / 2));
            }
            let amount = amount.min(price - returned.total().get());
            let note = split.returned(&returned, Paise::new(amount), reach);
            prop_assert!(is_whole(&note));
            prop_assert_eq!(note.total(), Paise::new(amount));
            returned = returned.plus(&note);
            notes.push(note);
            let part = i128::from(split.value.get()) * i128::from(returned.total().get()) / i128::from(price);
            prop_assert!((part - i128::from(returned.value.get())).abs() <= 20);
        }
        prop_assert_eq!(returned, split);
    }
}
