//! Every refusal: a stable code, the exact text for the user, and the kind that decides the HTTP status.

mod accounts;
mod clients;
mod invoices;
mod kind;
mod table;
#[cfg(test)]
mod tests;
mod words;

use std::borrow::Cow;
use std::time::Duration;

use accounts::with_accounts;
use clients::with_clients;
use invoices::with_invoices;
pub use kind::Kind;
use table::refusals;
use words::in_words;

with_accounts! {
    // Administration
    /// A text to look for accounts by that is beyond 200 characters.
    AccountSearchTooLong => InvalidInput, "account_search_too_long", "Please search with at most 200 characters";
    /// No open account has this id.
    AccountNotFound => NotFound, "account_not_found", "There is no such account";
    /// No failed job has this id.
    FailedJobNotFound => NotFound, "job_not_found", "There is no such failed job";
    /// Not the name of a kind of jobs.
    JobKindUnknown => InvalidInput, "job_kind_unknown", "There is no such kind of job";
    /// A decision without a reason.
    ReasonRequired => InvalidInput, "reason_required", "Please give a reason";
    /// A reason beyond 500 characters.
    ReasonTooLong => InvalidInput, "reason_too_long", "Reason must be at most 500 characters long";
    /// An administrator who would lock the own account.
    LockingOneself => Conflict, "locking_oneself", "You cannot lock your own account";
    /// An account without which nobody could administrate the service.
    LastAdministrator => Conflict, "last_administrator", "This is the last administrator. Make somebody else one first.";
    /// A login to an account that an administrator has locked, or an upload that was on its way when it was.
    AccountLocked => Forbidden, "account_locked", "This account is locked. Please contact support.";
    /// A change of credits whose key is no UUID.
    CreditsKeyInvalid => InvalidInput, "credits_key_invalid", "Key must be a UUID";
    /// A key under which other credits were given or taken.
    CreditsKeyUsed => Conflict, "credits_key_used", "This key was used for another change of credits";
    /// More credits are to be taken than there are.
    CreditsTooFew => Conflict, "credits_too_few", "The account has fewer credits than that";
    /// A payment whose money was returned, or is on its way.
    PaymentRefunded => Conflict, "payment_refunded", "This payment is refunded already.";
    /// An address of a webhook that no message can be sent to.
    WebhookUrlInvalid => InvalidInput, "webhook_url_invalid", "The address must be a URL that begins with https://, without a login, at most 500 characters long";
    /// An address of a webhook in a network that messages are not sent to.
    WebhookUrlPrivate => InvalidInput, "webhook_url_private", "This address is in a private or reserved network, where webhooks are not sent. An operator can allow private networks in the settings.";
    /// An address of a photographer's webhook in a network that messages are not sent to.
    WebhookUrlNotPublic => InvalidInput, "webhook_url_not_public", "This address is in a private or reserved network. Webhooks are sent to public addresses only.";
    /// A description of a webhook beyond 200 characters.
    WebhookDescriptionTooLong => InvalidInput, "webhook_description_too_long", "Description must be at most 200 characters long";
    /// A webhook that would be told of nothing.
    WebhookEventsRequired => InvalidInput, "webhook_events_required", "Please choose at least one event";
    /// Not an event of webhooks.
    WebhookEventUnknown => InvalidInput, "webhook_event_unknown", "There is no such event of webhooks";
    /// No webhook has this id.
    WebhookNotFound => NotFound, "webhook_not_found", "There is no such webhook";
    /// One webhook more than there may be.
    WebhooksTooMany => Conflict, "webhooks_too_many", "There are 20 webhooks already. Please delete one first.";
    /// One webhook more than a photographer may have.
    OwnWebhooksTooMany => Conflict, "own_webhooks_too_many", "You have 5 webhooks already. Please delete one first.";
    /// The token of a set-up link that was never printed, or not by the newest start.
    SetupLinkUnknown => InvalidInput, "setup_link_unknown", "This set-up link is not valid. Please use the newest one that the server has printed.";
    /// A set-up link once there is an administrator.
    AlreadySetUp => Conflict, "already_set_up", "This service is set up already. Please log in.";

    // Studios
    /// A studio without a name.
    StudioNameRequired => InvalidInput, "studio_name_required", "Please enter the name of your studio";
    /// A studio's name beyond 80 characters.
    StudioNameTooLong => InvalidInput, "studio_name_too_long", "Studio name must be at most 80 characters long";
    /// An accent that is no colour.
    StudioColorInvalid => InvalidInput, "studio_color_invalid", "Accent colour must have the form #RRGGBB";
    /// A website that is no https address of a host.
    StudioWebsiteInvalid => InvalidInput, "studio_website_invalid", "Website must be an https address such as https://studio.example, at most 200 characters long";
    /// Not a handle of Instagram.
    StudioInstagramInvalid => InvalidInput, "studio_instagram_invalid", "Instagram handle must have at most 30 letters, digits, dots and underscores";
    /// A contact that is neither a mail address nor a phone number.
    StudioContactInvalid => InvalidInput, "studio_contact_invalid", "Contact must be an email address or a phone number of 6 to 15 digits";
    /// A form without a logo in it.
    StudioLogoRequired => InvalidInput, "studio_logo_required", "Please choose a logo";
    /// A logo of another format.
    StudioLogoFormat => InvalidInput, "studio_logo_format", "The logo must be a PNG or JPEG file. An SVG file can contain programs: please save it as PNG.";
    /// Over 5 MB.
    StudioLogoTooLarge => TooLarge, "studio_logo_too_large", "The logo is larger than 5 MB";
    /// A logo of which nothing can be seen on white.
    StudioLogoInvisible => InvalidInput, "studio_logo_invisible", "The logo cannot be seen on white. Please use a dark or coloured version of it.";
    /// A logo for dark backgrounds of which nothing can be seen on one.
    StudioDarkLogoInvisible => InvalidInput, "studio_dark_logo_invisible", "The logo cannot be seen on a dark background. Please use a white or light version of it.";
    /// A logo without a studio.
    StudioMissing => Conflict, "studio_missing", "Please save the name of your studio first";
    /// Not the name of a host.
    HostInvalid => InvalidInput, "host_invalid", "Please enter a host name such as photos.your-studio.com";
    /// The host of the service itself.
    HostIsOperators => InvalidInput, "host_is_operators", "This is the address of the service itself. Please enter one of your own.";
    /// No host was named, or the operator offers none.
    HostMissing => NotFound, "host_missing", "There is no own address";
    /// The record that proves a host is not there.
    HostRecordMissing => Conflict, "host_record_missing", "The TXT record is not there yet. A new record can take an hour to be seen.";
    /// A host that another studio has proved.
    HostTaken => Conflict, "host_taken", "Another studio has proved that this address is theirs";
    /// DNS that does not answer.
    HostLookupFailed => Unavailable, "host_lookup_failed", "DNS did not answer. Please try again.";
    /// A watermark's text beyond 60 characters.
    WatermarkTextTooLong => InvalidInput, "watermark_text_too_long", "The watermark's text must be at most 60 characters long";
    /// A watermark whose form lacks what it is made of, or has what there is not.
    WatermarkInvalid => InvalidInput, "watermark_invalid", "A watermark needs a position, an opacity from 10 to 100, and a picture of its text if it has one";
    /// The logo as the watermark of a studio without one.
    WatermarkLogoMissing => Conflict, "watermark_logo_missing", "Please add a logo to your studio first, or enter a text";
    /// The logo for dark backgrounds as the watermark of a studio without one.
    WatermarkDarkLogoMissing => Conflict, "watermark_dark_logo_missing", "Please add a logo for dark backgrounds to your studio first";

    // Events
    /// An event without a name.
    EventNameRequired => InvalidInput, "event_name_required", "Event name is required";
    /// An event's name beyond 200 characters.
    EventNameTooLong => InvalidInput, "event_name_too_long", "Event name must be at most 200 characters long";
    /// An event without a date.
    EventDateRequired => InvalidInput, "event_date_required", "Event date is required";
    /// Not a calendar day.
    EventDateInvalid => InvalidInput, "event_date_invalid", "Event date must be a calendar date in the form YYYY-MM-DD";
    /// A new event before the year 2000, or more than five years ahead.
    EventDateOutOfRange => InvalidInput, "event_date_out_of_range", "Event date must be between the year 2000 and five years from now";
    /// A description beyond 2,000 characters.
    EventDescriptionTooLong => InvalidInput, "event_description_too_long", "Event description must be at most 2,000 characters long";
    /// A message to guests beyond 1,000 characters.
    InvitationTooLong => InvalidInput, "invitation_too_long", "The message must be at most 1,000 characters long";
    /// A photo in which no face is like the guest's.
    FaceNotAlike => Unprocessable, "face_not_alike", "No face in this photo is like yours";
    /// None of the people whose faces are to be kept is found in the photo.
    FaceNotInPhoto => Unprocessable, "face_not_in_photo", "Your face was not found in this photo";
    /// A login for cameras where the operator has not switched FTP on.
    FtpUnavailable => Conflict, "ftp_unavailable", "This service takes no photos over FTP. Its operator can switch that on in the settings.";
    /// A camera's login with a wrong name or password, never which, or one that was replaced or switched off.
    FtpLoginWrong => Unauthenticated, "ftp_login_wrong", "The user name or the password is wrong, or no longer good";
    /// An upload to an event that its photographer has closed to uploads.
    EventUploadsClosed => Conflict, "event_uploads_closed", "This event is closed to uploads. You can open it again on its card in Events.";
    /// The same by a contributor, who cannot open it.
    EventUploadsClosedByOwner => Conflict, "event_uploads_closed_by_owner", "This event is closed to uploads. Ask its photographer to open it again.";
    /// Not one of original, web, none.
    EventDownloadsUnknown => InvalidInput, "event_downloads_unknown", "Downloads must be original, web or none";
    /// Not one of as_they_arrive, held, complete.
    EventPublicationUnknown => InvalidInput, "event_publication_unknown", "Publication must be as_they_arrive, held or complete";
    /// An event is to be complete of which photos are held that were not published with it, such as those that came meanwhile.
    EventPhotosHeld => Conflict, "event_photos_held", "Photos of this event are held, and guests do not see them yet. Publish them with it.";
    /// A day until which more photos are coming that is no date.
    EventMoreUntilInvalid => InvalidInput, "event_more_until_invalid", "The day until which more photos are coming must be a calendar date in the form YYYY-MM-DD";
    /// One that is past.
    EventMoreUntilPast => InvalidInput, "event_more_until_past", "Please choose today or a later day";
    /// A PIN that is none.
    EventPinInvalid => InvalidInput, "event_pin_invalid", "The PIN must have 6 to 8 digits";
    /// A guest's call for an event that asks for its PIN, without proof that the guest knows it.
    EventPinRequired => Forbidden, "event_pin_required", "Please enter the PIN of this event first.";
    /// Another PIN than the event's.
    EventPinWrong => Forbidden, "event_pin_wrong", "This is not the PIN of this event. Please check it and try again.";
    /// A guest's call for all photos of an event that shows guests those they are in.
    BrowsingNotAllowed => Forbidden, "browsing_not_allowed", "The photographer of this event shows guests the photos they are in. Take a selfie to find yours.";
    /// Not a name of the IANA database.
    EventTimeZoneUnknown => InvalidInput, "event_time_zone_unknown", "Event time zone must be a name such as Asia/Kolkata";
    /// A day of removal that is no calendar day.
    EventExpiryInvalid => InvalidInput, "event_expiry_invalid", "The day of removal must be a calendar date in the form YYYY-MM-DD";
    /// A day of removal before which no warning can be sent in time.
    EventExpiryTooSoon => InvalidInput, "event_expiry_too_soon", "Please choose a day at least 8 days ahead: a mail warns you a week before photos are removed";
    /// A day of removal later than the retention period.
    EventExpiryTooLate => InvalidInput, "event_expiry_too_late", "Photos are not kept here until that day. Please choose an earlier one.";
    /// A period for its photos of less than a week.
    EventKeepingTooShort => InvalidInput, "event_keeping_too_short", "Please keep photos for at least 7 days: a mail warns you a week before they are removed";
    /// A period for its photos that the operator does not allow.
    EventKeepingTooLong => InvalidInput, "event_keeping_too_long", "Photos are not kept here for that long. Please choose a shorter time.";
    /// A cover that is no photo of the event, is not searchable, or is hidden.
    EventCoverUnfit => Unprocessable, "event_cover_unfit", "The cover must be a searchable photo of this event that no guest has asked to hide";
    /// A cover that is held: guests do not see it yet.
    EventCoverHeld => Unprocessable, "event_cover_held", "Guests do not see this photo yet. Publish it first.";
    /// No such event, or another photographer's, or one that is being deleted.
    EventNotFound => NotFound, "event_not_found", "Event not found";
    /// An upload to an event that is being deleted.
    EventBeingDeleted => Conflict, "event_being_deleted", "This event is being deleted";
    /// A deleted event whose time in the trash is over.
    EventNotRestorable => Conflict, "event_not_restorable", "This event can no longer be restored.";

    // Teams of events
    /// A contributor's call for what the owner and managers do.
    ManagersOnly => Forbidden, "managers_only", "Only the photographer of this event and its managers can do this";
    /// A member's call for what the owner does.
    OwnerOnly => Forbidden, "owner_only", "Only the photographer whose event this is can do this";
    /// Not one of manager, contributor.
    TeamRoleUnknown => InvalidInput, "team_role_unknown", "Role must be manager or contributor";
    /// An invitation to the address of whoever invites.
    InvitationToYourself => InvalidInput, "invitation_to_yourself", "You are in this event's team already";
    /// An invitation to the address of a member.
    AlreadyInTeam => Conflict, "already_in_team", "This person is in the event's team already";
    /// An invitation that its owner, or a member, accepts.
    AlreadyInTeamYourself => Conflict, "already_in_team_yourself", "You are in this event's team already";
    /// As many members and invitations as an event may have.
    TeamFull => Conflict, "team_full", "An event's team can have at most 50 people, with invitations";
    /// No such invitation, or another event's.
    InvitationNotFound => NotFound, "invitation_not_found", "This invitation is no longer there";
    /// A link that expired, whose invitation was answered or withdrawn, or that never was one.
    InvitationExpired => NotFound, "invitation_expired", "This invitation has expired, was withdrawn or was used. Ask for a new one.";
    /// Nobody of the event's team.
    MemberNotFound => NotFound, "member_not_found", "This person is not in the event's team";
    /// Leaving an own event.
    OwnerCannotLeave => Conflict, "owner_cannot_leave", "This event is yours. You can delete it instead.";
    /// No such task, or another photographer's.
    TaskNotFound => NotFound, "task_not_found", "Task not found";

    // Photos
    /// An upload without a file.
    PhotoRequired => InvalidInput, "photo_required", "Please choose a photo to upload";
    /// An upload of several files in one request.
    OnePhotoOnly => InvalidInput, "one_photo_only", "Please upload one photo per request";
    /// More hashes than one call may ask for.
    TooManyHashes => InvalidInput, "too_many_hashes", "Please ask for at most 200 photos at once";
    /// More names than one call may ask for.
    TooManyNames => InvalidInput, "too_many_names", "Please ask for at most 1,000 names at once";
    /// Not a BLAKE3 hash.
    HashInvalid => InvalidInput, "hash_invalid", "A hash must have 64 hexadecimal digits";
    /// An uploaded file without a byte in it.
    PhotoEmpty => InvalidInput, "photo_empty", "This file is empty (0 bytes). Copy it from the card again.";
    /// Over 100 MB.
    PhotoTooLarge => TooLarge, "photo_too_large", "The photo is larger than 100 MB";
    /// A replacement of a photo whose name several have.
    PhotoNameAmbiguous => Conflict, "photo_name_ambiguous", "Several photos here have this name. Rename the file, or delete all of them but one.";
    /// Not an image of a supported format.
    NotAnImage => InvalidInput, "not_an_image", "The file is not an image we can read (PNG, JPG, JPEG, GIF, BMP, TIFF, WEBP, HEIC, AVIF)";
    /// What a camera's sensor saw, not yet developed.
    RawPhoto => InvalidInput, "raw_photo", "This is a camera's RAW file. Export it as JPEG and upload that.";
    /// JPEG 2000.
    Jpeg2000 => InvalidInput, "jpeg_2000", "This is JPEG 2000, which is not read here. Export the photo as JPEG.";
    /// JPEG XL.
    JpegXl => InvalidInput, "jpeg_xl", "This is JPEG XL, which is not read here. Export the photo as JPEG.";
    /// A document of Photoshop.
    PhotoshopDocument => InvalidInput, "photoshop_document", "This is a Photoshop document. Export the photo as JPEG.";
    /// A TIFF file coded as fax machines do it.
    FaxImage => InvalidInput, "fax_image", "This is a fax in black and white, which is not read here. Save it as PNG or JPEG.";
    /// A film.
    VideoFile => InvalidInput, "video_file", "This is a video. Only photos are taken in here.";
    /// A format that is read, in a form of it that is not.
    ImageKindUnread => InvalidInput, "image_kind_unread", "This kind of image file is not read here. Export the photo as JPEG.";
    /// The end of the file is missing.
    ImageTruncated => InvalidInput, "image_truncated", "The image is incomplete: the end of the file is missing";
    /// Damaged in another way.
    ImageDamaged => InvalidInput, "image_damaged", "The image is damaged and cannot be read";
    /// More than 200 megapixels, or a decompression bomb.
    ImageTooManyPixels => InvalidInput, "image_too_many_pixels", "The image has more than 200 megapixels";
    /// Takes disproportionately long to decode.
    ImageTooComplex => InvalidInput, "image_too_complex", "The image is too complex to read safely";
    /// The balance is too low for a photo.
    InsufficientCredits => PaymentRequired, "insufficient_credits", "Insufficient credits. Please add credits to continue uploading.";
    /// The same by a member of an event's team: the owner's balance is too low.
    OwnerInsufficientCredits => PaymentRequired, "owner_insufficient_credits", "The photographer of this event has no credits left, and photos of it are paid with their credits. Please tell them.";
    /// An upload by a member while the owner's account is locked.
    OwnerLocked => Forbidden, "owner_locked", "The account of the photographer whose event this is is locked. No photos can be added.";
    /// An upload while a disk is almost full.
    DiskFull => InsufficientStorage, "disk_full", "There is no room for more photos at the moment. Nothing was kept or charged. Please try again later.";
    /// An upload in pieces by another version of the protocol, or by none.
    UploadVersionUnsupported => PreconditionFailed, "upload_version_unsupported", "Uploads in pieces speak tus 1.0.0 here (Tus-Resumable)";
    /// A new upload in pieces that does not say how long it will be.
    UploadLengthRequired => InvalidInput, "upload_length_required", "Upload-Length must be the number of bytes of the file";
    /// What goes with a new upload in pieces cannot be read.
    UploadMetadataInvalid => InvalidInput, "upload_metadata_invalid", "Upload-Metadata must be pairs of a key and a Base64 text, at most 4,096 characters";
    /// An upload in pieces that does not exist, is another photographer's, or has expired.
    UploadNotFound => NotFound, "upload_not_found", "This upload is no longer there. Please upload the photo again.";
    /// A piece of another content type.
    UploadTypeWrong => UnsupportedMediaType, "upload_type_wrong", "The bytes must be sent as application/offset+octet-stream";
    /// A piece that does not say where it begins.
    UploadOffsetRequired => InvalidInput, "upload_offset_required", "Upload-Offset must be the number of bytes that are here already";
    /// A piece that does not begin where the bytes end that are there.
    UploadOffsetWrong => Conflict, "upload_offset_wrong", "Upload-Offset is not the number of bytes that are here already";
    /// A piece that reaches beyond the end of the file.
    UploadTooLong => TooLarge, "upload_too_long", "These are more bytes than Upload-Length says";
    /// A checksum that cannot be verified.
    UploadChecksumInvalid => InvalidInput, "upload_checksum_invalid", "Upload-Checksum must be sha1 or sha256, and the checksum in Base64";
    /// A piece that was altered on its way.
    UploadChecksumWrong => ChecksumMismatch, "upload_checksum_wrong", "The bytes do not have the checksum that was sent. None of them was kept.";
    /// No such photo, or another photographer's.
    PhotoNotFound => NotFound, "photo_not_found", "Photo not found";
    /// A rendition that does not exist yet, or of a photo that could not be processed.
    PhotoNotReady => NotFound, "photo_not_ready", "This photo has not been processed yet";
    /// Not one of original, preview, thumbnail.
    SizeUnknown => InvalidInput, "size_unknown", "Size must be original, preview, medium or thumbnail";
    /// Not one of uploaded, captured, name, hearts, sharpness.
    SortUnknown => InvalidInput, "sort_unknown", "Sort must be uploaded, captured, name, hearts or sharpness";
    /// Not one of processing, ready, failed.
    StatusUnknown => InvalidInput, "status_unknown", "Status must be processing, ready or failed";
    /// Photos of several events have no common order but that of their upload.
    SortNeedsEvent => InvalidInput, "sort_needs_event", "Only the photos of one event can be sorted in another order than that of their upload";
    /// An album without a name.
    AlbumNameRequired => InvalidInput, "album_name_required", "Please give the album a name";
    /// More than 60 characters.
    AlbumNameTooLong => InvalidInput, "album_name_too_long", "Album name must be at most 60 characters long";
    /// Another album of the event is called so.
    AlbumNameTaken => Conflict, "album_name_taken", "This event has an album of this name already";
    /// As many albums as an event may have.
    AlbumsTooMany => Conflict, "albums_too_many", "An event can have at most 50 albums";
    /// No such album, or another photographer's or event's.
    AlbumNotFound => NotFound, "album_not_found", "This album is no longer there";
    /// The address of a wall that was ended, or that never was one.
    WallEnded => NotFound, "wall_ended", "This wall has ended.";
    /// A photo that a wall does not show, or no longer.
    WallPhotoNotFound => NotFound, "wall_photo_not_found", "This photo is not on the wall";
    /// A choice of photos without any.
    PhotosToChoose => InvalidInput, "photos_to_choose", "Choose photos, or all of them";
    /// More photos than one call may name.
    TooManyPhotosChosen => InvalidInput, "too_many_photos_chosen", "At most 10,000 photos can be chosen in one call";
    /// Not one of txt, csv, xmp.
    NameListFormatUnknown => InvalidInput, "name_list_format_unknown", "Format must be txt, csv or xmp";
    /// Stars that no program knows.
    RatingInvalid => InvalidInput, "rating_invalid", "Rating must be a whole number from 1 to 5";
    /// A label that programs do not show as a colour.
    LabelUnknown => InvalidInput, "label_unknown", "Label must be red, yellow, green, blue or purple";
    /// A cursor that this list did not return.
    CursorInvalid => InvalidInput, "cursor_invalid", "The cursor is not valid";
    /// A signed link that was altered, has expired, or leads to a deleted file.
    FileNotFound => NotFound, "file_not_found", "File not found";
    /// A guest's call for an original of an event that gives its guests the web size alone.
    OriginalsNotOffered => Forbidden, "originals_not_offered", "The photographer of this event offers photos in web size only.";
    /// A guest's call to save photos of an event that shows them alone.
    DownloadsNotOffered => Forbidden, "downloads_not_offered", "The photographer of this event does not offer downloads.";
    /// A download token that is unknown or expired, or whose photos are deleted.
    DownloadNotFound => NotFound, "download_not_found", "This download is no longer available. Please search again.";
    /// No download tokens, or more than one call may name.
    DownloadTokensInvalid => InvalidInput, "download_tokens_invalid", "Please send between 1 and 64 download tokens";
    /// No photos to download, or more than one ZIP may have.
    DownloadPhotosInvalid => InvalidInput, "download_photos_invalid", "Please choose between 1 and 10,000 photos";
    /// The same photo twice in one ZIP.
    DownloadPhotosRepeated => InvalidInput, "download_photos_repeated", "Please choose each photo once";
    /// A link to results that is unknown or expired, or whose event is deleted.
    ResultsExpired => NotFound, "results_expired", "This link has expired. Take a new selfie to find your photos again.";
    /// A search that does not name a version of the notice about selfies, or one that there is not.
    ConsentRequired => InvalidInput, "consent_required", "Please open this page again and agree to how your selfie is used";
    /// A subscription without the guest's consent.
    SubscriptionConsentRequired => InvalidInput, "subscription_consent_required", "Please tick the box to agree";
    /// A search token that was altered, has expired, or belongs to a deleted event.
    SubscriptionTokenExpired => NotFound, "subscription_token_expired", "Too much time has passed. Please search again, and then ask to be told.";
    /// A search that is repeated without a selfie: too late, or after the photographer has revoked what devices hold.
    SearchTokenExpired => NotFound, "search_token_expired", "Your photos are not kept here any more. Please take a selfie again.";
    /// A mail that is sent while a guest waits, to an address that no server takes.
    MailRefused => InvalidInput, "mail_refused", "The mail server refuses this email address";
    /// An installation that sends no mails to guests.
    ResultsMailNotOffered => Conflict, "results_mail_not_offered", "This service sends no mails to guests";
    /// An event whose photographer does not want it, or an installation without mail server.
    SubscriptionsNotOffered => Conflict, "subscriptions_not_offered", "This event does not tell guests of new photos";
    /// A link of a mail that does not exist.
    SubscriptionLinkUnknown => InvalidInput, "subscription_link_unknown", "This link is not complete. Please open it from the mail again.";
    /// A link that came too late, or whose subscription has ended.
    SubscriptionLinkExpired => InvalidInput, "subscription_link_expired", "This link has expired. Please search again, and then ask to be told.";
    /// An objection without the guest's consent.
    ObjectionConsentRequired => InvalidInput, "objection_consent_required", "Please tick the box to agree";
    /// Neither of the two things that a guest can ask for.
    ObjectionChoiceUnknown => InvalidInput, "objection_choice_unknown", "Choice must be hide or stop_finding";
    /// The token of a search that was altered, is too old, or belongs to a deleted event.
    ObjectionTokenExpired => NotFound, "objection_token_expired", "Too much time has passed. Please take a new selfie.";
    /// No photos of the guest were found that are not hidden, or the photographer has decided to show them.
    ObjectionNothingToHide => Conflict, "objection_nothing_to_hide", "There are no photos of you that can be hidden.";
    /// The photographer has undone the same request before.
    ObjectionOverruled => Conflict, "objection_overruled", "The photographer has decided on this before. Please ask the photographer.";
    /// The side to which the head is to be turned was drawn too long ago, for another event, or by nobody.
    LiveCaptureExpired => NotFound, "live_capture_expired", "Too much time has passed. Please take both photos again.";
    /// The two pictures of a live capture are one.
    LiveCaptureSamePicture => Unprocessable, "live_capture_same_picture", "Both photos are the same picture. Please take two with the camera.";
    /// Somebody else is in a picture of a live capture, who could be searched with as well.
    LiveCaptureSeveralFaces => Unprocessable, "live_capture_several_faces", "There is more than one face in a photo. Please take both photos with you alone in them.";
    /// The first picture of a live capture is not from the front.
    LiveCaptureNotFrontal => Unprocessable, "live_capture_not_frontal", "In the first photo you do not look straight into the camera. Please take both photos again.";
    /// The head is not turned in the second picture of a live capture, or not enough.
    LiveCaptureTurnedTooLittle => Unprocessable, "live_capture_turned_too_little", "In the second photo your head is turned too little. Please take both photos again, and turn it a little more.";
    /// The head is turned to the side that was not asked for.
    LiveCaptureOtherSide => Unprocessable, "live_capture_other_side", "In the second photo your head is turned to the wrong side. Please take both photos again, and turn it to the other side.";
    /// The two pictures of a live capture are of two people, as far as can be told.
    LiveCaptureOtherPerson => Unprocessable, "live_capture_other_person", "The two photos do not seem to show the same person. Please take both again in good light, and turn your head only a little.";
    /// No such person of an event, or another photographer's.
    PersonNotFound => NotFound, "person_not_found", "This person is no longer there";
    /// Two people that cannot become one: the same one twice, or of two events.
    PeopleNotMergeable => InvalidInput, "people_not_mergeable", "Choose two different people of the same event";
    /// None of a person's photos, more than are taken at once, or all of them.
    SplitInvalid => InvalidInput, "split_invalid", "Choose some of this person's photos, but not all of them";
    /// No such request of a guest, or another photographer's.
    ObjectionNotFound => NotFound, "objection_not_found", "This request is no longer there";
    /// A request that was undone: the template of the face was deleted then.
    ObjectionEnded => Conflict, "objection_ended", "This request was undone, and the face is not kept any more. It cannot be resumed.";
    /// A range beyond the end of a file.
    RangeNotSatisfiable => RangeNotSatisfiable, "range_not_satisfiable", "The file ends before this range";

    // Face search
    /// A search without an image.
    SelfieRequired => InvalidInput, "selfie_required", "Please choose a photo to search with";
    /// More than three images.
    TooManySelfies => InvalidInput, "too_many_selfies", "Please search with at most three photos";
    /// Over 20 MB.
    SelfieTooLarge => TooLarge, "selfie_too_large", "The photo is larger than 20 MB";
    /// More than 50 megapixels, or more than its format can be decoded with in the memory that a selfie may take.
    SelfieTooManyPixels => InvalidInput, "selfie_too_many_pixels", "The photo has too many pixels. Please choose a smaller one, or a screenshot of it.";
    /// A face number that does not exist.
    FaceOutOfRange => InvalidInput, "face_out_of_range", "There is no such face in the photo";
    /// An unknown strictness.
    StrictnessUnknown => InvalidInput, "strictness_unknown", "Strictness must be strict, normal or loose";
    /// No face was detected.
    NoFace => Unprocessable, "no_face", "No face found in the photo. Please face the camera in good light and try again.";
    /// The face has too few pixels.
    FaceTooSmall => Unprocessable, "face_too_small", "The face is too small. Please come closer to the camera and try again.";
    /// The face is blurred.
    TooBlurry => Unprocessable, "too_blurry", "The photo is too blurry. Please hold the camera still and try again.";
    /// The face is too dark.
    TooDark => Unprocessable, "too_dark", "The photo is too dark. Please find more light and try again.";
    /// A search of all photos of a photographer who has too many for the time that a search has.
    LibraryTooLarge => Unprocessable, "library_too_large", "You have too many photos to search all of them at once. Please choose an event and search there.";

    // Money
    /// Not an amount of money.
    AmountInvalid => InvalidInput, "amount_invalid", "Please enter a valid amount";
    /// An order below or above the amounts of one payment.
    AmountOutOfBounds => InvalidInput, "amount_out_of_bounds", "Please enter an amount between ₹1 and ₹500,000";
    /// A premium order whose amount is not the price.
    PriceMismatch => InvalidInput, "price_mismatch", "The amount is not the price of the premium plan";
    /// An unknown purpose.
    PurposeUnknown => InvalidInput, "purpose_unknown", "Purpose must be credits or premium_plan";
    /// The account already has the premium plan.
    AlreadyPremium => Conflict, "already_premium", "This account already has the premium plan";
    /// An empty coupon code.
    CouponRequired => InvalidInput, "coupon_required", "Please enter a coupon code";
    /// A coupon for an order of credits.
    CouponNotForCredits => InvalidInput, "coupon_not_for_credits", "A coupon can be used for the premium plan only";
    /// No such coupon.
    CouponUnknown => InvalidInput, "coupon_unknown", "Invalid coupon code";
    /// A coupon that is not valid yet.
    CouponNotYetValid => InvalidInput, "coupon_not_yet_valid", "This coupon is not valid yet";
    /// A coupon that has expired.
    CouponExpired => InvalidInput, "coupon_expired", "This coupon has expired";
    /// A coupon that was used as often as allowed, in all or by this account.
    CouponUsedUp => InvalidInput, "coupon_used_up", "This coupon has been used up";
    /// A coupon that leaves less than the smallest payment.
    CouponLeavesNothing => InvalidInput, "coupon_leaves_nothing", "This coupon leaves less than ₹1 to pay";
    /// No such order, or another photographer's.
    OrderNotFound => NotFound, "order_not_found", "Order not found";
    /// No such payment, or another photographer's.
    PaymentNotFound => NotFound, "payment_not_found", "Payment not found";
    /// An order of an account that has as many open orders as are allowed.
    TooManyOpenOrders => Conflict, "too_many_open_orders", "There are 10 unfinished payments on this account. Please finish one of them, or try again tomorrow.";
    /// A payment that the provider did not sign.
    PaymentNotVerified => InvalidInput, "payment_not_verified", "Payment verification failed";
    /// A signed payment that is not captured yet.
    PaymentPending => Conflict, "payment_pending", "The payment is not confirmed yet. It is credited as soon as it is.";
    /// A webhook that the provider did not sign.
    WebhookNotVerified => InvalidInput, "webhook_not_verified", "The signature of the webhook is not valid";

    // Messages and questions of guests
    /// A message without a subject.
    SubjectRequired => InvalidInput, "subject_required", "Subject is required";
    /// A subject beyond 200 characters.
    SubjectTooLong => InvalidInput, "subject_too_long", "Subject must be at most 200 characters long";
    /// An empty message.
    MessageRequired => InvalidInput, "message_required", "Message is required";
    /// A message beyond 5,000 characters.
    MessageTooLong => InvalidInput, "message_too_long", "Message must be at most 5,000 characters long";
    /// A question beyond 1,000 characters.
    QuestionTooLong => InvalidInput, "question_too_long", "Message must be at most 1,000 characters long";
    /// An event whose photographer takes no questions.
    QuestionsNotTaken => Conflict, "questions_not_taken", "The photographer of this event takes no questions here";

    // Photos of guests
    /// An event whose photographer takes no photos of guests.
    GuestPhotosNotTaken => Conflict, "guest_photos_not_taken", "The photographer of this event takes no photos from guests";
    /// One photo more than a device may add.
    GuestPhotosTooMany => Conflict, "guest_photos_too_many", "You have added as many photos as you can here. Take one back to add another.";
    /// More would wait than is kept.
    GuestPhotosFull => Conflict, "guest_photos_full", "Too many photos are waiting for the photographer. Please try again another day.";
    /// Not a secret that a device makes for itself.
    GuestDeviceInvalid => InvalidInput, "guest_device_invalid", "Guest-Device must be 256 random bits as 43 characters of base64url";
    /// A guest's name beyond 60 characters.
    GuestNameTooLong => InvalidInput, "guest_name_too_long", "Your name must be at most 60 characters long";
    /// Not a number of photos that a device may add.
    GuestPhotoLimitInvalid => InvalidInput, "guest_photo_limit_invalid", "Photos from each guest must be a number from 1 to 200";
    /// No photos, or too many, to let in or to decline.
    GuestPhotosToChoose => InvalidInput, "guest_photos_to_choose", "Please choose between 1 and 200 photos";
    /// A guest's photo that was let in, and is not to be taken back or declined any more.
    GuestPhotoLetIn => Conflict, "guest_photo_let_in", "This photo was let in already.";

    // Requests
    /// Only the operator can read the metrics.
    MetricsNotAllowed => Forbidden, "metrics_not_allowed", "Metrics are for this machine, or for whoever has their token";
    /// No route has this path.
    PathNotFound => NotFound, "path_not_found", "There is nothing at this address";
    /// The route does not have this method.
    MethodNotAllowed => MethodNotAllowed, "method_not_allowed", "This method is not allowed here";
    /// A body larger than the endpoint accepts.
    BodyTooLarge => TooLarge, "body_too_large", "The request is too large";
    /// A body with a content type that the endpoint does not accept.
    FormUnreadable => UnsupportedMediaType, "form_unreadable", "The request is not in a form we can read";
    /// The service is overloaded.
    Busy => Unavailable, "busy", "The service is busy. Please try again in a moment.";
}
