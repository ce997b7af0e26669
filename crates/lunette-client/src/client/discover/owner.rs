//! Which user's program listens at an address of this machine.
//!
//! What must hold: a listener counts as the user's only if every socket that could accept the connection belongs to the
//! user. Anything unreadable, and every system without `/proc/net/tcp`, yields [`Owner::Unknown`].

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use crate::client::Address;

/// Whose program listens at an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Owner {
    /// The user who runs this program.
    SameUser,
    /// Another user of this machine.
    AnotherUser,
    /// Unknown: the system does not report it, or the address is on another machine.
    #[default]
    Unknown,
}

impl Owner {
    /// Identifier for scripts.
    pub fn word(self) -> &'static str {
        match self {
            Self::SameUser => "same_user",
            Self::AnotherUser => "another_user",
            Self::Unknown => "unknown",
        }
    }

    /// Display name.
    pub fn name(self) -> &'static str {
        match self {
            Self::SameUser => "same user",
            Self::AnotherUser => "another user",
            Self::Unknown => "unknown user",
        }
    }

    /// The owner of several listeners together: the user's only if all of them are.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::AnotherUser, _) | (_, Self::AnotherUser) => Self::AnotherUser,
            (Self::Unknown, known) | (known, Self::Unknown) => known,
            (Self::SameUser, Self::SameUser) => Self::SameUser,
        }
    }
}

/// Returns the owner of the listener at an address. Reads `/proc`, so it blocks.
pub fn owner_of(address: &Address) -> Owner {
    let Some(sockets) = Sockets::read() else { return Owner::Unknown };
    address.loopback_sockets().into_iter().fold(Owner::Unknown, |owner, at| owner.and(sockets.owner(at)))
}

/// The sockets of this machine as the kernel lists them, and the current user.
struct Sockets {
    /// `/proc/net/tcp`.
    tcp: String,
    /// `/proc/net/tcp6`; empty on a machine without IPv6.
    tcp6: String,
    /// The effective user id of this process.
    user: u32,
}

impl Sockets {
    /// Reads them now; None if the system does not list them.
    fn read() -> Option<Self> {
        if !cfg!(target_os = "linux") {
            return None;
        }
        let user = effective_user(&std::fs::read_to_string("/proc/self/status").ok()?)?;
        let tcp = listening(File::open("/proc/net/tcp").ok()?).ok()?;
        let tcp6 = File::open("/proc/net/tcp6").and_then(listening).unwrap_or_default();
        Some(Self { tcp, tcp6, user })
    }

    /// The owner of the listeners that could accept a connection to this address.
    fn owner(&self, at: SocketAddr) -> Owner {
        // Few lines name the port, and there may be thousands.
        let port = format!(":{:04X} ", at.port());
        let lines = self.tcp.lines().chain(self.tcp6.lines()).filter(|line| line.contains(&port));
        let users = lines.filter_map(listener).filter(|(local, _)| accepts(*local, at)).map(|(_, user)| user);
        users.fold(Owner::Unknown, |owner, user| {
            owner.and(if user == self.user { Owner::SameUser } else { Owner::AnotherUser })
        })
    }
}

/// The lines of a table of sockets up to the first connection. The kernel lists all sockets that listen before any that
/// is connected, of which there may be tens of thousands.
fn listening(table: impl Read) -> io::Result<String> {
    let mut text = String::new();
    for line in BufReader::new(table).lines() {
        let line = line?;
        let state = line.split_whitespace().nth(3).and_then(|state| u8::from_str_radix(state, 16).ok());
        // 0A is LISTEN; 03 is a connection not yet accepted, which older kernels list too.
        if state.is_some_and(|state| !matches!(state, 0x0A | 0x03)) {
            break;
        }
        text.push_str(&line);
        text.push('\n');
    }
    Ok(text)
}

/// The effective user id in `/proc/self/status`.
fn effective_user(status: &str) -> Option<u32> {
    let ids = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
    ids.split_whitespace().nth(1)?.parse().ok()
}

/// The local address and the user of a listening socket; None for every other line.
fn listener(line: &str) -> Option<(SocketAddr, u32)> {
    const LISTEN: &str = "0A";
    let mut columns = line.split_whitespace();
    let local = columns.nth(1)?;
    let state = columns.nth(1)?;
    let user = columns.nth(3)?.parse().ok()?;
    (state == LISTEN).then_some((local_address(local)?, user))
}

/// Reads `0100007F:9984`: the address as 32-bit words in the machine's byte order, and the port.
fn local_address(text: &str) -> Option<SocketAddr> {
    let (address, port) = text.split_once(':')?;
    let word = |at: usize| u32::from_str_radix(address.get(at..at + 8)?, 16).ok().map(u32::to_ne_bytes);
    let address: IpAddr = match address.len() {
        8 => Ipv4Addr::from(word(0)?).into(),
        32 => {
            let words = [word(0)?, word(8)?, word(16)?, word(24)?];
            let mut bytes = [0; 16];
            bytes.iter_mut().zip(words.as_flattened()).for_each(|(byte, from)| *byte = *from);
            Ipv6Addr::from(bytes).to_canonical()
        }
        _ => return None,
    };
    Some(SocketAddr::new(address, u16::from_str_radix(port, 16).ok()?))
}

/// Whether a socket that listens at `local` could accept a connection to `at`: a socket on `::` may accept IPv4 too.
fn accepts(local: SocketAddr, at: SocketAddr) -> bool {
    let same_family = local.is_ipv4() == at.is_ipv4();
    let any = local.ip().is_unspecified() && (same_family || local.is_ipv6());
    local.port() == at.port() && (local.ip() == at.ip() || any)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str =
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

    /// The text of `/proc/net/tcp` or `tcp6` with these sockets: local address, state and user.
    fn table(sockets: &[(&str, &str, u32)]) -> String {
        let line = |(local, state, user): &(&str, &str, u32)| {
            format!(
                "   0: {local} 00000000:0000 {state} 00000000:00000000 00:00000000 00000000 {user:>5}        0 22331 1 0000000000000000 100 0 0 10 0\n"
            )
        };
        format!("{HEAD}{}", sockets.iter().map(line).collect::<String>())
    }

    fn owner(tcp: &[(&str, &str, u32)], tcp6: &[(&str, &str, u32)], at: &str) -> Owner {
        Sockets { tcp: table(tcp), tcp6: table(tcp6), user: 1000 }.owner(at.parse().expect(at))
    }

    const FOUR: &str = "127.0.0.1:39300";
    const SIX: &str = "[::1]:39300";
    const ONE_SIX: &str = "00000000000000000000000001000000:9984";

    #[cfg(target_endian = "little")]
    #[test]
    fn a_listener_belongs_to_the_user_in_its_line() {
        assert_eq!(owner(&[("0100007F:9984", "0A", 1000)], &[], FOUR), Owner::SameUser);
        assert_eq!(owner(&[("0100007F:9984", "0A", 65534)], &[], FOUR), Owner::AnotherUser);
        assert_eq!(
            owner(&[("0100007F:9984", "0A", 0)], &[], FOUR),
            Owner::AnotherUser,
            "not the administrator's either"
        );
        assert_eq!(owner(&[], &[(ONE_SIX, "0A", 1000)], SIX), Owner::SameUser);
        assert_eq!(owner(&[], &[(ONE_SIX, "0A", 7)], SIX), Owner::AnotherUser);
    }

    #[cfg(target_endian = "little")]
    #[test]
    fn other_ports_states_and_families_are_ignored() {
        assert_eq!(owner(&[("0100007F:9985", "0A", 1000)], &[], FOUR), Owner::Unknown);
        assert_eq!(owner(&[("0100007F:9984", "01", 1000)], &[], FOUR), Owner::Unknown, "a connection, not a listener");
        assert_eq!(owner(&[("0200007F:9984", "0A", 1000)], &[], FOUR), Owner::Unknown);
        assert_eq!(owner(&[], &[(ONE_SIX, "0A", 1000)], FOUR), Owner::Unknown);
        assert_eq!(owner(&[("00000000:9984", "0A", 1000)], &[], SIX), Owner::Unknown);
        for text in ["", "garbage", "0: 01 00 0A", HEAD] {
            assert_eq!(
                Sockets { tcp: text.to_owned(), tcp6: text.to_owned(), user: 0 }
                    .owner(FOUR.parse().expect("an address")),
                Owner::Unknown
            );
        }
    }

    #[cfg(target_endian = "little")]
    #[test]
    fn one_listener_of_another_user_makes_the_address_theirs() {
        const ANY_SIX: &str = "00000000000000000000000000000000:9984";
        const MAPPED: &str = "0000000000000000FFFF00000100007F:9984";
        assert_eq!(owner(&[("00000000:9984", "0A", 7)], &[], FOUR), Owner::AnotherUser);
        assert_eq!(owner(&[("00000000:9984", "0A", 7), ("0100007F:9984", "0A", 1000)], &[], FOUR), Owner::AnotherUser);
        assert_eq!(owner(&[("0100007F:9984", "0A", 1000)], &[(ANY_SIX, "0A", 7)], FOUR), Owner::AnotherUser);
        assert_eq!(owner(&[], &[(MAPPED, "0A", 7)], FOUR), Owner::AnotherUser);
        assert_eq!(owner(&[], &[(ANY_SIX, "0A", 1000)], FOUR), Owner::SameUser);
        assert_eq!(owner(&[], &[(ANY_SIX, "0A", 1000)], SIX), Owner::SameUser);
    }

    #[test]
    fn only_listening_sockets_are_read() {
        let listeners = table(&[("0100007F:9984", "0A", 7), ("0100007F:9985", "03", 7), ("0100007F:9986", "0A", 7)]);
        let connected = table(&[("0100007F:9984", "01", 7)]).replace(HEAD, "");
        let whole = format!("{listeners}{connected}{connected}");
        assert_eq!(listening(whole.as_bytes()).expect("read"), listeners);
    }

    #[test]
    fn the_effective_user_is_read_from_the_status_of_the_process() {
        let status = "Name:\tlunette\nUid:\t0\t1000\t0\t1000\nGid:\t0\t0\t0\t0\n";
        assert_eq!(effective_user(status), Some(1000));
        assert_eq!(effective_user("Name:\tx\n"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_listener_of_this_process_is_the_users() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        assert_eq!(owner_of(&Address::local(port)), Owner::SameUser);
        assert_eq!(owner_of(&format!("localhost:{port}").parse().expect("an address")), Owner::SameUser);
        drop(listener);
        assert_eq!(owner_of(&"http://192.0.2.1:39300".parse().expect("an address")), Owner::Unknown);
    }
}
