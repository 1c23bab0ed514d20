/**
 * Whether this document was loaded by the link of an event that is not there. Its content security policy is that of event
 * pages, which allows no payment provider, and stays in force when the router shows other pages: to pay, another document
 * has to be loaded.
 */
export const isGuestDocument = window.location.pathname.startsWith('/event/');
