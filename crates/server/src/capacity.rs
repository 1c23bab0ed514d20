//! The settings of what this process takes on at once.

use std::time::Duration;

use app::{ConnectionCapacity, SearchCapacity, UploadCapacity};

use crate::settings::Settings;

impl Settings {
    /// Which searches are let in.
    pub(crate) fn search_capacity(&self) -> SearchCapacity {
        SearchCapacity {
            queue: self.search_queue,
            per_address: self.searches_per_address,
            memory_bytes: self.search_memory_mb.saturating_mul(1 << 20),
            deadline: Duration::from_secs(self.search_deadline_seconds),
        }
    }

    /// Which uploads are let in.
    pub(crate) fn upload_capacity(&self) -> UploadCapacity {
        UploadCapacity {
            per_user: self.uploads_per_user,
            per_address: self.uploads_per_address,
            free_disk_bytes: self.min_free_disk_mb.saturating_mul(1 << 20),
            unfinished_per_user: self.unfinished_uploads_per_user,
            unfinished_per_address: self.unfinished_uploads_per_address,
            unfinished_bytes: self.unfinished_uploads_mb.saturating_mul(1 << 20),
            unfinished_lifetime: Duration::from_secs(self.unfinished_upload_hours.saturating_mul(60 * 60)),
        }
    }

    /// Which connections are let in, and how long they may keep the service waiting.
    pub(crate) fn connection_capacity(&self) -> ConnectionCapacity {
        let default = ConnectionCapacity::default();
        let seconds = usize::try_from(default.body_window.as_secs()).unwrap_or(usize::MAX);
        ConnectionCapacity {
            connections: self.max_connections,
            per_address: self.connections_per_address,
            head: Duration::from_secs(self.request_head_seconds),
            idle: Duration::from_secs(self.idle_seconds),
            body_bytes: self.min_upload_kb_per_second.saturating_mul(1_024).saturating_mul(seconds),
            body_window: default.body_window,
            request: Duration::from_secs(self.request_seconds),
            stalled_write: Duration::from_secs(self.stalled_download_seconds),
        }
    }
}
