use super::*;
use crate::ids::Id;

#[test]
fn photographers_webhooks_keep_no_message_to_operators_waiting() {
    // [HOOK055]
    assert_eq!(Queue::OwnWebhook.kinds(), [JobKind::DeliverOwnWebhook]);
    assert!(!Queue::Webhook.kinds().contains(&JobKind::DeliverOwnWebhook));
}

#[test]
fn no_mail_that_somebody_waits_for_is_behind_those_that_are_due_for_many_at_once() {
    // [RUN383]
    for kind in [
        JobKind::TellGuest,
        JobKind::SendWeeklySummary,
        JobKind::WarnOfRemoval,
        JobKind::WarnOfLibraryRemoval,
        JobKind::WarnOfGuestPhotos,
    ] {
        assert_eq!(kind.queue(), Queue::GuestMail, "{kind:?}");
    }
    for kind in [
        JobKind::SendVerification,
        JobKind::AnswerMailRequest,
        JobKind::SendPasswordReset,
        JobKind::SendInvitation,
        JobKind::SendSubscriptionConfirmation,
    ] {
        assert_eq!(kind.queue(), Queue::Mail, "{kind:?}");
    }
}

#[test]
fn no_job_waits_for_longer_than_the_longest_wait() {
    use crate::DAY;
    use crate::webhooks::retry_after;
    let webhooks = (1..99).filter_map(|attempts| retry_after(attempts, u8::MAX, Some(DAY * 99))).max();
    assert!(backoff(99) < LONGEST_WAIT && webhooks.unwrap() < LONGEST_WAIT);
    assert!(crate::guests::objections::MAIL_INTERVAL < LONGEST_WAIT);
}

#[test]
fn the_stored_form_names_its_kind() {
    let photo = PhotoId::from_parts(Timestamp::from_millis(0), [0; 10]);
    let user = UserId::from_parts(Timestamp::from_millis(0), [0; 10]);
    let event = EventId::from_parts(Timestamp::from_millis(0), [0; 10]);
    let message = MessageId::from_parts(Timestamp::from_millis(0), [0; 10]);
    let question = QuestionId::from_parts(Timestamp::from_millis(0), [0; 10]);
    let invitation = InvitationId::from_parts(Timestamp::from_millis(0), [0; 10]);
    let selection = ClientSelectionId::from_parts(Timestamp::from_millis(0), [0; 10]);
    let notice = NoticeId::from_parts(Timestamp::from_millis(0), [0; 10]);
    let request = MailRequestId::from_parts(Timestamp::from_millis(0), [0; 10]);
    let subscription = SubscriptionId::from_parts(Timestamp::from_millis(0), [0; 10]);
    let delivery = WebhookDeliveryId::from_parts(Timestamp::from_millis(0), [0; 10]);
    let all = [
        Job::IndexPhoto { photo },
        Job::DescribePhoto { photo },
        Job::RenderPhoto { photo },
        Job::SendVerification { user },
        Job::SendEmailChangeNotice { notice },
        Job::SendEmailChangeCompletion { notice },
        Job::SendPasswordChangeNotice { notice },
        Job::TellOfAccount { notice, news: AccountNews::ApiTokenMade },
        Job::SendPasswordReset { user },
        Job::AnswerMailRequest { request },
        Job::SendMessage { message },
        Job::SendQuestion { question },
        Job::SendInvitation { invitation },
        Job::TellOfMember { event, user },
        Job::TellOfSelection { selection },
        Job::SendSubscriptionConfirmation { subscription },
        Job::TellGuest { subscription },
        Job::WarnOfRemoval { event, at: Timestamp::from_millis(7) },
        Job::WarnOfLibraryRemoval { user, uploaded_by: Timestamp::from_millis(7) },
        Job::TellOfObjections { event },
        Job::WarnOfGuestPhotos { event },
        Job::SendWeeklySummary { user, due: Timestamp::from_millis(7) },
        Job::DeliverWebhook { delivery },
        Job::DeliverOwnWebhook { delivery },
        Job::ReportCounts { event_type: EventType::SearchDone, collection: event.to_string() },
        Job::DeleteEvent { event },
        Job::RestoreEvent { event },
        Job::PurgeEvent { event },
        Job::ClearAccount { user },
        Job::SendDeletionReceipt { user },
    ];
    assert_eq!(all.each_ref().map(Job::kind), JobKind::ALL);
    for job in all {
        let stored = serde_json::to_value(&job).unwrap();
        assert_eq!(stored["kind"], job.kind().as_str());
        assert_eq!(serde_json::from_value::<Job>(stored).unwrap(), job);
    }
}

#[test]
fn every_queue_has_jobs_and_every_job_one_queue() {
    let queued: usize = Queue::ALL.map(|queue| queue.kinds().len()).into_iter().sum();
    assert_eq!(queued, JobKind::ALL.len());
    for queue in Queue::ALL {
        assert!(queue.kinds().iter().all(|kind| kind.queue() == queue) && !queue.kinds().is_empty());
    }
}

#[test]
fn indexing_is_retried_for_days() {
    // [UPL194]
    let total: Duration = (1..JobKind::IndexPhoto.max_attempts()).map(backoff).sum();
    assert!(total > 4 * crate::DAY, "{total:?}");
}

#[test]
fn a_job_that_crashes_its_process_is_retried_exclusively_and_then_fails() {
    // [SAFE060] [SAFE228]
    let isolation = |kind: JobKind| [0, 1, 2, 3, 4].map(|crashes| kind.isolation(crashes));
    let (shared, exclusive, never) = (Isolation::Shared, Isolation::Exclusive, Isolation::Never);
    assert_eq!(isolation(JobKind::IndexPhoto), [shared, shared, exclusive, never, never]);
    assert_eq!(isolation(JobKind::DeleteEvent), [shared; 5], "deletions are not suspected");
}

#[test]
fn backoff_doubles_up_to_four_hours() {
    let waits: Vec<u64> = [1, 2, 3, 12, 13, 99].map(|n| backoff(n).as_secs()).into();
    assert_eq!(waits, [5, 10, 20, 10_240, 14_400, 14_400]);
}
