import type { MessageDescriptor } from '@lingui/core';
import { defineMessage } from '@lingui/core/macro';

/**
 * The refusals that a photographer can meet beside those of guests and visitors, for translation. No code imports these: the
 * server sends the English texts, and `refusalText` finds a translation by the code.
 */
export const refusalMessages: readonly MessageDescriptor[] = [
  defineMessage({
    id: 'refusal.profile_change_unclear',
    message: 'Please change either your name or your email',
  }),
  defineMessage({ id: 'refusal.email_in_use', message: 'Email already registered' }),
  defineMessage({ id: 'refusal.current_password_wrong', message: 'Invalid current password' }),
  defineMessage({ id: 'refusal.second_factor_on', message: 'Two-step login is on already' }),
  defineMessage({ id: 'refusal.second_factor_off', message: 'Two-step login is not on' }),
  defineMessage({
    id: 'refusal.administration_asks_for_code',
    message: 'Administration asks for a code of your authenticator app once in 12 hours.',
  }),
  defineMessage({
    id: 'refusal.administration_asks_for_second_factor',
    message: 'Administration needs two-step login. Please set it up.',
  }),
  defineMessage({ id: 'refusal.sign_in_required', message: 'Please log in to continue.' }),
  defineMessage({
    id: 'refusal.password_changed',
    message: 'Your password was changed. Please log in again.',
  }),
  defineMessage({ id: 'refusal.photographers_only', message: 'Only photographers can do this.' }),
  defineMessage({ id: 'refusal.administrators_only', message: 'Only administrators can do this.' }),
  defineMessage({
    id: 'refusal.setup_link_unknown',
    message: 'This set-up link is not valid. Please use the newest one that the server has printed.',
  }),
  defineMessage({
    id: 'refusal.already_set_up',
    message: 'This service is set up already. Please log in.',
  }),
  defineMessage({
    id: 'refusal.studio_name_required',
    message: 'Please enter the name of your studio',
  }),
  defineMessage({
    id: 'refusal.studio_name_too_long',
    message: 'Studio name must be at most 80 characters long',
  }),
  defineMessage({
    id: 'refusal.studio_color_invalid',
    message: 'Accent colour must have the form #RRGGBB',
  }),
  defineMessage({
    id: 'refusal.studio_website_invalid',
    message: 'Website must be an https address such as https://studio.example, at most 200 characters long',
  }),
  defineMessage({
    id: 'refusal.studio_instagram_invalid',
    message: 'Instagram handle must have at most 30 letters, digits, dots and underscores',
  }),
  defineMessage({
    id: 'refusal.studio_contact_invalid',
    message: 'Contact must be an email address or a phone number of 6 to 15 digits',
  }),
  defineMessage({ id: 'refusal.studio_logo_required', message: 'Please choose a logo' }),
  defineMessage({
    id: 'refusal.studio_logo_format',
    message: 'The logo must be a PNG or JPEG file. An SVG file can contain programs: please save it as PNG.',
  }),
  defineMessage({ id: 'refusal.studio_logo_too_large', message: 'The logo is larger than 5 MB' }),
  defineMessage({
    id: 'refusal.studio_logo_invisible',
    message: 'The logo cannot be seen on white. Please use a dark or coloured version of it.',
  }),
  defineMessage({ id: 'refusal.studio_missing', message: 'Please save the name of your studio first' }),
  defineMessage({
    id: 'refusal.watermark_text_too_long',
    message: "The watermark's text must be at most 60 characters long",
  }),
  defineMessage({
    id: 'refusal.watermark_logo_missing',
    message: 'Please add a logo to your studio first, or enter a text',
  }),
  defineMessage({ id: 'refusal.event_name_required', message: 'Event name is required' }),
  defineMessage({
    id: 'refusal.event_name_too_long',
    message: 'Event name must be at most 200 characters long',
  }),
  defineMessage({ id: 'refusal.event_date_required', message: 'Event date is required' }),
  defineMessage({
    id: 'refusal.event_date_invalid',
    message: 'Event date must be a calendar date in the form YYYY-MM-DD',
  }),
  defineMessage({
    id: 'refusal.event_date_out_of_range',
    message: 'Event date must be between the year 2000 and five years from now',
  }),
  defineMessage({
    id: 'refusal.event_description_too_long',
    message: 'Event description must be at most 2,000 characters long',
  }),
  defineMessage({
    id: 'refusal.event_uploads_closed',
    message: 'This event is closed to uploads. You can open it again on its card in Events.',
  }),
  defineMessage({
    id: 'refusal.ftp_unavailable',
    message: 'This service takes no photos over FTP. Its operator can switch that on in the settings.',
  }),
  defineMessage({ id: 'refusal.event_pin_invalid', message: 'The PIN must have 4 to 8 digits' }),
  defineMessage({
    id: 'refusal.event_time_zone_unknown',
    message: 'Event time zone must be a name such as Asia/Kolkata',
  }),
  defineMessage({
    id: 'refusal.event_expiry_invalid',
    message: 'The day of removal must be a calendar date in the form YYYY-MM-DD',
  }),
  defineMessage({
    id: 'refusal.event_expiry_too_soon',
    message: 'Please choose a day at least 8 days ahead: a mail warns you a week before photos are removed',
  }),
  defineMessage({
    id: 'refusal.event_expiry_too_late',
    message: 'Photos are not kept here until that day. Please choose an earlier one.',
  }),
  defineMessage({
    id: 'refusal.event_cover_unfit',
    message: 'The cover must be a searchable photo of this event that no guest has asked to hide',
  }),
  defineMessage({ id: 'refusal.event_being_deleted', message: 'This event is being deleted' }),
  defineMessage({
    id: 'refusal.event_not_restorable',
    message: 'This event can no longer be restored.',
  }),
  defineMessage({
    id: 'refusal.event_uploads_closed_by_owner',
    message: 'This event is closed to uploads. Ask its photographer to open it again.',
  }),
  defineMessage({
    id: 'refusal.managers_only',
    message: 'Only the photographer of this event and its managers can do this',
  }),
  defineMessage({
    id: 'refusal.owner_only',
    message: 'Only the photographer whose event this is can do this',
  }),
  defineMessage({
    id: 'refusal.invitation_to_yourself',
    message: "You are in this event's team already",
  }),
  defineMessage({ id: 'refusal.already_in_team', message: "This person is in the event's team already" }),
  defineMessage({
    id: 'refusal.team_full',
    message: "An event's team can have at most 50 people, with invitations",
  }),
  defineMessage({ id: 'refusal.invitation_not_found', message: 'This invitation is no longer there' }),
  defineMessage({ id: 'refusal.member_not_found', message: "This person is not in the event's team" }),
  defineMessage({
    id: 'refusal.owner_insufficient_credits',
    message:
      'The photographer of this event has no credits left, and photos of it are paid with their credits. Please tell them.',
  }),
  defineMessage({
    id: 'refusal.owner_locked',
    message: 'The account of the photographer whose event this is is locked. No photos can be added.',
  }),
  defineMessage({ id: 'refusal.task_not_found', message: 'Task not found' }),
  defineMessage({ id: 'refusal.photo_required', message: 'Please choose a photo to upload' }),
  defineMessage({
    id: 'refusal.photo_empty',
    message: 'This file is empty (0 bytes). Copy it from the card again.',
  }),
  defineMessage({ id: 'refusal.photo_too_large', message: 'The photo is larger than 100 MB' }),
  defineMessage({
    id: 'refusal.image_too_many_pixels',
    message: 'The image has more than 200 megapixels',
  }),
  defineMessage({
    id: 'refusal.photo_exhausted',
    message: 'The photo could not be processed for several days.',
  }),
  defineMessage({
    id: 'refusal.photo_crashed',
    message: 'Processing the photo ended the program three times.',
  }),
  defineMessage({
    id: 'refusal.insufficient_credits',
    message: 'Insufficient credits. Please add credits to continue uploading.',
  }),
  defineMessage({
    id: 'refusal.disk_full',
    message:
      'There is no room for more photos at the moment. Nothing was kept or charged. Please try again later.',
  }),
  defineMessage({ id: 'refusal.amount_invalid', message: 'Please enter a valid amount' }),
  defineMessage({
    id: 'refusal.amount_out_of_bounds',
    message: 'Please enter an amount between ₹1 and ₹500,000',
  }),
  defineMessage({ id: 'refusal.price_mismatch', message: 'The amount is not the price of the premium plan' }),
  defineMessage({ id: 'refusal.already_premium', message: 'This account already has the premium plan' }),
  defineMessage({ id: 'refusal.coupon_required', message: 'Please enter a coupon code' }),
  defineMessage({
    id: 'refusal.coupon_not_for_credits',
    message: 'A coupon can be used for the premium plan only',
  }),
  defineMessage({ id: 'refusal.coupon_unknown', message: 'Invalid coupon code' }),
  defineMessage({ id: 'refusal.coupon_not_yet_valid', message: 'This coupon is not valid yet' }),
  defineMessage({ id: 'refusal.coupon_expired', message: 'This coupon has expired' }),
  defineMessage({ id: 'refusal.coupon_used_up', message: 'This coupon has been used up' }),
  defineMessage({ id: 'refusal.coupon_leaves_nothing', message: 'This coupon leaves less than ₹1 to pay' }),
  defineMessage({ id: 'refusal.order_not_found', message: 'Order not found' }),
  defineMessage({ id: 'refusal.payment_not_found', message: 'Payment not found' }),
  defineMessage({
    id: 'refusal.too_many_open_orders',
    message:
      'There are 10 unfinished payments on this account. Please finish one of them, or try again tomorrow.',
  }),
  defineMessage({ id: 'refusal.payment_not_verified', message: 'Payment verification failed' }),
  defineMessage({
    id: 'refusal.payment_pending',
    message: 'The payment is not confirmed yet. It is credited as soon as it is.',
  }),
  defineMessage({ id: 'refusal.objection_not_found', message: 'This request is no longer there' }),
  defineMessage({
    id: 'refusal.objection_ended',
    message: 'This request was undone, and the face is not kept any more. It cannot be resumed.',
  }),
  defineMessage({ id: 'refusal.api_token_name_required', message: 'Please give the token a name' }),
  defineMessage({
    id: 'refusal.api_token_name_too_long',
    message: 'Token name must be at most 100 characters long',
  }),
  defineMessage({
    id: 'refusal.api_tokens_too_many',
    message: 'You have 50 API tokens already. Please revoke one first.',
  }),
  defineMessage({ id: 'refusal.api_token_not_found', message: 'This API token was revoked already' }),
  defineMessage({ id: 'refusal.session_not_found', message: 'This session has ended already' }),
  defineMessage({ id: 'refusal.album_name_required', message: 'Please give the album a name' }),
  defineMessage({
    id: 'refusal.album_name_too_long',
    message: 'Album name must be at most 60 characters long',
  }),
  defineMessage({
    id: 'refusal.album_name_taken',
    message: 'This event has an album of this name already',
  }),
  defineMessage({ id: 'refusal.albums_too_many', message: 'An event can have at most 50 albums' }),
  defineMessage({ id: 'refusal.album_not_found', message: 'This album is no longer there' }),
  defineMessage({ id: 'refusal.person_not_found', message: 'This person is no longer there' }),
  defineMessage({
    id: 'refusal.split_invalid',
    message: "Choose some of this person's photos, but not all of them",
  }),
  defineMessage({
    id: 'refusal.upload_not_found',
    message: 'This upload is no longer there. Please upload the photo again.',
  }),
  defineMessage({
    id: 'refusal.account_search_too_long',
    message: 'Please search with at most 200 characters',
  }),
  defineMessage({ id: 'refusal.account_not_found', message: 'There is no such account' }),
  defineMessage({ id: 'refusal.job_not_found', message: 'There is no such failed job' }),
  defineMessage({ id: 'refusal.reason_required', message: 'Please give a reason' }),
  defineMessage({ id: 'refusal.reason_too_long', message: 'Reason must be at most 500 characters long' }),
  defineMessage({ id: 'refusal.locking_oneself', message: 'You cannot lock your own account' }),
  defineMessage({
    id: 'refusal.last_administrator',
    message: 'This is the last administrator. Make somebody else one first.',
  }),
  defineMessage({
    id: 'refusal.credits_key_used',
    message: 'This key was used for another change of credits',
  }),
  defineMessage({ id: 'refusal.credits_too_few', message: 'The account has fewer credits than that' }),
  defineMessage({ id: 'refusal.payment_refunded', message: 'This payment is refunded already.' }),
  defineMessage({
    id: 'refusal.webhook_url_invalid',
    message:
      'The address must be a URL that begins with https://, without a login, at most 500 characters long',
  }),
  defineMessage({
    id: 'refusal.webhook_url_private',
    message:
      'This address is in a private or reserved network, where webhooks are not sent. An operator can allow private networks in the settings.',
  }),
  defineMessage({
    id: 'refusal.webhook_description_too_long',
    message: 'Description must be at most 200 characters long',
  }),
  defineMessage({ id: 'refusal.webhook_events_required', message: 'Please choose at least one event' }),
  defineMessage({ id: 'refusal.webhook_not_found', message: 'There is no such webhook' }),
  defineMessage({
    id: 'refusal.webhooks_too_many',
    message: 'There are 20 webhooks already. Please delete one first.',
  }),
];
