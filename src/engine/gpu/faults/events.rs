//! The device's own reports: its loss, and errors outside of a call.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::ErrorCode;

/// The reports of a device. Its callbacks may come from any thread.
#[derive(Clone, Default)]
pub(crate) struct Events(Arc<Mutex<Reported>>);

#[derive(Default)]
struct Reported {
    lost: Option<String>,
    errors: Vec<(ErrorCode, String)>,
}

impl Events {
    pub(crate) fn of(device: &wgpu::Device) -> Self {
        let result = Self::default();
        let events = result.clone();
        device.set_device_lost_callback(move |reason, message| {
            let text = if message.is_empty() { format!("{reason:?}") } else { message };
            events.reported().lost = Some(text);
        });
        // Without a handler a browser stays silent, and native wgpu panics.
        let events = result.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let is_memory = matches!(error, wgpu::Error::OutOfMemory { .. });
            let code = if is_memory { ErrorCode::OutOfMemory } else { ErrorCode::DeviceError };
            events.reported().errors.push((code, error.to_string()));
        }));
        result
    }

    /// The reports. A thread may have panicked with the lock; each report is still complete.
    fn reported(&self) -> MutexGuard<'_, Reported> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn lost(&self) -> Option<String> {
        self.reported().lost.clone()
    }

    /// The errors since the last call of this function.
    pub(crate) fn take_errors(&self) -> Vec<(ErrorCode, String)> {
        std::mem::take(&mut self.reported().errors)
    }
}
