//! What the protocol asks of a server: tools, nonprofits as resources, prompts and completions.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    CompletionInfo, ContentBlock, CustomRequest, CustomResult, ErrorCode, GetPromptRequestParams,
    GetPromptResponse, Implementation, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents,
    ServerCapabilities, ServerConfig, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, model};
use serde_json::json;

use super::{prompts, resources};
use crate::http::interface::api_error::ApiError;
use crate::http::server::budget::{self, Wanted};
use crate::http::tools::{
    Arguments, Object, TOOLS, ToolError, input_schema, instructions, quoted_excerpt, text,
};
use crate::snapshot::Snapshot;

/// CPU time of a call over standard input and output, and how long its answer is waited for.
const CALL_TIME_MAX: Duration = Duration::from_secs(60);

/// The first revision whose answers may link to resources.
const LINKS_SINCE: ProtocolVersion = ProtocolVersion::V_2025_06_18;

/// Methods that are answered: a request of one of these that was not recognised has unfit parameters.
const METHODS: [&str; 9] = [
    "initialize",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "completion/complete",
];

/// The tools as the protocol lists them. What they answer has one form, which the instructions explain.
static LISTED: LazyLock<Vec<model::Tool>> = LazyLock::new(|| {
    let output = json!({ "type": "object" });
    let output = Arc::new(output.as_object().cloned().unwrap_or_default());
    let listed = TOOLS.iter().map(|tool| {
        let hints = ToolAnnotations::with_title(tool.title)
            .read_only(true)
            .destructive(false)
            .idempotent(true)
            .open_world(false);
        model::Tool::new(tool.name, tool.description, input_schema(&tool.arguments))
            .with_title(tool.title)
            .with_raw_output_schema(output.clone())
            .with_annotations(hints)
    });
    listed.collect()
});

/// Where calls get the snapshot that they are answered from.
pub trait Source: Send + Sync + 'static {
    /// The snapshot that is published now.
    fn snapshot(&self) -> Arc<Snapshot>;
}

/// One snapshot for all calls.
impl Source for Arc<Snapshot> {
    fn snapshot(&self) -> Arc<Snapshot> {
        self.clone()
    }
}

/// Where the work on a call is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Workplace {
    /// On the thread that asks, which has a budget.
    Here,
    /// On a thread of its own, so that others are heard meanwhile, a cancellation among them.
    Apart,
}

/// Answers what clients of the protocol ask.
#[derive(Debug)]
pub(super) struct Handler<S> {
    source: S,
    workplace: Workplace,
}

impl<S: Source> Handler<S> {
    pub(super) fn new(source: S, workplace: Workplace) -> Self {
        Self { source, workplace }
    }

    /// Does some work for a call, until that is cancelled; a panic is an error too.
    async fn work<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce(&Snapshot) -> Result<T, ToolError> + Send + 'static,
    ) -> Result<T, ToolError> {
        let snapshot = self.source.snapshot();
        let panicked = || Err(ToolError::Failed(ApiError::Panic("in a tool".into())));
        let guarded = move || {
            catch_unwind(AssertUnwindSafe(|| work(&snapshot))).unwrap_or_else(|_| panicked())
        };
        if self.workplace == Workplace::Here {
            return guarded();
        }
        let (wanted, waiting) = Wanted::until(Instant::now() + CALL_TIME_MAX);
        let apart = tokio::task::spawn_blocking(move || {
            // A call that was cancelled while it waited for a thread is not begun.
            match wanted.holds() {
                true => budget::within(CALL_TIME_MAX, &wanted, guarded),
                false => Err(ToolError::Failed(ApiError::Late)),
            }
        });
        tokio::select! {
            done = apart => done.unwrap_or_else(|_| panicked()),
            () = context.ct.cancelled() => {
                drop(waiting);
                Err(ToolError::Failed(ApiError::Late))
            }
        }
    }

    async fn run_tool(
        &self,
        name: &str,
        sent: Object,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
            let names: Vec<_> = TOOLS.iter().map(|tool| tool.name).collect();
            let (names, found) = (names.join(", "), quoted_excerpt(name));
            let text = format!("Unknown tool: expected one of {names}; found {found}");
            return Err(ErrorData::invalid_params(text, None));
        };
        let answered = self.work(context, move |snapshot| {
            tool.call(&TOOLS, snapshot, &Arguments::read(sent, &tool.arguments)?)
        });
        match answered.await {
            Ok(answer) => {
                let mut content = vec![ContentBlock::text(text(&answer))];
                if context.protocol_version().is_some_and(|spoken| spoken >= LINKS_SINCE) {
                    let links = resources::links(&answer);
                    content.extend(links.into_iter().map(ContentBlock::resource_link));
                }
                let mut result = CallToolResult::structured(answer.into());
                result.content = content;
                Ok(result)
            }
            Err(ToolError::Refused(text)) => {
                Ok(CallToolResult::error(vec![ContentBlock::text(text)]))
            }
            Err(ToolError::Failed(error)) => Err(fault(name, &error)),
        }
    }
}

/// An internal error: the client learns only that one occurred; the log has the cause.
fn fault(asked: &str, error: &ApiError) -> ErrorData {
    let cause = error.cause();
    tracing::error!(asked, cause, "a call failed");
    ErrorData::internal_error("Internal error; the log of the server says which", None)
}

/// What a request is refused with that is no call of a tool.
fn refused(asked: &str, error: ToolError) -> ErrorData {
    match error {
        ToolError::Refused(text) => ErrorData::invalid_params(text, None),
        ToolError::Failed(error) => fault(asked, &error),
    }
}

/// A list of the protocol. Each fits one page, so nobody has a cursor of one.
fn whole<T>(
    asked: Option<PaginatedRequestParams>,
    list: impl FnOnce() -> T,
) -> Result<T, ErrorData> {
    match asked.and_then(|asked| asked.cursor) {
        None => Ok(list()),
        Some(cursor) => {
            let found = quoted_excerpt(&cursor);
            let text = format!("Expected no cursor, since the list has one page; found {found}");
            Err(ErrorData::invalid_params(text, None))
        }
    }
}

impl<S: Source> ServerHandler for Handler<S> {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .enable_completions()
            .build();
        let server = Implementation::new("almoner", env!("CARGO_PKG_VERSION"))
            .with_title("Almoner: U.S. nonprofits");
        let instructions = instructions(&self.source.snapshot());
        ServerConfig::new(capabilities).with_server_info(server).with_instructions(instructions)
    }

    fn get_tool(&self, name: &str) -> Option<model::Tool> {
        LISTED.iter().find(|tool| tool.name == name).cloned()
    }

    async fn list_tools(
        &self,
        asked: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        whole(asked, || ListToolsResult::with_all_items(LISTED.clone()))
    }

    async fn call_tool(
        &self,
        asked: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let sent = asked.arguments.unwrap_or_default();
        self.run_tool(&asked.name, sent, &context).await.map(CallToolResponse::from)
    }

    async fn list_resources(
        &self,
        asked: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        whole(asked, || ListResourcesResult::with_all_items(resources::listed()))
    }

    async fn list_resource_templates(
        &self,
        asked: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        whole(asked, || ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        asked: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = asked.uri.clone();
        match self.work(&context, move |snapshot| resources::read(snapshot, &uri)).await {
            Ok(text) => {
                let contents =
                    ResourceContents::text(text, &asked.uri).with_mime_type("application/json");
                Ok(ReadResourceResult::new(vec![contents]).into())
            }
            Err(ToolError::Refused(text)) => {
                Err(ErrorData::resource_not_found(format!("Resource not found. {text}"), None))
            }
            Err(ToolError::Failed(error)) => Err(fault("resources/read", &error)),
        }
    }

    async fn list_prompts(
        &self,
        asked: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        whole(asked, || ListPromptsResult::with_all_items(prompts::listed()))
    }

    async fn get_prompt(
        &self,
        asked: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let found = prompts::get(&asked.name, &asked.arguments.unwrap_or_default());
        found.map(Into::into).map_err(|text| ErrorData::invalid_params(text, None))
    }

    async fn complete(
        &self,
        asked: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let (name, typed) = (asked.argument.name, asked.argument.value);
        let work = move |snapshot: &Snapshot| prompts::completions(snapshot, &name, &typed);
        let values = self.work(&context, work).await;
        let values = values.map_err(|error| refused("completion/complete", error))?;
        Ok(CompleteResult::new(CompletionInfo::new(values).unwrap_or_default()))
    }

    async fn on_custom_request(
        &self,
        asked: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = asked.method;
        if METHODS.contains(&method.as_str()) {
            let text = format!("Invalid params: those of {method} do not fit the protocol");
            return Err(ErrorData::invalid_params(text, None));
        }
        let text = format!("Method not found: {}", quoted_excerpt(&method));
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, text, None))
    }
}
