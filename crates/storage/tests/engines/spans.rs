//! What the log may tell of a statement.

use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use storage::Engine;
use storage::accounts::{links, users};
use tracing::field::{Field, Visit};
use tracing::instrument::WithSubscriber as _;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;

use crate::world::worlds;

/// Spans, and the lines in them, as `name field=value …`, in the order in which they began.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<(Id, String)>>>);

struct Text<'a>(&'a mut String);

impl Visit for Text<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.push_str(&format!(" {field}={value:?}"));
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Recorder {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, _: Context<'_, S>) {
        if attributes.metadata().target() == "storage" {
            assert_eq!(*attributes.metadata().level(), Level::DEBUG);
            let mut text = attributes.metadata().name().to_owned();
            attributes.record(&mut Text(&mut text));
            self.0.lock().unwrap().push((id.clone(), text));
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        if event.metadata().target() == "storage" {
            let span = context.event_span(event).expect("the line belongs to a statement");
            let mut recorded = self.0.lock().unwrap();
            let (_, text) = recorded.iter_mut().rfind(|(id, _)| *id == span.id()).unwrap();
            event.record(&mut Text(text));
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, _: Context<'_, S>) {
        // The last one: the ids of closed spans are given out again.
        if let Some((_, text)) = self.0.lock().unwrap().iter_mut().rfind(|(recorded, _)| recorded == id) {
            values.record(&mut Text(text));
        }
    }
}

#[tokio::test]
async fn a_statement_has_a_span_that_tells_its_table_but_no_value() {
    // [RUN076]
    for world in worlds().await {
        let recorder = Recorder::default();
        let work = async {
            // Another test may be the first to reach the span, and then the line in it, under this test's subscriber, which
            // is not that of its thread: tracing would take them as disabled.
            for _ in 0..2 {
                world.db.ping().await.unwrap();
                tracing::callsite::rebuild_interest_cache();
            }
            recorder.0.lock().unwrap().clear();
            let person = world.new_user("someone@example.com");
            let mut tx = world.begin().await;
            assert!(users::create(&mut tx, &person).await.unwrap());
            tx.commit().await.unwrap();
            assert!(users::credentials(&world.db, &person.email).await.unwrap().is_some());
            assert!(links::find(&world.db, &[7; 32]).await.unwrap().is_none());
            person
        };
        let subscriber = tracing_subscriber::registry().with(recorder.clone());
        let person = work.with_subscriber(subscriber).await;

        let recorded = recorder.0.lock().unwrap();
        let system = match world.db.engine() {
            Engine::Sqlite => "sqlite",
            Engine::Postgres => "postgresql",
        };
        let expected = [
            ("BEGIN", None),
            ("INSERT", Some("users")),
            ("COMMIT", None),
            ("SELECT", Some("users")),
            ("SELECT", Some("mailed_links")),
        ];
        assert_eq!(recorded.len(), expected.len(), "{recorded:?}");
        for ((_, text), (operation, table)) in recorded.iter().zip(expected) {
            let name = table.map_or_else(|| operation.to_owned(), |table| format!("{operation} {table}"));
            let table = table.map_or_else(String::new, |table| format!(" db.collection.name={table:?}"));
            let start = format!(
                "statement otel.name={name:?} otel.kind=\"client\" db.system.name={system:?} \
                 db.operation.name={operation:?}{table} duration_ms="
            );
            let duration =
                text.strip_prefix(&start).unwrap_or_else(|| panic!("{text} does not begin with {start}"));
            let (duration, message) = duration.split_once(' ').unwrap();
            assert!(duration.parse::<f64>().unwrap() > 0.0, "{text}");
            assert_eq!(message, "message=statement finished");
            for value in [person.email.as_str(), &person.name, &person.password_hash, &person.id.to_string()]
            {
                assert!(!text.contains(value), "{text}");
            }
        }
    }
}
