//! What the protocol asks of a server: the tools, and nonprofits as resources.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, LazyLock};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, Implementation, ListResourceTemplatesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ResourceContents, ResourceTemplate, ServerCapabilities, ServerConfig, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, model};

use super::arguments::{Arguments, Object, ToolError, ein, input_schema, quoted_excerpt, unknown};
use super::tool::{Tool, ask};
use super::tools::TOOLS;
use crate::http::endpoints::nonprofit::DETAILS;
use crate::http::interface::api_error::ApiError;
use crate::snapshot::Snapshot;

/// What stands before the EIN in the address of a resource.
const SCHEME: &str = "nonprofit://";

/// What a host tells its model of all the tools.
const INSTRUCTIONS: &str = "U.S. nonprofits, from the IRS's public bulk files. Everything goes by EIN, nine \
    digits: find_by_name gives it for a name, search_nonprofits for a cause, a place or figures. Never take \
    one nonprofit for another of a similar name: compare city and state. null means not known in the loaded \
    files, never zero and never no. Figures are of the tax period that the answer names; standing is as of \
    the days of the lists that it names.";

/// Methods that are answered: a request of one of these that was not recognised has unfit parameters.
const METHODS: [&str; 6] = [
    "initialize",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
];

/// The tools as the protocol lists them.
static LISTED: LazyLock<Vec<model::Tool>> = LazyLock::new(|| {
    let listed = |tool: &Tool| {
        let hints = ToolAnnotations::with_title(tool.title)
            .read_only(true)
            .destructive(false)
            .idempotent(true)
            .open_world(false);
        model::Tool::new(tool.name, tool.description, input_schema(tool.arguments()))
            .with_title(tool.title)
            .with_raw_output_schema(Arc::new(tool.output()))
            .with_annotations(hints)
    };
    TOOLS.iter().map(listed).collect()
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

/// Answers what clients of the protocol ask.
#[derive(Debug)]
pub(super) struct Handler<S> {
    source: S,
}

impl<S: Source> Handler<S> {
    pub(super) fn new(source: S) -> Self {
        Self { source }
    }

    /// Does some work for a call; a panic is an error too.
    fn guarded<T>(
        &self,
        work: impl FnOnce(&Snapshot) -> Result<T, ToolError>,
    ) -> Result<T, ToolError> {
        let snapshot = self.source.snapshot();
        catch_unwind(AssertUnwindSafe(|| work(&snapshot)))
            .unwrap_or_else(|_| Err(ToolError::Failed(ApiError::Panic("in a tool".into()))))
    }

    fn run_tool(&self, name: &str, sent: Object) -> Result<CallToolResult, ErrorData> {
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
            let names: Vec<_> = TOOLS.iter().map(|tool| tool.name).collect();
            let (names, found) = (names.join(", "), quoted_excerpt(name));
            let text = format!("Unknown tool: expected one of {names}; found {found}");
            return Err(ErrorData::invalid_params(text, None));
        };
        let answered = self
            .guarded(|snapshot| tool.call(snapshot, &Arguments::read(sent, &tool.arguments())?));
        match answered {
            Ok(answer) => Ok(CallToolResult::structured(answer.into())),
            Err(ToolError::Refused(text)) => {
                Ok(CallToolResult::error(vec![ContentBlock::text(text)]))
            }
            Err(ToolError::Failed(error)) => Err(fault(name, &error)),
        }
    }

    fn read(&self, uri: &str) -> Result<ReadResourceResult, ErrorData> {
        let text = self.guarded(|snapshot| {
            let Some(value) = uri.strip_prefix(SCHEME) else { return Ok(None) };
            let ein = ein(value)?;
            match ask(snapshot, &DETAILS, Some(ein.as_str()), "") {
                Err(ApiError::UnknownNonprofit) => Err(unknown(&[ein])),
                reply => Ok(Some(String::from_utf8_lossy(&reply?.body).into_owned())),
            }
        });
        let none = |text: String| ErrorData::resource_not_found(text, None);
        match text {
            Ok(Some(text)) => {
                let contents = ResourceContents::text(text, uri).with_mime_type("application/json");
                Ok(ReadResourceResult::new(vec![contents]))
            }
            Ok(None) => Err(none(format!(
                "Resource not found: expected {SCHEME} and an EIN of nine digits; found {}",
                quoted_excerpt(uri)
            ))),
            Err(ToolError::Refused(text)) => Err(none(format!("Resource not found. {text}"))),
            Err(ToolError::Failed(error)) => Err(fault("resources/read", &error)),
        }
    }
}

/// An internal error: the client learns only that one occurred; the log has the cause.
fn fault(asked: &str, error: &ApiError) -> ErrorData {
    let cause = error.cause();
    tracing::error!(asked, cause, "a call failed");
    ErrorData::internal_error("Internal error; the log of the server says which", None)
}

/// Every list of the protocol fits one page, so nobody has a cursor of one.
fn one_page(asked: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match asked.and_then(|asked| asked.cursor) {
        None => Ok(()),
        Some(cursor) => {
            let found = quoted_excerpt(&cursor);
            let text = format!("Expected no cursor, since the list has one page; found {found}");
            Err(ErrorData::invalid_params(text, None))
        }
    }
}

impl<S: Source> ServerHandler for Handler<S> {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let server = Implementation::new("almoner", env!("CARGO_PKG_VERSION"))
            .with_title("Almoner: U.S. nonprofits");
        ServerConfig::new(capabilities).with_server_info(server).with_instructions(INSTRUCTIONS)
    }

    fn get_tool(&self, name: &str) -> Option<model::Tool> {
        LISTED.iter().find(|tool| tool.name == name).cloned()
    }

    async fn list_tools(
        &self,
        asked: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        one_page(asked)?;
        Ok(ListToolsResult::with_all_items(LISTED.clone()))
    }

    async fn call_tool(
        &self,
        asked: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let sent = asked.arguments.unwrap_or_default();
        self.run_tool(&asked.name, sent).map(CallToolResponse::from)
    }

    async fn list_resource_templates(
        &self,
        asked: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        one_page(asked)?;
        let nonprofit = ResourceTemplate::new(format!("{SCHEME}{{ein}}"), "nonprofit")
            .with_title("Nonprofit")
            .with_description("The full profile of one nonprofit by its EIN, as get_nonprofit.")
            .with_mime_type("application/json");
        Ok(ListResourceTemplatesResult::with_all_items(vec![nonprofit]))
    }

    async fn read_resource(
        &self,
        asked: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.read(&asked.uri).map(ReadResourceResponse::from)
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
