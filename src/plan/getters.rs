//! Methods that read the private fields of a plan.

/// Writes a method for each field, of the field's name. Those behind `&` are borrowed, the others copied.
macro_rules! getters {
    ($vis:vis $($name:ident: $kind:ty),+ $(; $($borrowed:ident: &$target:ty),+)?) => {
        $(#[doc = concat!("The field `", stringify!($name), "`.")]
        #[inline]
        $vis fn $name(&self) -> $kind {
            self.$name
        })+
        $($(#[doc = concat!("The field `", stringify!($borrowed), "`.")]
        #[inline]
        $vis fn $borrowed(&self) -> &$target {
            &self.$borrowed
        })+)?
    };
}
pub(crate) use getters;
