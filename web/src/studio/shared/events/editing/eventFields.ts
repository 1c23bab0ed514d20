import { t } from '@lingui/core/macro';
import { z } from 'zod';

// The limits of the server. 11/20/26, typed into a date field, is the year 26.
const firstYear = 2000;
const lastYear = () => new Date().getUTCFullYear() + 5;

function isDateAllowed(date: string): boolean {
  const year = Number(date.slice(0, 4));
  return year >= firstYear && year <= lastYear();
}

/** What a date field of an event lets be chosen. */
export const eventDateRange = () => ({ min: `${firstYear}-01-01`, max: `${lastYear()}-12-31` });

/** Name and date of an event. A date that the event has already is not checked again. */
export const eventFields = (date?: string) => ({
  // The messages are functions: they are in the language of the moment that they are shown.
  name: z
    .string()
    .trim()
    .min(1, { error: () => t`Event name is required` })
    .max(200, { error: () => t`Event name must be at most 200 characters long` }),
  date: z
    .string()
    .min(1, { error: () => t`Event date is required` })
    .refine((entered) => entered === date || isDateAllowed(entered), {
      error: () => t`Event date must be between the year 2000 and five years from now`,
    }),
});
