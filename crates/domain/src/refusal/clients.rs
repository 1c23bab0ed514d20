//! The refusals of what clients choose, between those of accounts and the others.

macro_rules! with_clients {
    ($($others:tt)*) => {
        with_invoices! {
            // Selections of clients
            /// A selection without the name of its client.
            ClientNameRequired => InvalidInput, "client_name_required", "Please enter the client's name";
            /// A client's name beyond 60 characters.
            ClientNameTooLong => InvalidInput, "client_name_too_long", "The client's name must be at most 60 characters long";
            /// Not a number of photos that a client may choose.
            ClientLimitInvalid => InvalidInput, "client_limit_invalid", "The number of photos must be from 1 to 10,000";
            /// A last day for choosing that is no date.
            ClientDayInvalid => InvalidInput, "client_day_invalid", "The last day for choosing must be a calendar date in the form YYYY-MM-DD";
            /// One that is past.
            ClientDayPast => InvalidInput, "client_day_past", "Please choose today or a later day for choosing";
            /// One selection more than an event may have.
            ClientSelectionsTooMany => Conflict, "client_selections_too_many", "This event has 50 selections already. Please delete one first.";
            /// No selection of the event has this id.
            ClientSelectionNotFound => NotFound, "client_selection_not_found", "This selection is no longer there";
            /// The address of a selection that was deleted, or that never was one.
            ClientSelectionEnded => NotFound, "client_selection_ended", "This link no longer works. Please ask your photographer for a new one.";
            /// A client's call for a selection that asks for its PIN, without proof that the client knows it.
            ClientPinRequired => Forbidden, "client_pin_required", "Please enter the PIN that your photographer gave you.";
            /// Another PIN than the selection's.
            ClientPinWrong => Forbidden, "client_pin_wrong", "This is not the PIN. Please check it and try again.";
            /// A photo that the client does not see, or no longer.
            ClientPhotoNotFound => NotFound, "client_photo_not_found", "This photo is no longer here";
            /// One photo more than the client may choose.
            ClientChoiceFull => Conflict, "client_choice_full", "You have chosen as many photos as you can. Take one back to choose another.";
            /// Done with more photos than the client may choose, such as after the photographer lowered the number.
            ClientChoiceTooLarge => Conflict, "client_choice_too_large", "You have chosen more photos than you can. Take some back first.";
            /// Done without a photo.
            ClientChoiceEmpty => Conflict, "client_choice_empty", "Please choose a photo first";
            /// A change of a selection that its client has finished.
            ClientChoiceDone => Conflict, "client_choice_done", "You have finished choosing. To change something, ask your photographer to reopen it.";
            /// A change after the last day for choosing.
            ClientChoiceOver => Conflict, "client_choice_over", "The last day for choosing has passed. Please ask your photographer for more time.";
            /// A comment beyond 500 characters.
            ClientCommentTooLong => InvalidInput, "client_comment_too_long", "A comment must be at most 500 characters long";
            /// A message at the end beyond 1,000 characters.
            ClientMessageTooLong => InvalidInput, "client_message_too_long", "The message must be at most 1,000 characters long";

            $($others)*
        }
    };
}

pub(super) use with_clients;
