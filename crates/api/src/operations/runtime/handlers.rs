//! Handlers behind one type.

use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use futures::FutureExt as _;
use futures::future::BoxFuture;

use crate::operations::runtime::state::AppState;

/// A handler of any arguments. The router is generic code: given the handlers themselves, the compiler makes a copy of it for each
/// of them, and proves for each function of each copy that all that the handler awaits is `Send`
/// (docs/decisions/0108-proofs-of-send.md).
#[derive(Clone)]
pub(crate) struct Erased(Arc<dyn Fn(Request, AppState) -> BoxFuture<'static, Response> + Send + Sync>);

impl Erased {
    pub(crate) fn new<T: 'static>(handler: impl Handler<T, AppState>) -> Self {
        Self(Arc::new(move |request, state| handler.clone().call(request, state).boxed()))
    }
}

impl Handler<(), AppState> for Erased {
    type Future = BoxFuture<'static, Response>;

    fn call(self, request: Request, state: AppState) -> Self::Future {
        (self.0)(request, state)
    }
}

/// What `utoipa_axum::routes` makes, the paths and schemas of handlers with the router that calls them, of [`Erased`] ones.
macro_rules! routes {
    ($($handler:path),+ $(,)?) => {{
        use utoipa_axum::PathItemExt as _;
        let mut schemas = Vec::new();
        let mut paths = utoipa::openapi::path::Paths::new();
        let mut router = axum::routing::MethodRouter::new();
        $(
            let (path, item, methods) = utoipa_axum::routes!(@resolve_types $handler : schemas);
            for method in &methods {
                let handler = $crate::operations::runtime::handlers::Erased::new($handler);
                router = router.on(method.to_method_filter(), handler);
            }
            paths.add_path_operation(&path, methods, item);
        )+
        (schemas, paths, router)
    }};
}
pub(crate) use routes;
