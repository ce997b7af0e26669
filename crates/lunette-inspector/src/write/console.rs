//! Calls of the console: any operation.

use crate::action::WriteAction;
use lunette_client::client::Purpose;
use std::sync::Arc;

use crate::CallError;
use crate::confirm::Confirmation;
use crate::context::WideContext;
use crate::session::log::LogEntry;
use crate::tasks::{Ended, blocking};
use crate::write::ConsoleAnswer;
use crate::write::Output;
use crate::write::Writes;
use crate::write::journaled::{self, Failed, NotRecorded};
use lunette_client::operation::Call;
use lunette_json::budget;

impl Writes {
    /// Sends any operation for the console. One that writes is a step that cannot be undone.
    pub(crate) fn send(&mut self, call: Call, cx: &mut WideContext<'_>) {
        let (name, writes) = (call.info().name, call.info().writes());
        // An operation that the service is known to lack can be sent too, to check it again.
        match cx.connection.allows_writes() {
            Err(reason) if writes => self.console.refused = Some(format!("Not sent: {reason}")),
            Ok(()) if writes && cx.confirms() => {
                cx.ask_first(Confirmation::call(format!("Send {name}?"), "Send", call, WriteAction::SendConfirmed));
            }
            Ok(()) | Err(_) => self.send_now(call, cx),
        }
    }

    pub(crate) fn send_now(&mut self, call: Call, cx: &mut WideContext<'_>) {
        self.console.waiting = true;
        self.console.refused = None;
        let name = call.info().name;
        let (context, left) = cx.write_context_and_sent();
        let task = cx.run(async move { Ok(answer(context, call).await) }, move |end: Result<_, CallError>| {
            Output::Answered(end.unwrap_or_else(|error| Err(NotAnswered::Ended(left.failed(&error)))))
        });
        let number = cx.next_work();
        cx.show_work(number, task, format!("Sending {name}"), None);
    }

    pub(crate) fn answered(&mut self, end: Result<Arc<ConsoleAnswer>, NotAnswered>) {
        let console = &mut self.console;
        console.waiting = false;
        match end {
            Ok(answer) => console.answer = Some(answer),
            Err(error) => console.refused = Some(error.to_string()),
        }
    }
}

/// Why a request of the console has no response to show.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum NotAnswered {
    /// There is no connection.
    #[error(transparent)]
    Call(#[from] CallError),
    /// It could not be recorded, and was not sent.
    #[error(transparent)]
    NotRecorded(#[from] NotRecorded),
    /// Reading the response panicked.
    #[error(transparent)]
    Unread(#[from] Ended),
    /// It panicked or was cancelled.
    #[error("{}", .0.message("Request cancelled", "It is unknown whether the request succeeded"))]
    Ended(Failed),
}

async fn answer(
    context: Result<journaled::WriteContext, CallError>,
    call: Call,
) -> Result<Arc<ConsoleAnswer>, NotAnswered> {
    let context = context?;
    let exchange = match call.info().writes() {
        true => journaled::call(&context, &call, format!("Sent {}", call.info().name), |_| None).await?,
        false => context.client.exchange(&call).await,
    };
    let line = Arc::new(LogEntry::of(exchange.number, &exchange, Purpose::Request));
    let body = exchange.response_body;
    // The record is dropped before the body is parsed as a tree for display.
    drop(exchange.outcome);
    Ok(Arc::new(blocking(move || console_answer(&body, line)).await?))
}

fn console_answer(body: &[u8], line: Arc<LogEntry>) -> ConsoleAnswer {
    let tree = budget::parse(body).ok().map(Arc::new);
    ConsoleAnswer { line, text: String::from_utf8_lossy(body).into(), tree }
}
