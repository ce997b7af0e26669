//! Where the icon of a shortcut of the Start menu is: in the file that the shortcut names for it, else in its target.
//!
//! What must hold: whatever the bytes are, nothing fails but the look-up.
//!
//! Layout: MS-SHLLINK, <https://learn.microsoft.com/openspecs/windows_protocols/ms-shllink>

use std::path::PathBuf;

/// The size of the header, and the class that it names (MS-SHLLINK, 2.1).
const HEADER: &[u8] = &[0x4c, 0, 0, 0, 1, 0x14, 2, 0, 0, 0, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0x46];
/// The flags of the header (MS-SHLLINK, 2.1.1).
const HAS_ID_LIST: u32 = 1;
const HAS_LINK_INFO: u32 = 1 << 1;
/// A name, a relative path, a working folder and arguments.
const HAS_TEXTS: [u32; 4] = [1 << 2, 1 << 3, 1 << 4, 1 << 5];
const HAS_ICON_LOCATION: u32 = 1 << 6;
const IS_UNICODE: u32 = 1 << 7;

/// Returns the file with the icon of a shortcut, with the values of environment variables that its path names.
pub(super) fn icon_file(shortcut: &[u8], variable: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let rest = shortcut.strip_prefix(HEADER)?;
    let flags = u32_at(rest, 0)?;
    let mut rest = shortcut.get(0x4c..)?;
    if flags & HAS_ID_LIST != 0 {
        rest = rest.get(2 + usize::from(u16_at(rest, 0)?)..)?;
    }
    let mut target = None;
    if flags & HAS_LINK_INFO != 0 {
        let size = u32_at(rest, 0)? as usize;
        target = local_path(rest.get(..size)?);
        rest = rest.get(size..)?;
    }
    let wide = flags & IS_UNICODE != 0;
    for _ in HAS_TEXTS.into_iter().filter(|flag| flags & flag != 0) {
        (_, rest) = text(rest, wide)?;
    }
    let icon = (flags & HAS_ICON_LOCATION != 0).then(|| text(rest, wide)).flatten();
    let icon = icon.map(|(icon, _)| expanded(&icon, variable)).filter(|icon| !icon.trim().is_empty());
    icon.or(target).map(PathBuf::from)
}

/// Returns the path of a target on this machine (MS-SHLLINK, 2.3).
fn local_path(info: &[u8]) -> Option<String> {
    const HAS_LOCAL_PATH: u32 = 1;
    /// From this size on the header has offsets of texts in Unicode.
    const HEADER_WITH_UNICODE: u32 = 0x24;
    if u32_at(info, 8)? & HAS_LOCAL_PATH == 0 {
        return None;
    }
    let at = |offset: usize| info.get(u32_at(info, offset)? as usize..);
    if u32_at(info, 4)? >= HEADER_WITH_UNICODE {
        let until_zero = |bytes: &[u8]| {
            let units = bytes.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit));
            String::from_utf16(&units.take_while(|unit| *unit != 0).collect::<Vec<_>>()).ok()
        };
        return Some(until_zero(at(0x1c)?)? + &until_zero(at(0x20)?)?);
    }
    let until_zero = |bytes: &[u8]| latin(bytes.split(|byte| *byte == 0).next().unwrap_or_default());
    Some(until_zero(at(0x10)?) + &until_zero(at(0x18)?))
}

/// Splits a text with its length off the bytes (MS-SHLLINK, 2.4).
fn text(bytes: &[u8], wide: bool) -> Option<(String, &[u8])> {
    let (count, rest) = (usize::from(u16_at(bytes, 0)?), bytes.get(2..)?);
    let (text, rest) = rest.split_at_checked(if wide { 2 * count } else { count })?;
    let units = || text.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit)).collect::<Vec<_>>();
    Some((if wide { String::from_utf16_lossy(&units()) } else { latin(text) }, rest))
}

/// Reads a text in the system's code page as Latin-1: which code page it was is not in the file, and paths of programs
/// are nearly always ASCII.
fn latin(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// Replaces environment variables, such as `%ProgramFiles%`. Unknown ones stay as they are.
fn expanded(path: &str, variable: impl Fn(&str) -> Option<String>) -> String {
    let mut parts = path.split('%');
    let mut text = parts.next().unwrap_or_default().to_owned();
    while let Some(name) = parts.next() {
        match (variable(name), parts.next()) {
            (Some(value), Some(after)) => text.extend([value.as_str(), after]),
            (_, after) => text.extend(["%", name].into_iter().chain(after.map(|_| "%")).chain(after)),
        }
    }
    text
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Creates a shortcut with these texts of the icon and the target.
    pub(in super::super) fn shortcut(icon: Option<&str>, target: Option<&str>, wide: bool) -> Vec<u8> {
        let encoded = |text: &str| match wide {
            true => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            false => text.as_bytes().to_vec(),
        };
        let counted = |text: &str| [&(text.len() as u16).to_le_bytes()[..], &encoded(text)].concat();
        let when = |flag: u32, present: bool| if present { flag } else { 0 };
        let flags = HAS_ID_LIST
            | HAS_TEXTS[0]
            | HAS_TEXTS[3]
            | when(HAS_LINK_INFO, target.is_some())
            | when(HAS_ICON_LOCATION, icon.is_some())
            | when(IS_UNICODE, wide);
        let mut bytes = [HEADER, &flags.to_le_bytes()].concat();
        bytes.resize(0x4c, 0);
        bytes.extend([4, 0, 1, 2, 3, 4]);
        if let Some(target) = target {
            let zero = encoded("\0");
            let header = if wide { 0x24_u32 } else { 0x1c };
            let (path, suffix) = (header, header + (encoded(target).len() + zero.len()) as u32);
            let size = suffix + zero.len() as u32;
            let offsets = if wide { [0, 0, 0, 0, path, suffix] } else { [0, path, 0, suffix, 0, 0] };
            let fields = [size, header, 1].into_iter().chain(offsets).flat_map(u32::to_le_bytes);
            bytes.extend(fields.take(header as usize));
            bytes.extend([encoded(target), zero.clone(), zero].concat());
        }
        bytes.extend(["a name", "--arguments"].into_iter().flat_map(counted));
        bytes.extend(icon.map(counted).unwrap_or_default());
        bytes
    }

    fn found(bytes: &[u8]) -> Option<PathBuf> {
        icon_file(bytes, |name| (name == "ProgramFiles").then(|| r"C:\Program Files".to_owned()))
    }

    #[test]
    fn the_icon_of_a_shortcut_is_in_the_named_file_or_in_its_target() {
        let (icon, target) = (r"%ProgramFiles%\Editor\editor.ico", r"C:\Program Files\Editor\editor.exe");
        for wide in [false, true] {
            let expected = Some(PathBuf::from(r"C:\Program Files\Editor\editor.ico"));
            assert_eq!(found(&shortcut(Some(icon), Some(target), wide)), expected, "{wide}");
            assert_eq!(found(&shortcut(Some(icon), None, wide)), expected, "{wide}");
            assert_eq!(found(&shortcut(None, Some(target), wide)), Some(PathBuf::from(target)), "{wide}");
            assert_eq!(found(&shortcut(Some(" "), Some(target), wide)), Some(PathBuf::from(target)), "{wide}");
            assert_eq!(found(&shortcut(None, None, wide)), None, "{wide}");
        }
    }

    #[test]
    fn an_unknown_variable_stays() {
        assert_eq!(expanded("%Nothing%/a%", |_| None), "%Nothing%/a%");
        assert_eq!(expanded("%A%%A%", |_| Some("x".to_owned())), "xx");
        assert_eq!(expanded("100%", |_| Some("x".to_owned())), "100%");
    }

    #[test]
    fn a_truncated_or_damaged_shortcut_is_no_error() {
        let whole = shortcut(Some("icon.ico"), Some("editor.exe"), true);
        for length in 0..whole.len() {
            found(&whole[..length]);
        }
        for offset in 0..whole.len() {
            for byte in [0, 1, 0x7f, 0xff] {
                let mut damaged = whole.clone();
                damaged[offset] = byte;
                found(&damaged);
            }
        }
    }
}
