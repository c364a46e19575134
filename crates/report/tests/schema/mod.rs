//! A validator for the part of JSON Schema (draft 7) that the schemas here use.
//!
//! `type`, `enum`, `required`, `properties`, `additionalProperties`, `items`, `$ref` (within the schema), `anyOf`, `oneOf`,
//! `minimum`, `maximum`, `minItems` and `uniqueItems` are checked; `pattern` and `format` are not.

use serde_json::Value;

/// Everything about `value` that does not fit the schema, with its path.
pub fn errors(schema: &Value, value: &Value) -> Vec<String> {
    let mut errors = Vec::new();
    check(schema, schema, value, "$", &mut errors);
    errors
}

fn check(root: &Value, schema: &Value, value: &Value, path: &str, errors: &mut Vec<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let pointer = reference.strip_prefix('#').expect("a reference within the schema");
        return check(root, root.pointer(pointer).expect("what is referred to"), value, path, errors);
    }
    check_value(schema, value, path, errors);
    check_object(root, schema, value, path, errors);
    check_list(root, schema, value, path, errors);
    let fitting = |schemas: &Value| -> Option<usize> {
        let fits = |one: &&Value| {
            let mut errors = Vec::new();
            check(root, one, value, path, &mut errors);
            errors.is_empty()
        };
        Some(schemas.as_array()?.iter().filter(fits).count())
    };
    if fitting(&schema["anyOf"]) == Some(0) || fitting(&schema["oneOf"]).is_some_and(|number| number != 1) {
        errors.push(format!("{path}: fits none of the choices, or several"));
    }
}

fn check_value(schema: &Value, value: &Value, path: &str, errors: &mut Vec<String>) {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        other => panic!("the schema has the unknown type {other}"),
    };
    let fits = match &schema["type"] {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
        _ => true,
    };
    if !fits {
        errors.push(format!("{path}: expected {}, found {value}", schema["type"]));
    }
    if schema["enum"].as_array().is_some_and(|all| !all.contains(value)) {
        errors.push(format!("{path}: {value} is none of {}", schema["enum"]));
    }
    if let Some(number) = value.as_f64() {
        let below = schema["minimum"].as_f64().is_some_and(|least| number < least);
        let above = schema["maximum"].as_f64().is_some_and(|most| number > most);
        if below || above {
            errors.push(format!("{path}: {number} is out of range"));
        }
    }
}

fn check_object(root: &Value, schema: &Value, value: &Value, path: &str, errors: &mut Vec<String>) {
    let Some(object) = value.as_object() else { return };
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !object.contains_key(name) {
            errors.push(format!("{path}: `{name}` is missing"));
        }
    }
    for (name, value) in object {
        let path = format!("{path}.{name}");
        match (&schema["properties"][name], &schema["additionalProperties"]) {
            (Value::Null, Value::Bool(false)) => errors.push(format!("{path}: not in the schema")),
            (Value::Null, more @ Value::Object(_)) => check(root, more, value, &path, errors),
            (Value::Null, _) => {}
            (one, _) => check(root, one, value, &path, errors),
        }
    }
}

fn check_list(root: &Value, schema: &Value, value: &Value, path: &str, errors: &mut Vec<String>) {
    let Some(list) = value.as_array() else { return };
    if schema["minItems"].as_u64().is_some_and(|least| (list.len() as u64) < least) {
        errors.push(format!("{path}: too few items"));
    }
    let repeated = list.iter().enumerate().any(|(index, item)| list[..index].contains(item));
    if schema["uniqueItems"] == true && repeated {
        errors.push(format!("{path}: an item is there twice"));
    }
    if schema["items"].is_object() {
        for (index, item) in list.iter().enumerate() {
            check(root, &schema["items"], item, &format!("{path}[{index}]"), errors);
        }
    }
}
