//! Whether a report is what its JSON Schema says, by as much of JSON Schema as that one uses.

use serde_json::Value;

/// Fails with all that is wrong with a report, or with something else of another schema.
pub(crate) fn expect_valid(schema: &str, report: &str) -> Result<(), String> {
    let error = |error: serde_json::Error| error.to_string();
    let schema = serde_json::from_str(schema).map_err(error)?;
    let report = serde_json::from_str(report).map_err(error)?;
    let mut wrong = Vec::new();
    compare(&schema, &schema, &report, "report", &mut wrong);
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.join("\n"))
    }
}

/// Notes what is wrong with the value that stands `at` a place of the report.
fn compare(root: &Value, schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
    for (word, rule) in schema.as_object().into_iter().flatten() {
        let holds = match word.as_str() {
            "$schema" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let named = rule
                    .as_str()
                    .and_then(|name| root.pointer(name.trim_start_matches('#')));
                if let Some(named) = named {
                    compare(root, named, value, at, wrong);
                }
                named.is_some()
            }
            "anyOf" => rule.as_array().is_some_and(|schemas| {
                schemas.iter().any(|schema| {
                    let mut wrong = Vec::new();
                    compare(root, schema, value, at, &mut wrong);
                    wrong.is_empty()
                })
            }),
            "const" => value == rule,
            "enum" => rule.as_array().is_some_and(|all| all.contains(value)),
            "type" => match rule.as_array() {
                Some(names) => names.iter().any(|name| is_a(value, name)),
                None => is_a(value, rule),
            },
            "minimum" => value
                .as_f64()
                .is_none_or(|number| Some(number) >= rule.as_f64()),
            "maximum" => value
                .as_f64()
                .is_none_or(|number| Some(number) <= rule.as_f64()),
            "required" => rule.as_array().is_some_and(|names| {
                names
                    .iter()
                    .all(|name| name.as_str().is_some_and(|name| value.get(name).is_some()))
            }),
            "additionalProperties" => {
                *rule == Value::Bool(false)
                    && value.as_object().is_some_and(|fields| {
                        fields
                            .keys()
                            .all(|name| schema["properties"].get(name).is_some())
                    })
            }
            "properties" => {
                for (name, rule) in rule.as_object().into_iter().flatten() {
                    if let Some(value) = value.get(name) {
                        compare(root, rule, value, &format!("{at}.{name}"), wrong);
                    }
                }
                true
            }
            "items" => {
                for (i, value) in value.as_array().into_iter().flatten().enumerate() {
                    compare(root, rule, value, &format!("{at}[{i}]"), wrong);
                }
                true
            }
            _ => false,
        };
        if !holds {
            wrong.push(format!("{at}: {word} {rule} does not hold of {value}"));
        }
    }
}

/// Whether a value is of a type that JSON Schema names.
fn is_a(value: &Value, name: &Value) -> bool {
    match name.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => false,
    }
}
