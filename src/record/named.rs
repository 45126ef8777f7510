//! Enumerations whose values have names.

/// Gives an enumeration its names: `ALL` in the order that they stand in, `name`, and the way back, `named`.
macro_rules! named {
    ($(#[$about:meta])* $enum:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $enum {
            $($(#[$doc])* $variant,)+
        }

        #[allow(dead_code)] // Not every enumeration is listed, shown and looked up.
        impl $enum {
            /// Every one, in order.
            pub const ALL: [Self; [$(Self::$variant,)+].len()] = [$(Self::$variant,)+];

            /// Its name in data and in answers.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The one of a name.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use named;
