//! Enumerations whose values have names.

/// Gives an enumeration its names: `ALL` in the order that they stand in, and `name`.
macro_rules! named {
    ($(#[$about:meta])* $enum:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $enum {
            $($(#[$doc])* $variant,)+
        }

        impl $enum {
            /// Every one, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// Its name in data and in answers.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }
    };
}

pub(crate) use named;
