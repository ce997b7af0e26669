//! Another program at the address of a service: whatever it says, it is said to be none.

use super::*;

/// Another program on a port, until it is dropped.
struct Squatter {
    port: u16,
    gone: Arc<std::sync::atomic::AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Squatter {
    fn on(port: u16, says: Vec<u8>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).expect("the port is free");
        let gone = Arc::new(std::sync::atomic::AtomicBool::new(false));
        let leave = Arc::clone(&gone);
        let thread = std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                if leave.load(std::sync::atomic::Ordering::SeqCst) {
                    return;
                }
                let says = says.clone();
                std::thread::spawn(move || {
                    // A client that goes away has heard enough. What it says is read, so that closing is not a reset.
                    std::io::Write::write_all(&mut stream, &says).ok();
                    stream.shutdown(std::net::Shutdown::Write).ok();
                    std::io::copy(&mut stream, &mut std::io::sink()).ok();
                });
            }
        });
        Self { port, gone, thread: Some(thread) }
    }
}

impl Drop for Squatter {
    fn drop(&mut self) {
        self.gone.store(true, std::sync::atomic::Ordering::SeqCst);
        std::net::TcpStream::connect(("127.0.0.1", self.port)).ok(); // It wakes, and sees that it is to go.
        self.thread.take().map(std::thread::JoinHandle::join);
    }
}

#[test]
fn another_program_at_the_address_is_rejected_and_the_service_accepted_when_it_returns() {
    let mut scene = Scene::with(1);
    scene.down();
    scene.until("its end is noticed", |state| matches!(state.connection.status, Status::Down(_)));
    let random: Vec<u8> = (0..4_096_u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let page = b"HTTP/1.1 200 OK\r\nServer: nginx/1.28\r\nContent-Length: 24\r\n\r\n<!doctype html><p>Hello!".to_vec();
    for says in [random, b"220 mail.example.test ESMTP\r\n".to_vec(), page] {
        let squatter = Squatter::on(scene.port, says);
        scene.until(
            "it is said to be another program",
            |state| matches!(&state.connection.status, Status::Down(message) if message.contains("not a compatible service")),
        );
        drop(squatter);
        scene.until(
            "nothing is there",
            |state| matches!(&state.connection.status, Status::Down(message) if !message.contains("not a compatible service")),
        );
    }
    scene.up();
    scene.until_up();
    assert_eq!(scene.state().assets.list.count(), 1);
}
