//! What is encrypted, and what it passes through: servers that are not to be trusted, and proxies.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use data_encoding::HEXLOWER;

use super::*;

/// A certificate of nobody's authority for 127.0.0.1, valid from 2000 to 9999, made for this test.
const CERTIFICATE: &str = "\
    308201533081fba003020102020101300a06082a8648ce3d04030230193117301506035504030c0e6d6972726f\
    722e6578616d706c653020170d3030303130313030303030305a180f39393939313233313233353935395a3019\
    3117301506035504030c0e6d6972726f722e6578616d706c653059301306072a8648ce3d020106082a8648ce3d\
    03010703420004c58ed5569013aa803137491738cdd04d7f2e7449d8e8cdd58ae5e1bc4b259007ac79193baf93\
    2e0eeb5f80117ddc56add8c8990ee92da6085ad3dde34cff9ac4a3323030300f0603551d110408300687047f00\
    0001301d0603551d0e04160414d82d367f261bb4983e3cd77c679d8800c7d782d3300a06082a8648ce3d040302\
    0347003044022017ae6f2e607702ddc8f5bb402f4a5e027104f541700752090258c291195356c6022048401b43\
    9b972aa3a6b5117aae205fc47c639558f6fd004ea3f193c1f35d28ed";

/// Runs against a server that sends `bytes` to all that comes, and is asked over TLS.
fn run_secure(bytes: Vec<u8>) -> Report {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut greeting = [0; 4_096];
            let _ = stream.read(&mut greeting);
            let _ = stream.write_all(&bytes);
            // An alert may come before the client goes.
            let _ = stream.read_to_end(&mut Vec::new());
        }
    });
    let mut bench = Bench::new(&Server::start(|_| Answer::status(500, "")));
    bench.options.base_url = Some(format!("https://{address}").parse().unwrap());
    bench.run_one()
}

#[test]
fn servers_that_speak_no_tls() {
    let report = run_secure(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec());
    assert!(matches!(failure(&report), FileError::Connection(_)), "{:?}", failure(&report));
    assert_eq!(report.failures[0].attempts, 3);
}

/// What a TLS 1.2 server says up to the point at which its certificate is looked at (RFC 5246, 7.4;
/// RFC 8422, 5.4); it has no key, and needs none.
fn greeting(certificate: &[u8]) -> Vec<u8> {
    let long = |length: usize| u32::try_from(length).unwrap().to_be_bytes()[1..].to_vec();
    let message = |kind: u8, body: &[u8]| [&[kind][..], &long(body.len()), body].concat();
    // Version, chance, no session, ECDHE with ECDSA and AES-128-GCM, no compression.
    let hello = [&[3, 3][..], &[7; 32], &[0, 0xC0, 0x2B, 0]].concat();
    let chain = [long(certificate.len() + 3), long(certificate.len()), certificate.to_vec()];
    // A point on X25519, and a signature with ECDSA and SHA-256 that is none.
    let exchange = [&[3, 0, 0x1D, 32][..], &[9; 32], &[4, 3, 0, 8], &[1; 8]].concat();
    let messages = [(2, hello), (11, chain.concat()), (12, exchange), (14, Vec::new())];
    let mut bytes = Vec::new();
    for (kind, body) in messages {
        let message = message(kind, &body);
        let length = u16::try_from(message.len()).unwrap().to_be_bytes();
        bytes.extend([&[22, 3, 3][..], &length, &message].concat());
    }
    bytes
}

#[test]
fn servers_that_are_not_to_be_trusted() {
    let certificate = HEXLOWER.decode(CERTIFICATE.as_bytes()).unwrap();
    let report = run_secure(greeting(&certificate));
    assert!(matches!(failure(&report), FileError::Certificate(_)), "{:?}", failure(&report));
    assert_eq!(report.failures[0].attempts, 1);
    let text = failure(&report).to_string();
    assert!(text.contains("set the clock") && text.contains("another server"), "{text}");
}

#[test]
fn proxies_are_asked_for_what_is_https() {
    let proxy = Server::start(|_| Answer::status(407, ""));
    let mut bench = Bench::new(&proxy);
    let through = || Matcher::builder().https(proxy.url()).no("direct.example").build();
    bench.options.base_url = Some("https://irs.example".parse().unwrap());
    let report = fetch_through(through(), &first_extract(), &bench.options, &bench.told).unwrap();
    assert!(matches!(failure(&report), FileError::Connection(_)));
    let asked = proxy.requests();
    assert_eq!((asked[0].method.as_str(), asked[0].path.as_str()), ("CONNECT", "irs.example:443"));
}

#[test]
fn proxies_of_other_forms_end_the_run() {
    for proxy in ["socks5://me:secret@127.0.0.1:1", "https://127.0.0.1:1"] {
        let server = Server::start(|_| Answer::status(500, ""));
        let mut bench = Bench::new(&server);
        bench.options.base_url = Some("https://irs.example".parse().unwrap());
        let proxies = Matcher::builder().https(proxy).build();
        let error = fetch_through(proxies, &Plan::lists(), &bench.options, &bench.told);
        let error = error.unwrap_err();
        assert!(matches!(error, FetchError::Proxy { .. }), "{error:?}");
        let text = error.to_string();
        assert!(text.contains("http://host:port") && text.contains("HTTPS_PROXY"), "{text}");
        assert!(text.contains("127.0.0.1:1") && !text.contains("secret"), "{text}");
        // Neither tried again nor with the next file.
        assert_eq!(bench.told.take(), ["planned 24"]);
    }
}
