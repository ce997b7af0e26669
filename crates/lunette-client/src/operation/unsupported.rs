//! What services of this family do with machinery that this one does not have: accounts, language models, screen capture
//! and the vendor's own applications. Clients know the paths, and get a sentence that says why nothing happens.

/// A part of the family's interface that is answered with 501.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The beginning of its paths, with a slash at the end.
    pub prefix: &'static str,
    /// Why it is not supported, in a sentence.
    pub reason: &'static str,
}

/// Every such part.
///
/// Our choice: 501, which clients report with its text, instead of a response that pretends that something was done.
pub const UNSUPPORTED: [Unsupported; 8] = [
    Unsupported {
        prefix: "/allocations/",
        reason: "This service has no accounts and no cloud; everything stays on this machine.",
    },
    Unsupported { prefix: "/auth0/", reason: "This service has no accounts; there is nothing to sign in to." },
    Unsupported { prefix: "/pkce/", reason: "This service has no accounts; there is nothing to sign in to." },
    Unsupported {
        prefix: "/os/",
        reason: "This service does not sign in, start, stop or update other programs; use the program that runs it.",
    },
    Unsupported {
        prefix: "/qgpt/",
        reason: "This service has no language models; it cannot answer questions or judge what is relevant to one.",
    },
    Unsupported { prefix: "/ollama/", reason: "This service has no language models." },
    Unsupported {
        prefix: "/workstream_pattern_engine/",
        reason: "This service does not observe what is done on the machine; it has no long-term memory.",
    },
    Unsupported { prefix: "/shares/", reason: "This service shares nothing with other machines; export the asset." },
];

/// The WebSocket on which clients ask language models. Each question is answered with the reason why there is no answer:
/// the public command line waits for a message that ends its question, and takes no refused upgrade for one.
pub const QUESTION_STREAM: &str = "/qgpt/stream";

/// Why the operation at this path is not supported; None if the path is none of these.
pub fn unsupported(path: &str) -> Option<&'static Unsupported> {
    UNSUPPORTED.iter().find(|part| path.starts_with(part.prefix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::{OPERATIONS, STATUS_STREAMS, STREAMS};

    #[test]
    fn nothing_that_is_supported_is_called_unsupported() {
        let paths = OPERATIONS.iter().map(|info| info.path);
        let streams = STREAMS.iter().map(|info| info.path).chain(STATUS_STREAMS.iter().map(|info| info.path));
        for path in paths.chain(streams) {
            assert_eq!(unsupported(path), None, "{path}");
        }
    }

    #[test]
    fn fields_that_public_clients_require_are_present() {
        for path in ["/os/sign_out", "/os/restart", "/allocations/connect", "/os/applet/launch", "/qgpt/relevance"] {
            assert!(unsupported(path).is_some(), "{path}");
        }
        let vision = "/workstream_pattern_engine/processors/vision/status";
        assert!(unsupported(vision).is_some_and(|part| part.reason.contains("long-term memory")));
    }
}
