//! The refusals of invoices and of what is on them.

macro_rules! with_invoices {
    ($($others:tt)*) => {
        refusals! {
            // Invoices
            /// Not a GSTIN.
            GstinInvalid => InvalidInput, "gstin_invalid", "A GSTIN has 15 letters and digits, such as 27AAPFU0939F1ZV";
            /// A GSTIN whose check character is another one.
            GstinMistyped => InvalidInput, "gstin_mistyped", "The last character of the GSTIN does not fit the others. Please compare it with the registration.";
            /// A GSTIN of a state that is none.
            GstinStateUnknown => InvalidInput, "gstin_state_unknown", "The first two digits of the GSTIN are not the code of a state";
            /// Not the code of a state.
            BillingStateUnknown => InvalidInput, "billing_state_unknown", "There is no such state";
            /// A state that is not that of the GSTIN.
            BillingStateDiffers => InvalidInput, "billing_state_differs", "The GSTIN is that of another state";
            /// A GSTIN without a name or an address.
            BillingIncomplete => InvalidInput, "billing_incomplete", "With a GSTIN, please enter the name and the address too";
            /// A name or an address that is too long.
            BillingTextTooLong => InvalidInput, "billing_text_too_long", "The name must be at most 200 characters long, and the address at most 500";
            /// A name or an address in letters that invoices cannot show.
            BillingNotLatin => InvalidInput, "billing_not_latin", "Please write the name and the address in Latin letters";
            /// A payment without an invoice, or another photographer's.
            InvoiceNotFound => NotFound, "invoice_not_found", "There is no such invoice";
            /// A document of an installation that has no typefaces.
            DocumentsNotDrawn => Unavailable, "documents_not_drawn", "Documents cannot be drawn here: the server was built without the web app";
            /// Not a month.
            MonthInvalid => InvalidInput, "month_invalid", "Month must have the form YYYY-MM";

            $($others)*
        }
    };
}

pub(super) use with_invoices;
