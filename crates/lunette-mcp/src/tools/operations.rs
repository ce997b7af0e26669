//! `operations`: any operation of the table that reads.

use serde_json::{Value, json};

use lunette_client::operation::{Call, Input, InputLocation, OPERATIONS, OperationInfo, RequestParts};

use super::{Answered, Tool, ToolError};
use crate::answer::{BYTES, FROM, object, part};
use crate::arguments::{Argument, Arguments, Kind, SHORT};
use crate::backend::{Permission, Session};

pub(crate) const OPERATIONS_TOOL: Tool = Tool {
    name: "operations",
    title: "Read operations",
    about: "Without a name, lists the read operations of the service and their inputs. With a name, calls that \
            operation and returns its response as JSON text. Operations that write cannot be called.",
    arguments: &[
        Argument::optional("operation", Kind::Text(SHORT), "The name of the operation to call."),
        Argument::optional("inputs", Kind::Any, "Its inputs by name."),
        FROM,
        BYTES,
    ],
    needs: Permission::Read,
    run: |session, arguments| Box::pin(operations(session, arguments)) as Answered<'_>,
};

async fn operations(session: &Session, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    let reading = OPERATIONS.iter().copied().filter(|info| info.reads);
    let Some(name) = arguments.filled("operation") else {
        let listed = reading.map(|info| {
            let inputs = info
                .inputs
                .iter()
                .map(|input| json!({ "name": input.name, "kind": input.kind, "required": input.required }));
            json!({ "name": info.name, "does": info.summary, "inputs": inputs.collect::<Value>() })
        });
        return Ok(json!({ "operations": listed.collect::<Value>() }));
    };
    let info = OPERATIONS.iter().copied().find(|info| info.name == name);
    let info = info.ok_or_else(|| ToolError::new(format!("there is no operation {name:?}")))?;
    if !info.reads {
        return Err(ToolError::new(format!("{name} writes, so it was not called; `propose` proposes a change")));
    }
    let reply = session.client.exchange(&call(info, arguments)?).await.outcome?;
    let text = reply.to_tree().to_string();
    Ok(object([("operation", info.name.into()), ("response", part(&text, arguments, session.shown_secrets))]))
}

fn call(info: &'static OperationInfo, arguments: Arguments<'_>) -> Result<Call, ToolError> {
    let mut parts = RequestParts::default();
    let none = Value::Object(serde_json::Map::new());
    let inputs = arguments.0.get("inputs").unwrap_or(&none);
    for (name, value) in inputs.as_object().into_iter().flatten() {
        let input = info.inputs.iter().find(|input| input.name == name).ok_or_else(|| {
            let names: Vec<&str> = info.inputs.iter().map(|input: &Input| input.name).collect();
            ToolError::new(format!("{} has no input {name:?}; its inputs are: {}", info.name, names.join(", ")))
        })?;
        let text = || value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match input.location {
            InputLocation::Path => parts.path.push((input.name.to_owned(), text())),
            InputLocation::Query => parts.query.push((input.name.to_owned(), text())),
            InputLocation::Body => parts.body = Some(value.to_string().into_bytes()),
        }
    }
    let is_given = |input: &&Input| match input.location {
        InputLocation::Path | InputLocation::Query => parts.text(input.location, input.name).is_some(),
        InputLocation::Body => parts.body.is_some(),
    };
    if let Some(missing) = info.inputs.iter().find(|input| input.required && !is_given(input)) {
        return Err(ToolError::new(format!("{} needs {}", info.name, missing.name)));
    }
    Call::read(info, &parts).map_err(|error| ToolError::new(format!("invalid inputs of {}: {error}", info.name)))
}
