//! A value of the service that may not be loaded yet.

/// A value that is loaded from the service. A refresh keeps the previous value, so that the display is never blank.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Remote<T, E = lunette_client::client::CallError> {
    /// It was not requested.
    #[default]
    NotRequested,
    /// Requested, and not loaded yet.
    Loading {
        /// The previous value.
        previous: Option<T>,
    },
    /// Loaded.
    Known(T),
    /// Loading failed.
    Failed {
        /// Why.
        error: E,
        /// The previous value.
        previous: Option<T>,
    },
}

impl<T, E> Remote<T, E> {
    /// Returns the current value, or else the previous one.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::NotRequested => None,
            Self::Known(value) => Some(value),
            Self::Loading { previous } | Self::Failed { previous, .. } => previous.as_ref(),
        }
    }

    /// Why the last attempt failed, if it did.
    pub fn error(&self) -> Option<&E> {
        match self {
            Self::Failed { error, .. } => Some(error),
            Self::NotRequested | Self::Loading { .. } | Self::Known(_) => None,
        }
    }

    /// Whether a response is awaited.
    pub fn loading(&self) -> bool {
        matches!(self, Self::Loading { .. })
    }

    /// Whether there is neither a value nor a completed request.
    pub fn never_read(&self) -> bool {
        matches!(self, Self::NotRequested | Self::Loading { previous: None })
    }

    /// Records that it was requested.
    pub fn start_loading(&mut self) {
        *self = Self::Loading { previous: self.take_value() };
    }

    /// Records the response.
    pub fn resolve(&mut self, answer: Result<T, E>) {
        *self = match answer {
            Ok(value) => Self::Known(value),
            Err(error) => Self::Failed { error, previous: self.take_value() },
        };
    }

    /// Returns the current value, or else the previous one, by value.
    pub fn into_value(mut self) -> Option<T> {
        self.take_value()
    }

    fn take_value(&mut self) -> Option<T> {
        match std::mem::replace(self, Self::NotRequested) {
            Self::NotRequested => None,
            Self::Known(value) => Some(value),
            Self::Loading { previous } | Self::Failed { previous, .. } => previous,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refresh_keeps_the_previous_value_until_the_response_and_after_a_failure() {
        let mut remote = Remote::<_, &str>::Known(1);
        remote.start_loading();
        assert_eq!((remote.value(), remote.loading()), (Some(&1), true));
        remote.resolve(Err("gone"));
        assert_eq!((remote.value(), remote.error()), (Some(&1), Some(&"gone")));
        remote.resolve(Ok(2));
        assert_eq!(remote.value(), Some(&2));
    }
}
