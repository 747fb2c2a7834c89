//! JSON whose objects have each name once.
//!
//! [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259#section-4) leaves open what an object with a name twice means: programs take the
//! first value or the last one, so a person could be shown another edit than the one that is carried out.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// A value in which no object has a name twice; others cannot be parsed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct UniqueJson(pub(crate) Value);

impl UniqueJson {
    /// Parses a whole text.
    ///
    /// # Errors
    ///
    /// The error of the parser, also for a name that an object has twice.
    pub(crate) fn parse(text: &[u8]) -> serde_json::Result<Value> {
        serde_json::from_slice(text).map(|Self(value)| value)
    }
}

impl<'de> Deserialize<'de> for UniqueJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueVisitor).map(Self)
    }
}

struct UniqueVisitor;

impl<'de> Visitor<'de> for UniqueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value in JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(UniqueJson(value)) = items.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut values = Map::new();
        while let Some((name, UniqueJson(value))) = fields.next_entry::<String, _>()? {
            if values.contains_key(&name) {
                return Err(A::Error::custom(format_args!("the field `{name}` twice")));
            }
            values.insert(name, value);
        }
        Ok(Value::Object(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_has_each_name_once() {
        let same = r#"[{"a":1,"b":[-2,0.5,true,null,"c",{"a":{}}]},{"a":18446744073709551615}]"#;
        let expected: Value = serde_json::from_str(same).unwrap();
        assert_eq!(UniqueJson::parse(same.as_bytes()).unwrap(), expected);
        for twice in [r#"{"a":1,"a":1}"#, r#"[{"b":{"a":1,"\u0061":2}}]"#] {
            let error = UniqueJson::parse(twice.as_bytes()).unwrap_err();
            assert!(
                error.to_string().starts_with("the field `a` twice"),
                "{error}"
            );
        }
    }
}
