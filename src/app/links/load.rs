//! Reads the lists, and the record of the item that is open.

use std::sync::Arc;

use super::{Links, read};
use crate::app::change::LinkKind;
use crate::app::context::Context;
use crate::app::output::{LinksOutput, TaskOutput};
use crate::app::request_versions::ResourceKey;
use crate::app::{Remote, broken};

impl Links {
    pub(in crate::app) fn load(&mut self, kind: LinkKind, cx: &mut Context<'_>) {
        self.list_mut(kind).rows.ask();
        let what =
            cx.numbered(ResourceKey::Links(kind), move |rows| TaskOutput::Links(LinksOutput::Listed(kind, rows)));
        let (client, own, failed) = (cx.client(), cx.connection.own, what.clone());
        let read = async move {
            what(match client {
                Ok(client) => read::list(&client.with_room(read::LONG_LIST), kind, own).await,
                Err(error) => Err(error),
            })
        };
        cx.start(read, |error| failed(Err(error)));
    }

    /// Reads the lists again that were read before.
    pub(in crate::app) fn load_again(&mut self, cx: &mut Context<'_>) {
        for kind in LinkKind::ALL {
            if self.list(kind).rows != Remote::Unasked {
                self.load(kind, cx);
            }
        }
        self.load_record(cx);
    }

    /// Reads the record of the item that is open.
    pub(super) fn load_record(&mut self, cx: &mut Context<'_>) {
        let Some(page) = &mut self.open else { return };
        page.record.ask();
        let (kind, id) = (page.item.kind, page.item.id.clone());
        let what = cx.numbered(ResourceKey::Link, |record| TaskOutput::Links(LinksOutput::Read(record)));
        let (client, own, failed) = (cx.client(), cx.connection.own, what.clone());
        let read = async move {
            what(
                async {
                    let call = kind
                        .one_call(&id, own.then_some(false))
                        .map_err(|problem| broken(format!("{id:?} is not a usable id: {problem}")))?;
                    Ok(Arc::new(client?.with_room(read::LONG_LIST).reply(&call).await?.to_tree()))
                }
                .await,
            )
        };
        cx.start(read, |error| failed(Err(error)));
    }
}
