import type { MessageDescriptor } from '@lingui/core';
import { defineMessage } from '@lingui/core/macro';

/**
 * The refusals that a visitor of the public pages can meet beside those of guests, for translation. No code imports these:
 * the server sends the English texts, and `refusalText` finds a translation by the code.
 */
export const refusalMessages: readonly MessageDescriptor[] = [
  defineMessage({ id: 'refusal.name_required', message: 'Name is required' }),
  defineMessage({ id: 'refusal.name_too_long', message: 'Name must be at most 200 characters long' }),
  defineMessage({ id: 'refusal.email_required', message: 'Email is required' }),
  defineMessage({ id: 'refusal.email_invalid', message: 'Please enter a valid email address' }),
  defineMessage({ id: 'refusal.email_taken', message: 'Email already registered' }),
  defineMessage({ id: 'refusal.password_required', message: 'Password is required' }),
  defineMessage({ id: 'refusal.password_too_short', message: 'Password must be at least 6 characters long' }),
  defineMessage({ id: 'refusal.password_too_long', message: 'Password must be at most 128 characters long' }),
  defineMessage({
    id: 'refusal.password_common',
    message: 'This password is one of the most common ones. Please choose another.',
  }),
  defineMessage({ id: 'refusal.wrong_credentials', message: 'Invalid email or password' }),
  defineMessage({ id: 'refusal.email_not_verified', message: 'Please verify your email before logging in.' }),
  defineMessage({
    id: 'refusal.second_factor_required',
    message: 'Please enter the code of your authenticator app, or a recovery code.',
  }),
  defineMessage({
    id: 'refusal.second_factor_wrong',
    message: 'This code is wrong, or was used before. Please enter the newest one.',
  }),
  defineMessage({
    id: 'refusal.account_locked',
    message: 'This account is locked. Please contact support.',
  }),
  defineMessage({ id: 'refusal.verification_token_required', message: 'Verification token is required' }),
  defineMessage({ id: 'refusal.verification_expired', message: 'Verification link has expired' }),
  defineMessage({ id: 'refusal.verification_unknown', message: 'Invalid or expired verification token' }),
  defineMessage({ id: 'refusal.reset_token_required', message: 'Reset token is required' }),
  defineMessage({ id: 'refusal.reset_expired', message: 'Reset link has expired' }),
  defineMessage({ id: 'refusal.reset_unknown', message: 'Invalid or expired reset token' }),
  defineMessage({
    id: 'refusal.revocation_unknown',
    message:
      'This link has expired or was used. If somebody else uses your account, please ask for a new password.',
  }),
  defineMessage({
    id: 'refusal.agreement_unknown',
    message:
      'This link is no longer valid. If you still want the new email, please ask for it again in your account.',
  }),
  defineMessage({ id: 'refusal.subject_required', message: 'Subject is required' }),
  defineMessage({ id: 'refusal.subject_too_long', message: 'Subject must be at most 200 characters long' }),
  defineMessage({ id: 'refusal.message_required', message: 'Message is required' }),
  defineMessage({ id: 'refusal.message_too_long', message: 'Message must be at most 5,000 characters long' }),
  defineMessage({
    id: 'refusal.invitation_expired',
    message: 'This invitation has expired, was withdrawn or was used. Ask for a new one.',
  }),
  defineMessage({
    id: 'refusal.already_in_team_yourself',
    message: "You are in this event's team already",
  }),
];
