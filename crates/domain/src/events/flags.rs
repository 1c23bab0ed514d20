//! The yes/no settings of an event. This list is their only one: the columns, their values, and what an owner's export calls
//! them follow from it.

/// Calls a macro with the list: of each setting what it means, its name, which is its column's too, its value in a new event,
/// and its name in exports, which never changes.
#[macro_export]
macro_rules! event_flags {
    ($($callback:tt)+) => {
        $($callback)+! {
            /// Whether guests can ask to be told of new photos.
            tells_guests = true, "guests_can_ask_to_be_told";
            /// Whether guests get its originals byte for byte, with the positions, places, names, keywords and serial numbers in
            /// them.
            keeps_metadata = false, "guests_get_positions_and_serial_numbers";
            /// Whether it takes no more photos.
            uploads_closed = false, "takes_no_more_photos";
            /// Whether its guests can write to its owner about photos.
            takes_questions = true, "takes_questions";
            /// Whether its guests may look at all of its photos, not only at those that a selfie finds.
            browsable = false, "guests_see_all_photos";
            /// Whether what guests save carries the names of the photographer's files.
            keeps_names = false, "guests_get_the_names_of_files";
            /// Whether its guests may add photos, which wait until they are let in.
            takes_guest_photos = false, "guests_may_add_photos";
            /// Whether photos that are alike are put together, and the best stands for them.
            stacks_photos = false, "stacks_photos_that_are_alike";
        }
    };
}

macro_rules! structs {
    ($($(#[$meaning:meta])+ $name:ident = $new:literal, $exported:literal;)+) => {
        /// The yes/no settings of an event.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Flags {
            $($(#[$meaning])+ pub $name: bool,)+
        }

        /// Those of a new event.
        impl Default for Flags {
            fn default() -> Self {
                Self { $($name: $new,)+ }
            }
        }

        /// Each the other way.
        impl std::ops::Not for Flags {
            type Output = Self;

            fn not(self) -> Self {
                Self { $($name: !self.$name,)+ }
            }
        }

        impl Flags {
            /// The columns, with their values.
            pub fn columns(&self) -> impl Iterator<Item = (&'static str, bool)> {
                [$((stringify!($name), self.$name)),+].into_iter()
            }

            /// The names in exports, with their values.
            pub fn exported(&self) -> impl Iterator<Item = (&'static str, bool)> {
                [$(($exported, self.$name)),+].into_iter()
            }
        }

        /// Changes of the yes/no settings of an event; what is none stays as it is.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct FlagChanges {
            $($(#[$meaning])+ pub $name: Option<bool>,)+
        }

        impl FlagChanges {
            /// The settings with these changes.
            pub fn applied(self, flags: Flags) -> Flags {
                Flags { $($name: self.$name.unwrap_or(flags.$name),)+ }
            }
        }
    };
}
event_flags!(structs);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_given_changes() {
        let flags = Flags { keeps_metadata: true, ..Flags::default() };
        assert_eq!(FlagChanges::default().applied(flags), flags);
        let shown =
            FlagChanges { browsable: Some(true), takes_questions: Some(false), ..FlagChanges::default() };
        assert_eq!(shown.applied(flags), Flags { browsable: true, takes_questions: false, ..flags });
    }
}
