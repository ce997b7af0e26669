//! The icon of a Windows executable, which is among its resources: the first group of icons, as the system shows it.
//!
//! What must hold: whatever the file is, a bounded part of it is read.
//!
//! Layout: <https://learn.microsoft.com/windows/win32/debug/pe-format#the-rsrc-section> and
//! <https://learn.microsoft.com/windows/win32/menurc/resource-file-formats>

use std::fs::File;
use std::path::Path;

use object::pe::{self, ImageNtHeaders32, ImageNtHeaders64};
use object::read::ReadCache;
use object::read::pe::{ImageNtHeaders, PeFile, ResourceDirectoryTable, ResourceNameOrId};

use super::{MAX_ICON_SIZE, SIDE, open};

/// The maximum size of the resources of an executable, in bytes.
const MAX_RESOURCES_SIZE: u32 = 16 * 1024 * 1024;

type Bytes<'a> = &'a ReadCache<File>;

/// Returns the icon as an ICO file with one image; `None` if the file has none that can be read.
pub(super) fn icon(path: &Path) -> Option<Vec<u8>> {
    let cache = ReadCache::new(open(path)?);
    icon_in::<ImageNtHeaders64>(&cache).or_else(|| icon_in::<ImageNtHeaders32>(&cache))
}

fn icon_in<Pe: ImageNtHeaders>(bytes: Bytes) -> Option<Vec<u8>> {
    let resources = Resources::<Pe>::of(bytes)?;
    let group = resources.first(pe::RT_GROUP_ICON, |_| true)?;
    let entry = best(&group)?;
    let image = resources.first(pe::RT_ICON, |id| id == entry.id)?;
    let mut file = vec![0, 0, 1, 0, 1, 0];
    file.extend(entry.description);
    file.extend(u32::try_from(image.len()).ok()?.to_le_bytes());
    // The image follows the header and the only entry.
    file.extend(22_u32.to_le_bytes());
    file.extend(image);
    Some(file)
}

/// The resources of an executable, each with its type, its name or number, and its language.
struct Resources<'a, Pe: ImageNtHeaders> {
    file: PeFile<'a, Pe, Bytes<'a>>,
    bytes: Bytes<'a>,
}

impl<'a, Pe: ImageNtHeaders> Resources<'a, Pe> {
    fn of(bytes: Bytes<'a>) -> Option<Self> {
        let file = PeFile::parse(bytes).ok()?;
        let at = file.data_directory(pe::IMAGE_DIRECTORY_ENTRY_RESOURCE)?.virtual_address.get(object::LittleEndian);
        // The section is read whole.
        let section = file.section_table().section_containing(at)?;
        let size = section.size_of_raw_data.get(object::LittleEndian);
        (size <= MAX_RESOURCES_SIZE).then_some(Self { file, bytes })
    }

    /// Returns the first resource of a type whose number is accepted, in the first of its languages.
    fn first(&self, kind: u16, accepts: impl Fn(u16) -> bool) -> Option<Vec<u8>> {
        let sections = self.file.section_table();
        let directory = self.file.data_directories().resource_directory(self.bytes, &sections).ok()??;
        let table = |table: ResourceDirectoryTable<'a>, accepts: &dyn Fn(Option<u16>) -> bool| {
            let number = |name: ResourceNameOrId| name.id();
            let entry = table.entries.iter().find(|entry| accepts(number(entry.name_or_id())))?;
            entry.data(directory).ok()
        };
        let names = table(directory.root().ok()?, &|id| id == Some(kind))?.table()?;
        // A group has a number or a name; images have numbers.
        let languages = table(names, &|id| accepts(id.unwrap_or_default()))?.table()?;
        let found = table(languages, &|_| true)?.data()?;
        let size = found.size.get(object::LittleEndian);
        let data = sections.pe_data_at(self.bytes, found.offset_to_data.get(object::LittleEndian))?;
        (u64::from(size) <= MAX_ICON_SIZE).then(|| data.get(..size as usize).map(<[u8]>::to_vec))?
    }
}

/// An image of a group of icons.
#[derive(Clone, Copy)]
struct Entry {
    /// Its size and colours, as an ICO file has them too.
    description: [u8; 8],
    id: u16,
}

impl Entry {
    fn width(self) -> u32 {
        match self.description[0] {
            0 => 256,
            width => width.into(),
        }
    }

    fn bits(self) -> u16 {
        u16::from_le_bytes([self.description[6], self.description[7]])
    }
}

/// Returns the smallest image that is large enough, else the largest; of the same size the one with most colours.
fn best(group: &[u8]) -> Option<Entry> {
    let entries = group.get(6..)?.as_chunks::<14>().0.iter().map(|entry| {
        let [description @ .., _, _, _, _, low, high] = *entry;
        Entry { description, id: u16::from_le_bytes([low, high]) }
    });
    entries.max_by_key(|entry| {
        let (width, enough) = (i64::from(entry.width()), entry.width() >= SIDE);
        (enough, if enough { -width } else { width }, entry.bits())
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The number of a resource and what it holds: bytes, or others by their numbers.
    enum Node {
        Data(Vec<u8>),
        Table(Vec<(u32, Node)>),
    }

    /// Where the section of resources begins, in the file and in memory.
    const SECTION_AT: u32 = 0x400;

    /// Writes a resource and those in it behind `out`, and returns where it begins.
    fn write(node: &Node, out: &mut Vec<u8>) -> u32 {
        let at = out.len();
        match node {
            Node::Data(bytes) => {
                let address = SECTION_AT + at as u32 + 16;
                out.extend([address, bytes.len() as u32, 0, 0].into_iter().flat_map(u32::to_le_bytes));
                out.extend(bytes);
                out.resize(out.len().next_multiple_of(4), 0);
                at as u32
            }
            Node::Table(entries) => {
                out.extend([0; 14]);
                out.extend((entries.len() as u16).to_le_bytes());
                let first = out.len();
                out.resize(first + 8 * entries.len(), 0);
                for (index, (id, entry)) in entries.iter().enumerate() {
                    let entry = [*id, write(entry, out)].map(u32::to_le_bytes).concat();
                    out[first + 8 * index..][..8].copy_from_slice(&entry);
                }
                at as u32 | 0x8000_0000
            }
        }
    }

    /// Creates an executable with a group of these icons, each with its width and its file.
    pub(in super::super) fn executable(icons: &[(u8, Vec<u8>)], wide: bool) -> Vec<u8> {
        let only = |node| Node::Table(vec![(1_033, node)]);
        let mut group = vec![0, 0, 1, 0, icons.len() as u8, 0];
        for (number, (width, file)) in (1_u16..).zip(icons) {
            group.extend([*width, *width, 0, 0, 1, 0, 32, 0]);
            group.extend((file.len() as u32).to_le_bytes());
            group.extend(number.to_le_bytes());
        }
        let icons = (1..).zip(icons).map(|(number, (_, file))| (number, only(Node::Data(file.clone())))).collect();
        let groups = Node::Table(vec![(7, only(Node::Data(group)))]);
        let root = Node::Table(vec![(pe::RT_ICON.into(), Node::Table(icons)), (pe::RT_GROUP_ICON.into(), groups)]);
        let mut resources = Vec::new();
        write(&root, &mut resources);
        [headers(resources.len() as u32, wide), resources].concat()
    }

    /// The headers of an executable whose only section is of resources.
    fn headers(size: u32, wide: bool) -> Vec<u8> {
        let (machine, magic, directories) = if wide { (0x8664_u16, 0x20b_u16, 112) } else { (0x14c, 0x10b, 96) };
        let mut file = b"MZ".to_vec();
        file.resize(0x3c, 0);
        file.extend([0x40, 0, 0, 0]);
        file.extend(b"PE\0\0");
        file.extend([machine, 1].into_iter().flat_map(u16::to_le_bytes));
        file.extend([0; 12]);
        file.extend([directories + 16 * 8, 0x102].into_iter().flat_map(u16::to_le_bytes));
        let optional = file.len();
        file.extend(magic.to_le_bytes());
        file.resize(optional + usize::from(directories), 0);
        // The number of directories stands before them; that of resources is the third.
        file[optional + usize::from(directories) - 4] = 16;
        file.extend([0, 0, 0, 0, SECTION_AT, size].into_iter().flat_map(u32::to_le_bytes));
        file.resize(optional + usize::from(directories) + 16 * 8, 0);
        file.extend(b".rsrc\0\0\0");
        file.extend([size, SECTION_AT, size, SECTION_AT, 0, 0, 0, 0x4000_0040].into_iter().flat_map(u32::to_le_bytes));
        file.resize(SECTION_AT as usize, 0);
        file
    }

    fn icon_of(bytes: &[u8]) -> Option<Vec<u8>> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), bytes).expect("written");
        icon(file.path())
    }

    #[test]
    fn the_smallest_image_that_is_large_enough_is_taken_as_an_icon_file() {
        for wide in [false, true] {
            let icons = [(16, b"small".to_vec()), (0, b"large".to_vec()), (96, b"enough".to_vec())];
            let header = [0, 0, 1, 0, 1, 0, 96, 96, 0, 0, 1, 0, 32, 0, 6, 0, 0, 0, 22, 0, 0, 0];
            assert_eq!(icon_of(&executable(&icons, wide)), Some([&header[..], b"enough"].concat()), "{wide}");
            let largest = icon_of(&executable(&icons[..1], wide)).expect("an icon");
            assert!(largest.ends_with(b"small"), "{wide}");
            assert_eq!(icon_of(&executable(&[], wide)), None, "{wide}");
        }
    }

    #[test]
    fn a_truncated_or_damaged_executable_has_no_icon_and_is_no_error() {
        let whole = executable(&[(72, b"image".to_vec())], true);
        for length in (0..whole.len()).step_by(3) {
            assert_eq!(icon_of(&whole[..length]), None, "{length}");
        }
        for offset in (0x3c..0x1b0).chain(SECTION_AT as usize..whole.len()) {
            for byte in [0, 0x7f, 0xff] {
                let mut damaged = whole.clone();
                damaged[offset] = byte;
                icon_of(&damaged);
            }
        }
    }

    #[test]
    fn resources_beyond_the_limit_are_not_read() {
        let mut large = executable(&[(72, b"image".to_vec())], true);
        assert!(icon_of(&large).is_some());
        let size = large.windows(5).position(|name| name == b".rsrc").expect("the section") + 16;
        large[size..][..4].copy_from_slice(&(MAX_RESOURCES_SIZE + 1).to_le_bytes());
        large.resize((MAX_RESOURCES_SIZE + SECTION_AT + 1) as usize, 0);
        assert_eq!(icon_of(&large), None);
    }
}
