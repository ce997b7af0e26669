//! What the conformance suite of the protocol expects of a server: tools, prompts and resources of fixed names, behind
//! the same transport as those of assistants. Only builds with debug assertions have it.
//!
//! What must hold: it reads and changes nothing of a service.

#![expect(deprecated, reason = "the suite still asks for logging")]

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock, ErrorData,
    GetPromptRequestParams, GetPromptResponse, Implementation, InputRequiredResult, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerConfig, ServerNotification, ServerRequest,
    SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tokio::sync::broadcast::Sender;

/// The fixtures.
const FIXTURES: &str = include_str!("fixtures/conformance.json");

/// Between two notifications of a tool that sends some.
const GAP: Duration = Duration::from_millis(50);

/// A server of the fixtures.
#[derive(Clone)]
pub(super) struct Fixtures {
    /// The rounds that wait for an answer, by the state of each.
    waiting: Arc<Mutex<HashMap<String, usize>>>,
    /// Which list changed.
    changes: Sender<String>,
}

impl Default for Fixtures {
    fn default() -> Self {
        Self { waiting: Arc::default(), changes: Sender::new(16) }
    }
}

/// What a client answers in a further round.
struct Answers<'a> {
    inputs: Option<Value>,
    state: Option<&'a str>,
    can: ClientCapabilities,
}

fn fixtures(kind: &str) -> &'static [Value] {
    static READ: OnceLock<Value> = OnceLock::new();
    let all = READ.get_or_init(|| serde_json::from_str(FIXTURES).unwrap_or_default());
    all[kind].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn fixture(kind: &str, name: &str) -> Result<&'static Value, ErrorData> {
    let found = fixtures(kind).iter().find(|fixture| fixture["name"] == name);
    found.ok_or_else(|| ErrorData::invalid_params(format!("there is no {name}"), None))
}

/// A value as a type of the SDK.
fn typed<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

/// The same for a result, which is complete.
fn complete<T: DeserializeOwned>(mut result: Value) -> Result<T, ErrorData> {
    result["resultType"] = "complete".into();
    typed(result)
}

/// A value with arguments in place of their names in braces.
fn filled(value: &Value, arguments: &Map<String, Value>) -> Value {
    let mut text = value.to_string();
    for (name, argument) in arguments {
        let argument = argument.as_str().map_or_else(|| argument.to_string(), str::to_owned);
        let quoted = Value::from(argument).to_string();
        text = text.replace(&format!("{{{name}}}"), quoted.trim_matches('"'));
    }
    serde_json::from_str(&text).unwrap_or_default()
}

fn text_result(text: String) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}

impl Fixtures {
    /// The next round of a fixture that asks for input; `None` once it has all.
    fn round(&self, fixture: &Value, answers: &Answers<'_>) -> Result<Option<InputRequiredResult>, ErrorData> {
        let rounds = fixture["rounds"].as_array().map(Vec::as_slice).unwrap_or_default();
        let has_state = fixture["state"] == true;
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let round = match (has_state, answers.state) {
            (true, Some(state)) => waiting
                .remove(state)
                .ok_or_else(|| ErrorData::invalid_params("the request state is none of this server", None))?,
            _ => 0,
        };
        let is_answered = |(name, asked): (&String, &Value)| {
            let answer = answers.inputs.as_ref().and_then(|inputs| inputs.get(name));
            let wanted = if asked["method"] == "elicitation/create" { "action" } else { "" };
            answer.is_some_and(|answer| answer.is_object() && (wanted.is_empty() || answer[wanted].is_string()))
        };
        let asked = rounds.get(round).and_then(Value::as_object);
        let answered = asked.is_some_and(|asked| asked.iter().all(is_answered));
        let next = if answered { round + 1 } else { round };
        let Some(requests) = rounds.get(next).and_then(Value::as_object) else { return Ok(None) };
        let can = serde_json::to_value(&answers.can).unwrap_or_default();
        let is_able = |request: &Value| {
            let capability = request["method"].as_str().and_then(|method| method.split('/').next()).unwrap_or_default();
            !can[capability].is_null()
        };
        let requests: Map<String, Value> =
            requests.iter().filter(|(_, request)| is_able(request)).map(|(k, v)| (k.clone(), v.clone())).collect();
        let state = has_state.then(|| uuid::Uuid::new_v4().simple().to_string());
        if let Some(state) = &state {
            waiting.insert(state.clone(), next);
        }
        Ok(Some(InputRequiredResult::new(Some(typed(Value::Object(requests))?), state)))
    }

    /// Sends the notifications of a tool, and then says that it is done.
    async fn notifying(
        notifications: Vec<Value>,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        for notification in notifications {
            let sent = context.peer.send_notification(typed::<ServerNotification>(notification)?).await;
            sent.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
            tokio::time::sleep(GAP).await;
        }
        Ok(text_result("done".to_owned()))
    }

    /// Asks the client, as revisions before 2026-07-28 do.
    async fn asking(
        fixture: &Value,
        arguments: &Map<String, Value>,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let request = typed::<ServerRequest>(filled(&fixture["request"], arguments))?;
        let answer = context.peer.send_request(request).await;
        let answer = answer.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let answer = serde_json::to_value(&answer).unwrap_or_default();
        let said = match (&answer["action"], &answer["content"]["text"]) {
            (Value::String(action), _) => format!("action={action}, content={}", answer["content"]),
            (_, Value::String(text)) => text.clone(),
            _ => answer.to_string(),
        };
        Ok(text_result(format!("{}: {said}", fixture["prefix"].as_str().unwrap_or_default())))
    }

    async fn called(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let (fixture, arguments) = (fixture("tools", &request.name)?, request.arguments.clone().unwrap_or_default());
        let can = context.client_capabilities().unwrap_or_default();
        if !fixture["result"].is_null() {
            return Ok(complete::<CallToolResult>(fixture["result"].clone())?.into());
        }
        if !fixture["needs"].is_null() && can.sampling_is_missing() {
            return Err(ErrorData::missing_required_client_capability(typed(fixture["needs"].clone())?));
        }
        if !fixture["request"].is_null() {
            return Self::asking(fixture, &arguments, &context).await;
        }
        if !fixture["rounds"].is_null() {
            let inputs = serde_json::to_value(&request.input_responses).ok().filter(|inputs| !inputs.is_null());
            let answers = Answers { inputs, state: request.request_state.as_deref(), can };
            let round = self.round(fixture, &answers)?;
            let said = answers.inputs.unwrap_or_default();
            return Ok(round.map_or_else(|| text_result(format!("state-ok: {said}")), Into::into));
        }
        if let Some(list) = fixture["triggers"].as_str() {
            // Nobody may listen.
            self.changes.send(list.to_owned()).ok();
        }
        let logs = fixture["logs"].as_array().into_iter().flatten();
        let logs =
            logs.map(|data| json!({ "method": "notifications/message", "params": { "level": "info", "data": data } }));
        let token = context.meta.get_progress_token();
        let steps = fixture["progress"].as_array().into_iter().flatten().filter(|_| token.is_some());
        let steps = steps.map(|step| {
            let params = json!({ "progressToken": token, "progress": step, "total": 100 });
            json!({ "method": "notifications/progress", "params": params })
        });
        let all = logs.chain(steps).collect();
        Self::notifying(all, &context).await
    }
}

/// What a fixture asks of the client.
trait Lacks {
    fn sampling_is_missing(&self) -> bool;
}

impl Lacks for ClientCapabilities {
    fn sampling_is_missing(&self) -> bool {
        serde_json::to_value(self).is_ok_and(|can| can["sampling"].is_null())
    }
}

impl ServerHandler for Fixtures {
    fn get_info(&self) -> ServerConfig {
        let capabilities = serde_json::from_str::<Value>(FIXTURES).unwrap_or_default()["capabilities"].take();
        let capabilities = serde_json::from_value(capabilities).unwrap_or_default();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("fixtures", env!("CARGO_PKG_VERSION")))
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.changes.subscribe();
        loop {
            let changed = tokio::select! {
                () = context.cancelled() => return Ok(()),
                changed = changes.recv() => changed,
            };
            // What was not asked for is not sent.
            match changed.as_deref() {
                Ok("tools") => context.sink().notify_tool_list_changed().await.ok(),
                Ok(_) => context.sink().notify_prompt_list_changed().await.ok(),
                Err(_) => return Ok(()),
            };
        }
    }

    fn set_level(
        &self,
        _: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<(), ErrorData>> + Send + '_ {
        std::future::ready(Ok(()))
    }

    fn subscribe(
        &self,
        _: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<(), ErrorData>> + Send + '_ {
        std::future::ready(Ok(()))
    }

    fn unsubscribe(
        &self,
        _: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<(), ErrorData>> + Send + '_ {
        std::future::ready(Ok(()))
    }

    fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<ListToolsResult, ErrorData>> + Send + '_ {
        let listed = |tool: &Value| {
            let names = tool["arguments"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let properties: Map<_, _> = names.map(|name| (name.to_owned(), json!({ "type": "string" }))).collect();
            let schema = json!({ "type": "object", "properties": properties });
            json!({ "name": tool["name"], "description": "a fixture", "inputSchema": schema })
        };
        let tools: Vec<Value> = fixtures("tools").iter().map(listed).collect();
        std::future::ready(complete(json!({ "tools": tools })))
    }

    fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<CallToolResponse, ErrorData>> + Send + '_ {
        self.called(request, context)
    }

    fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<ListResourcesResult, ErrorData>> + Send + '_ {
        let listed = |one: &Value| json!({ "uri": one["uri"], "name": one["name"], "mimeType": one["mimeType"] });
        let resources: Vec<Value> = fixtures("resources").iter().map(listed).collect();
        std::future::ready(complete(json!({ "resources": resources })))
    }

    fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<ListResourceTemplatesResult, ErrorData>> + Send + '_ {
        let template = json!({ "uriTemplate": "test://template/{id}/data", "name": "template" });
        std::future::ready(complete(json!({ "resourceTemplates": [template] })))
    }

    fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<ReadResourceResponse, ErrorData>> + Send + '_ {
        let uri = request.uri;
        let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
        let contents = match (fixtures("resources").iter().find(|one| one["uri"] == uri.as_str()), id) {
            (Some(found), _) => Some(found.clone()),
            (None, Some(id)) => {
                let data = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
                Some(json!({ "uri": uri, "mimeType": "application/json", "text": data.to_string() }))
            }
            (None, None) => None,
        };
        let not_found = || ErrorData::resource_not_found("Resource not found", Some(json!({ "uri": uri })));
        let read = contents.ok_or_else(not_found).and_then(|mut contents| {
            contents.as_object_mut().and_then(|contents| contents.remove("name"));
            complete::<rmcp::model::ReadResourceResult>(json!({ "contents": [contents] })).map(Into::into)
        });
        std::future::ready(read)
    }

    fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<ListPromptsResult, ErrorData>> + Send + '_ {
        let listed = |prompt: &Value| {
            let names = prompt["arguments"].as_array().into_iter().flatten();
            let arguments: Vec<Value> = names.map(|name| json!({ "name": name, "required": true })).collect();
            json!({ "name": prompt["name"], "description": "a fixture", "arguments": arguments })
        };
        let prompts: Vec<Value> = fixtures("prompts").iter().map(listed).collect();
        std::future::ready(complete(json!({ "prompts": prompts })))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let (fixture, arguments) = (fixture("prompts", &request.name)?, request.arguments.unwrap_or_default());
        if !fixture["rounds"].is_null() {
            let inputs = serde_json::to_value(&request.input_responses).ok().filter(|inputs| !inputs.is_null());
            let can = context.client_capabilities().unwrap_or_default();
            let answers = Answers { inputs, state: request.request_state.as_deref(), can };
            if let Some(round) = self.round(fixture, &answers)? {
                return Ok(round.into());
            }
        }
        let messages = filled(&fixture["messages"], &arguments);
        complete::<rmcp::model::GetPromptResult>(json!({ "messages": messages })).map(Into::into)
    }
}
