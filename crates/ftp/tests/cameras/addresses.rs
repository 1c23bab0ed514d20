//! Cameras that come over IPv6.

use std::net::Ipv4Addr;

use ftp::{Config, Patience};
use tokio::net::TcpListener;

use crate::{Client, PATIENCE, Service};

#[tokio::test(flavor = "multi_thread")]
async fn over_ipv6_no_address_of_ipv4_is_told_for_data() {
    // The port is not open there, whatever address cameras are told that come over IPv4.
    let service = Service::start().await;
    let Ok(listener) = TcpListener::bind("[::1]:0").await else {
        return; // This machine has no IPv6.
    };
    let address = listener.local_addr().unwrap();
    let config = Config {
        passive_address: Some(Ipv4Addr::new(192, 0, 2, 1)),
        passive_ports: 20_000..=32_000,
        certificate: None,
        allows_plain: true,
        connections: 5,
        patience: Patience { login: PATIENCE, idle: PATIENCE, data: PATIENCE },
    };
    let served = tokio::spawn(ftp::serve(listener, config, service.app.clone(), service.stop.clone()));
    let mut client = Client::connect(address).await;
    assert_eq!(client.ask(&format!("USER {}", service.name)).await.0, 331);
    assert_eq!(client.ask(&format!("PASS {}", service.password)).await.0, 230);
    assert_eq!(client.ask("PASV").await, (425, String::from("This is IPv6: please send EPSV.")));
    assert_eq!(client.ask("EPSV").await.0, 229);
    drop(client);
    service.stop.cancel();
    served.await.unwrap();
}
