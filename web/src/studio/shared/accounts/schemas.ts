import { t } from '@lingui/core/macro';
import { z } from 'zod';

/** The same rule as on the server. */
const minPasswordLength = 6;

const email = z
  .string()
  .trim()
  .min(1, { error: () => t`Email is required` })
  .regex(/^[^@\s]+@[^@\s]+$/u, { error: () => t`Please enter a valid email address` })
  .max(254, { error: () => t`Please enter a valid email address` });

const newPassword = z
  .string()
  .min(1, { error: () => t`Password is required` })
  .min(minPasswordLength, { error: () => t`Password must be at least 6 characters long` })
  .max(128, { error: () => t`Password must be at most 128 characters long` });

const confirmed = { error: () => t`Passwords do not match`, path: ['confirmation'] };

export const loginSchema = z.object({
  email,
  password: z.string().min(1, { error: () => t`Password is required` }),
});

export const emailSchema = z.object({ email });

export const registrationSchema = z
  .object({
    name: z
      .string()
      .trim()
      .min(1, { error: () => t`Name is required` })
      .max(200, { error: () => t`Name must be at most 200 characters long` }),
    email,
    password: newPassword,
    confirmation: z.string(),
  })
  .refine((form) => form.password === form.confirmation, confirmed);

export const newPasswordSchema = z
  .object({ password: newPassword, confirmation: z.string() })
  .refine((form) => form.password === form.confirmation, confirmed);
