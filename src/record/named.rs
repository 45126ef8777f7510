//! What makes enumerations whose values have names, values that are read from texts, and structs of which much may not
//! be known.

/// Gives an enumeration its names: `ALL` in the order that they stand in, `name`, and the way back, `named`.
///
/// After `serde:` the names are those that serde writes, too.
macro_rules! named {
    (serde: $(#[$about:meta])* $enum:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)+ }) => {
        $crate::record::named! {
            $(#[$about])*
            $enum { $($(#[$doc])* #[serde(rename = $name)] $variant = $name,)+ }
        }
    };
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

            /// Their names, in the same order.
            pub const NAMES: [&'static str; Self::ALL.len()] = [$($name,)+];

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

/// Declares a struct of which only the first fields are always known, and a function that makes one of them: the other
/// fields are as their types begin, `None` or empty.
macro_rules! partly_known {
    (
        $(#[$about:meta])*
        pub struct $struct:ident, made by $(#[$makes:meta])* $access:vis $make:ident {
            $($(#[$known_doc:meta])* $known:ident: $known_type:ty,)+
        } {
            $($(#[$doc:meta])* $field:ident: $type:ty,)+
        }
    ) => {
        $(#[$about])*
        pub struct $struct {
            $($(#[$known_doc])* pub $known: $known_type,)+
            $($(#[$doc])* pub $field: $type,)+
        }

        impl $struct {
            $(#[$makes])*
            $access fn $make($($known: $known_type),+) -> Self {
                Self { $($known,)+ $($field: Default::default(),)+ }
            }
        }
    };
}

/// Writes a value as its text and reads it by its parser: of a function that gives the text, or, of what `pack` and
/// `unpack` make a number of, as that number where nobody reads it.
macro_rules! text_serde {
    ($type:ident, $text:ident) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.$text())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
    ($type:ident, packed: $refused:literal) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.collect_str(self)
                } else {
                    serializer.serialize_u32(self.pack())
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use serde::de::Error;

                if deserializer.is_human_readable() {
                    let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                    text.parse().map_err(D::Error::custom)
                } else {
                    let packed = u32::deserialize(deserializer)?;
                    Self::unpack(packed).ok_or_else(|| D::Error::custom($refused))
                }
            }
        }
    };
}

pub(super) use text_serde;
pub(crate) use {named, partly_known};
