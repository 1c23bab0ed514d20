import { z } from 'zod';

/** The same rule as on the server. */
const minPasswordLength = 6;

const email = z
  .string()
  .trim()
  .min(1, 'Email is required')
  .regex(/^[^@\s]+@[^@\s]+$/u, 'Please enter a valid email address')
  .max(254, 'Please enter a valid email address');

const newPassword = z
  .string()
  .min(1, 'Password is required')
  .min(minPasswordLength, 'Password must be at least 6 characters long')
  .max(128, 'Password must be at most 128 characters long');

const confirmed = { message: 'Passwords do not match', path: ['confirmation'] };

export const loginSchema = z.object({ email, password: z.string().min(1, 'Password is required') });

export const emailSchema = z.object({ email });

export const registrationSchema = z
  .object({
    name: z.string().trim().min(1, 'Name is required').max(200, 'Name must be at most 200 characters long'),
    email,
    password: newPassword,
    confirmation: z.string(),
  })
  .refine((form) => form.password === form.confirmation, confirmed);

export const newPasswordSchema = z
  .object({ password: newPassword, confirmation: z.string() })
  .refine((form) => form.password === form.confirmation, confirmed);
