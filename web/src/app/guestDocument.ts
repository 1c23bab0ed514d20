/**
 * Whether this document was loaded as the page of an event. Its content security policy allows no payment provider, and
 * it stays in force when the router shows other pages: to pay, another document has to be loaded.
 */
export const isGuestDocument = window.location.pathname.startsWith('/event/');
