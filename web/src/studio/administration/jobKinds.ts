import { t } from '@lingui/core/macro';

/** What a kind of job does, in words; the name itself for one that this page does not know. */
export function jobKindText(kind: string): string {
  switch (kind) {
    case 'index_photo':
      return t`Find faces in a photo`;
    case 'describe_photo':
      return t`Describe the faces of a photo anew`;
    case 'render_photo':
      return t`Make a photo’s thumbnails`;
    case 'send_verification':
      return t`Mail: verify an address`;
    case 'notice_email_change':
      return t`Mail: an address is to be changed`;
    case 'send_email_change_completion':
      return t`Mail: an address was changed`;
    case 'send_password_change_notice':
      return t`Mail: a password was changed`;
    case 'tell_of_account':
      return t`Mail: the security of an account`;
    case 'send_password_reset':
      return t`Mail: a new password`;
    case 'answer_mail_request':
      return t`Mail: answer to a request`;
    case 'send_message':
      return t`Mail: message of the contact form`;
    case 'send_subscription_confirmation':
      return t`Mail: confirm that a guest wants mails`;
    case 'tell_guest':
      return t`Mail: new photos of a guest`;
    case 'warn_of_removal':
      return t`Mail: an event’s photos will be removed`;
    case 'warn_of_library_removal':
      return t`Mail: photos without event will be removed`;
    case 'tell_of_objections':
      return t`Mail: guests want to be removed`;
    case 'send_weekly_summary':
      return t`Mail: what is to be done`;
    case 'deliver_webhook':
      return t`Send a webhook`;
    case 'deliver_own_webhook':
      return t`Send a photographer’s webhook`;
    case 'report_counts':
      return t`Count for webhooks`;
    case 'delete_event':
      return t`Delete an event`;
    case 'clear_account':
      return t`Delete an account’s data`;
    default:
      return kind;
  }
}
