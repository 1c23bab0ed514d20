/** Apart from the other tokens, of which the page of guests needs none when it runs. */
export const snackbarColors = { success: '#14603E', error: '#A30F39', text: '#FFFFFF' } as const;
