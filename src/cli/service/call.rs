//! `lunette call`: calls any operation, with its inputs by name.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use anyhow::{Context as _, anyhow};
use serde_json::Value;

use lunette_client::operation::{Call, Input, InputLocation, OPERATIONS, OperationInfo, Reply, RequestParts};
use lunette_inspector::change::Recovery;

use crate::cli::connect::{self, Access, Service, Wanted};
use crate::cli::progress::ProgressLine;
use crate::cli::target::{self, ServiceTarget};
use crate::cli::{Failure, data_dir, indexed};

/// What `call` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Name of the operation, such as assetSnapshot.
    operation: String,
    /// Inputs by name; a body as JSON under its name, such as increment={"asset":{"reuse":true}}.
    #[arg(value_name = "name=value")]
    inputs: Vec<String>,
    /// File with the JSON body, or - for standard input.
    #[arg(long, value_name = "FILE")]
    body: Option<String>,
    #[command(flatten)]
    service: ServiceTarget,
    /// Allow writes to a service on another machine, which are sent unencrypted.
    #[arg(long)]
    allow_writes: bool,
    /// Print the request without sending it.
    #[arg(long)]
    dry_run: bool,
}

/// Calls the operation and prints its response.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let call = read(arguments).map_err(Failure::usage)?;
    if arguments.dry_run {
        return preview(&call);
    }
    let access = match call.info().writes() {
        true => Access::Write { allowed: arguments.allow_writes },
        false => Access::Read,
    };
    let data = arguments.service.data();
    let wanted = Wanted { limits: target::generous(), ..arguments.service.wanted(access) };
    let called = async |service: &Service| match call.info().writes() {
        false => ask(service, &call).await,
        true => Ok((send(service, data, &call).await?, Ok(()))),
    };
    let (reply, complete) = connect::run(wanted.with(called))?;
    if call.info().answer != "void" {
        crate::cli::print_json(&format!("{:#}\n", reply.to_tree()))?;
    }
    complete
}

/// Sends a call that reads. A search is sent again until the service has indexed everything; returns whether it has.
async fn ask(service: &Service, call: &Call) -> Result<(Reply, Result<(), Failure>), Failure> {
    let ask = async || service.client.exchange(call).await.outcome;
    let unindexed = |reply: &Reply| match call.info().answer {
        "SearchedAssets" => reply.to_tree().get("unindexed").and_then(Value::as_u64).unwrap_or_default(),
        _ => 0,
    };
    let asked = indexed::ask(ProgressLine::of(&service.client), ask, unindexed).await.map_err(connect::failure)?;
    let complete = asked.complete();
    Ok((asked.answer, complete))
}

/// Sends a call that writes, which is noted in the history first, as a call of the window's console.
async fn send(service: &Service, data: Option<&Path>, call: &Call) -> Result<Reply, Failure> {
    let writer = service.writer(&data_dir::folder(data)?, Recovery::None)?;
    let sent = writer.call(call).await;
    sent.map_err(|error| Failure::failed(anyhow!("{error}; nothing was sent")))?.outcome.map_err(connect::failure)
}

/// Prints the request as JSON, and its body as it would be sent.
fn preview(call: &Call) -> Result<(), Failure> {
    let (info, parts) = (call.info(), call.parts());
    let target = parts.target(info);
    let body = parts.body.map(|body| String::from_utf8_lossy(&body).into_owned());
    let body = body.map(|body| serde_json::from_str(&body).unwrap_or(Value::String(body)));
    let method = info.method.to_string();
    let request = serde_json::json!({ "operation": info.name, "method": method, "target": target, "body": body });
    crate::cli::print_json(&format!("{request:#}\n"))
}

/// Builds the call from the arguments. Fails on an unknown operation or input, and on a missing or invalid input.
fn read(arguments: &Arguments) -> anyhow::Result<Call> {
    let info = operation(&arguments.operation)?;
    let mut parts = RequestParts::default();
    for given in &arguments.inputs {
        read_input(info, given, &mut parts)?;
    }
    if let Some(source) = &arguments.body {
        if parts.body.is_some() {
            return Err(anyhow!("the body was given twice, by name and with --body; remove one of them"));
        }
        parts.body = Some(read_body(info, source)?);
    }
    let missing = |input: &&Input| match input.location {
        InputLocation::Path | InputLocation::Query => {
            input.required && parts.text(input.location, input.name).is_none()
        }
        InputLocation::Body => input.required && parts.body.is_none(),
    };
    if let Some(input) = info.inputs.iter().find(missing) {
        return Err(anyhow!("`{}` needs {}=…; {}", info.name, input.name, usage(info)));
    }
    // The error includes its own source, so it is not chained.
    Call::read(info, &parts).map_err(|error| anyhow!("invalid arguments for `{}`: {error}; {}", info.name, usage(info)))
}

fn read_input(info: &OperationInfo, given: &str, parts: &mut RequestParts) -> anyhow::Result<()> {
    let (name, value) =
        given.split_once('=').ok_or_else(|| anyhow!("{given:?} is not a name=value pair; {}", usage(info)))?;
    let input = info.inputs.iter().find(|input| same_name(input.name, name));
    let input = input.ok_or_else(|| anyhow!("`{}` has no input {name:?}; {}", info.name, usage(info)))?;
    let taken = match input.location {
        InputLocation::Path => &mut parts.path,
        InputLocation::Query => &mut parts.query,
        InputLocation::Body => {
            if parts.body.replace(body_bytes(input, value)).is_some() {
                return Err(anyhow!("{name:?} was given twice; remove one of them"));
            }
            return Ok(());
        }
    };
    if taken.iter().any(|(known, _)| known == input.name) {
        return Err(anyhow!("{name:?} was given twice; remove one of them"));
    }
    taken.push((input.name.to_owned(), value.to_owned()));
    Ok(())
}

/// A body that is plain text may be given without quotes.
fn body_bytes(input: &Input, value: &str) -> Vec<u8> {
    let quoted = value.starts_with('"');
    if input.kind == "String" && !quoted { Value::from(value).to_string().into() } else { value.into() }
}

fn read_body(info: &OperationInfo, source: &str) -> anyhow::Result<Vec<u8>> {
    if !info.inputs.iter().any(|input| input.location == InputLocation::Body) {
        return Err(anyhow!("`{}` takes no body; remove --body", info.name));
    }
    let mut bytes = Vec::new();
    if source == "-" {
        io::stdin().read_to_end(&mut bytes).context("cannot read the body from standard input")?;
    } else {
        bytes = fs::read(source).with_context(|| format!("cannot read the body from {source:?}"))?;
    }
    Ok(bytes)
}

/// `exportType` and `export_type` are the same name: the interface document uses the first, the wire the second.
fn same_name(a: &str, b: &str) -> bool {
    let plain = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    plain(a) == plain(b)
}

fn operation(name: &str) -> anyhow::Result<&'static OperationInfo> {
    if let Some(info) = OperationInfo::named(name) {
        return Ok(info);
    }
    let near: Vec<String> = nearest(name).iter().map(|info| format!("`{}`", info.name)).collect();
    let advice = match near.as_slice() {
        [] => "`lunette operations` lists them all".to_owned(),
        near => format!("did you mean {}? `lunette operations` lists them all", near.join(" or ")),
    };
    Err(anyhow!("there is no operation {name:?}; {advice}"))
}

/// Returns up to three operations with similar names: those that contain the text, then those with a small edit
/// distance.
fn nearest(name: &str) -> Vec<&'static OperationInfo> {
    let wanted = name.to_lowercase();
    let mut near: Vec<(usize, &OperationInfo)> = Vec::new();
    for &info in OPERATIONS {
        let known = info.name.to_lowercase();
        let distance = if wanted.len() >= 3 && known.contains(&wanted) { 0 } else { edit_distance(&wanted, &known) };
        if distance <= 1 + known.len() / 4 {
            near.push((distance, info));
        }
    }
    near.sort_by_key(|(distance, _)| *distance);
    near.into_iter().take(3).map(|(_, info)| info).collect()
}

/// Returns the edit distance of two texts (Levenshtein).
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (row, letter) in a.chars().take(200).enumerate() {
        let mut diagonal = above[0];
        above[0] = row + 1;
        for (column, other) in b.iter().enumerate() {
            let change = diagonal + usize::from(letter != *other);
            diagonal = above[column + 1];
            above[column + 1] = change.min(above[column] + 1).min(diagonal + 1);
        }
    }
    above[b.len()]
}

/// Returns how to call the operation, on one line.
fn usage(info: &OperationInfo) -> String {
    let inputs = info.inputs.iter().map(|input| match (input.required, input.location) {
        (true, _) => format!(" {}=…", input.name),
        (false, InputLocation::Body) => format!(" [{}=JSON | --body FILE]", input.name),
        (false, _) => format!(" [{}=…]", input.name),
    });
    format!("usage: lunette call {}{}", info.name, inputs.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lunette_client::operation::Call as AnyCall;

    const ASSET: &str = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";

    fn parsed(operation: &str, inputs: &[&str]) -> anyhow::Result<AnyCall> {
        let inputs = inputs.iter().map(|&input| input.to_owned()).collect();
        let arguments = Arguments {
            operation: operation.to_owned(),
            inputs,
            body: None,
            service: ServiceTarget::default(),
            allow_writes: false,
            dry_run: false,
        };
        read(&arguments)
    }

    fn refused(operation: &str, inputs: &[&str]) -> String {
        format!("{:#}", parsed(operation, inputs).expect_err("it is refused"))
    }

    #[test]
    fn inputs_are_accepted_by_name_in_any_order() {
        let asset = format!("asset={ASSET}");
        let call = parsed("assetAssociateTag", &["tag=a b/ü", &asset]).expect("a call");
        assert!(
            matches!(call, AnyCall::AssetAssociateTag(op) if op.tag.as_str() == "a b/ü" && op.asset.as_str() == ASSET)
        );
    }

    #[test]
    fn the_documented_spelling_of_an_input_is_accepted() {
        let asset = format!("asset={ASSET}");
        assert!(parsed("assetSpecificAssetExport", &[&asset, "exportType=MD"]).is_ok());
        assert!(parsed("assetSpecificAssetExport", &[&asset, "export_type=MD"]).is_ok());
    }

    #[test]
    fn a_body_is_json_and_a_session_id_may_be_bare() {
        assert!(parsed("applicationsSessionClose", &[&format!("session={ASSET}")]).is_ok());
        assert!(parsed("applicationsSessionClose", &[&format!("session=\"{ASSET}\"")]).is_ok());
        let asset = format!("asset={ASSET}");
        assert!(parsed("assetScoresIncrement", &[&asset, "increment={\"asset\":{\"reuse\":true}}"]).is_ok());
        let error = refused("assetScoresIncrement", &[&asset, "increment={"]);
        assert!(error.contains("not JSON"), "{error}");
    }

    #[test]
    fn missing_unknown_and_duplicate_inputs_are_named() {
        for (inputs, named) in [
            (vec![], "needs asset="),
            (vec!["asset=1", "asset=2"], "was given twice"),
            (vec!["owner=1"], "no input \"owner\""),
            (vec!["asset"], "not a name=value pair"),
            (vec!["asset=update"], "not a UUID"),
        ] {
            let error = refused("assetFormats", &inputs);
            assert_eq!(error.matches(named).count(), 1, "{error}");
        }
    }

    #[test]
    fn an_error_shows_the_usage_of_the_operation() {
        let error = refused("assetFormats", &[]);
        assert!(error.contains("usage: lunette call assetFormats asset=… [transferables=…]"), "{error}");
    }

    #[test]
    fn a_near_miss_suggests_the_name() {
        for (typed, meant) in [
            ("assetSnapshat", "`assetSnapshot`"),
            ("ASSETUPDATE", "`assetUpdate`"),
            ("reclassify", "`assetReclassify`"),
        ] {
            let error = refused(typed, &[]);
            assert!(error.contains(meant), "{error}");
        }
        let error = refused("xyzzy", &[]);
        assert!(error.contains("`lunette operations` lists them all") && !error.contains("did you mean"), "{error}");
    }

    /// The command that the window offers for copying, as split into words by a real shell.
    #[cfg(unix)]
    #[test]
    fn a_copied_command_is_parsed_as_the_same_call() {
        use lunette_client::model::record::Record as _;
        use lunette_client::operation::table::{
            AssetAssociateTag, AssetSpecificAssetExport, AssetUpdate, SearchAssets,
        };
        #[derive(clap::Parser)]
        struct Program {
            #[command(flatten)]
            arguments: Arguments,
        }
        let id: lunette_client::model::id::AssetId = ASSET.parse().expect("an id");
        let odd = "it's \"$HOME\" `id` \\ \n\nEND\n! ü😀 *";
        let asset = serde_json::json!({ "id": ASSET, "name": odd, "creator": "c", "created": { "value": "" },
            "updated": { "value": "" }, "formats": { "iterable": [] }, "preview": { "base": { "id": "f" } },
            "original": { "id": "f" }, "mechanism": "MANUAL", "x": 1.10 });
        let asset = lunette_client::model::asset::Asset::from_tree(asset).expect("an asset");
        let calls: [AnyCall; 4] = [
            AssetAssociateTag { asset: id.clone(), tag: odd.parse().expect("an id") }.into(),
            AssetSpecificAssetExport { asset: id, export_type: "MD".parse().expect("a kind") }.into(),
            SearchAssets {
                query: Some(odd.to_owned()),
                transferables: Some(false),
                searchable_tags: None,
                pseudo: None,
                exact: None,
            }
            .into(),
            AssetUpdate { transferables: Some(false), asset: Some(asset) }.into(),
        ];
        let folder = tempfile::tempdir().expect("a folder");
        for call in calls {
            let command = lunette_inspector::write::request::Request::of(&call, "http://[::1]:1000").command;
            let script = format!("lunette() {{ cat > body; shift; printf '%s\\0' \"$@\"; }}\n{command}");
            let mut shell = std::process::Command::new("sh");
            shell.current_dir(folder.path()).args(["-c", &script]).stdin(std::process::Stdio::null());
            let message = String::from_utf8(shell.output().expect("a shell").stdout).expect("UTF-8");
            let words = std::iter::once("call").chain(message.split_terminator('\0'));
            let mut arguments = <Program as clap::Parser>::try_parse_from(words).expect("arguments").arguments;
            assert_eq!(arguments.service.url(), Some("http://[::1]:1000"));
            if let Some(body) = &mut arguments.body {
                assert_eq!(std::mem::replace(body, folder.path().join("body").display().to_string()), "-");
            }
            assert_eq!(read(&arguments).expect("a call").parts(), call.parts(), "{command}");
        }
    }
}
