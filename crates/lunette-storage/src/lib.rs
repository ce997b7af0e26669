//! Files and SQLite databases of one user.
//!
//! The shared code of the service's store and the inspector's database: folders and files that only their owner can
//! read, files that are written completely or not at all, SQLite connections whose commits survive a power cut,
//! migrations, schemas of files that are not trusted, quarantine of damaged databases, the rows that can still be read
//! from them, and returning memory to the system after a large read. Nothing here knows what is stored.
//!
//! ```
//! use lunette_storage::{atomic, owner_only};
//!
//! # fn main() -> std::io::Result<()> {
//! # let folder = tempfile::tempdir()?;
//! # let home = folder.path();
//! let folder = home.join("data");
//! owner_only::create_folder(&folder)?;
//! atomic::write(&folder.join("note.txt"), b"all of it, or nothing")?;
//! assert!(atomic::write_new(&folder.join("note.txt"), b"another").is_err());
//! # Ok(())
//! # }
//! ```

pub mod atomic;
pub mod database;
pub mod freed_memory;
pub mod migration;
pub mod owner_only;
pub mod quarantine;
pub mod salvage;
pub mod schema;
pub mod system;
