//! Picks files and folders to import with the dialogs of the system; reports if there are none.

use std::path::PathBuf;
use std::sync::Arc;

use crate::action::ImportAction;
use crate::capability::Capability;
use crate::context::Context;
use crate::import::preview::read::ReadAs;
use crate::import::{Imports, Output};
use crate::notifications::{NotificationAction, Topic};
use crate::setup::{NotPicked, picked};
use crate::{Action, BoxFuture, Dialogs};

impl Imports {
    pub(crate) fn pick_files(&mut self, cx: &mut Context<'_>) {
        pick(|dialogs| dialogs.files(), Output::Picked, cx);
    }

    pub(crate) fn pick_folder(&mut self, cx: &mut Context<'_>) {
        pick(folder, Output::Picked, cx);
    }

    pub(crate) fn pick_files_to_preview(&mut self, cx: &mut Context<'_>) {
        pick(|dialogs| dialogs.files(), Output::PickedToPreview, cx);
    }

    pub(crate) fn pick_folder_to_preview(&mut self, cx: &mut Context<'_>) {
        pick(folder, Output::PickedToPreview, cx);
    }

    pub(crate) fn picked_to_preview(&mut self, end: Result<Vec<PathBuf>, NotPicked>, cx: &mut Context<'_>) {
        match end {
            Ok(paths) => self.preview(paths, ReadAs::Recognised, cx),
            Err(problem) => cx.notify_failed(Topic::Import, problem.to_string(), Vec::new()),
        }
    }

    pub(crate) fn apply_picked(&mut self, end: Result<Vec<PathBuf>, NotPicked>, cx: &mut Context<'_>) {
        match end {
            Ok(paths) => self.import(paths, cx),
            Err(problem) => {
                let type_path = NotificationAction {
                    label: "Type a path…",
                    actions: vec![Action::Import(ImportAction::AskForPath)],
                };
                cx.notify_failed(Topic::Import, problem.to_string(), vec![type_path]);
            }
        }
    }
}

fn folder(dialogs: &dyn Dialogs) -> BoxFuture<Vec<PathBuf>> {
    let folder = dialogs.folder();
    Box::pin(async move { folder.await.into_iter().collect() })
}

fn pick(
    ask: impl FnOnce(&dyn Dialogs) -> BoxFuture<Vec<PathBuf>>,
    output: fn(Result<Vec<PathBuf>, NotPicked>) -> Output,
    cx: &mut Context<'_>,
) {
    if cx.blocks_write(Capability::CreateAsset, "Could not import") {
        return;
    }
    let dialogs = Arc::clone(&cx.setup().dialogs);
    let picking = ask(&*dialogs);
    cx.run(picked(picking, dialogs), output);
}
