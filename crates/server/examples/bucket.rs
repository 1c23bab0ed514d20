//! An S3 server for benchmarks of several processes: `bucket FOLDER`. It checks signatures, keeps the bucket `media` in the
//! folder, prints the settings of its clients, and ends when its standard input does.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot start its store has failed, and says where")]

use std::io::{Read, Write};
use std::path::PathBuf;

use hyper_util::rt::{TokioExecutor, TokioIo};
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use tokio::net::TcpListener;

const ACCESS_KEY: &str = "afterglow";
const SECRET_KEY: &str = "a secret of the benchmark";

fn main() {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap());
    std::fs::create_dir_all(folder.join("media")).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let mut out = std::io::stdout();
    writeln!(out, "AWS_ENDPOINT_URL=http://{}", listener.local_addr().unwrap()).unwrap();
    writeln!(out, "AWS_ACCESS_KEY_ID={ACCESS_KEY}\nAWS_SECRET_ACCESS_KEY={SECRET_KEY}").unwrap();
    writeln!(out, "AWS_ALLOW_HTTP=true\nAWS_REGION=us-east-1\n").unwrap();
    out.flush().unwrap();
    runtime.spawn(async move {
        let mut builder = S3ServiceBuilder::new(s3s_fs::FileSystem::new(&folder).unwrap());
        builder.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
        let service = builder.build();
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            // As buckets do: a small file's head and bytes would wait for each other for 40 ms.
            socket.set_nodelay(true).unwrap();
            let service = service.clone();
            tokio::spawn(async move {
                let server = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
                // A client that hangs up is no failure of the server.
                let _ = server.serve_connection(TokioIo::new(socket), service).await;
            });
        }
    });
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
}
