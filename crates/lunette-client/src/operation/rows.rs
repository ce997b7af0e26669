//! The macro behind the table. It has no logic: each row becomes a type, its `Operation` impl, and two enum variants.

macro_rules! operations {
    ($(
        $group:ident {
            $(
                #[doc = $doc:literal]
                $name:literal $op:ident => $method:ident $path:literal
                { $( $location:ident $input:ident : $kind:ty ),* } -> $output:ty, $accept:ident [ $($mark:ident)* ];
            )*
        }
    )*) => {
        $($(
            #[doc = $doc]
            #[derive(Clone, Debug, PartialEq)]
            pub struct $op {
                $(
                    #[doc = concat!("The ", stringify!($location), " input `", stringify!($input), "`.")]
                    pub $input: $kind,
                )*
            }

            impl Operation for $op {
                const INFO: &'static OperationInfo = &OperationInfo {
                    name: $name,
                    method: Method::$method,
                    path: $path,
                    inputs: &[ $( operations!(@input $location $input $kind) ),* ],
                    accept: Accept::$accept,
                    group: Group::$group,
                    deprecated: false $(|| operations!(@deprecated $mark))*,
                    reads: matches!(Method::$method, Method::Get) $(|| operations!(@reads $mark))*,
                    updates: false $(|| operations!(@updates $mark))*,
                    brings_content: false $(|| operations!(@content $mark))*,
                    cached: false $(|| operations!(@cached $mark))*,
                    streamed: false $(|| operations!(@streamed $mark))*,
                    conflicts: false $(|| operations!(@conflicts $mark))*,
                    needs_body: !(false $(|| operations!(@optional_body $mark))*),
                    label: operations!(@label $($mark)*),
                    summary: $doc.trim_ascii(),
                    answer: <$output as ResponseBody>::NAME,
                    body_kind: <$output as ResponseBody>::KIND,
                    status: success_status(<$output as ResponseBody>::KIND, Accept::$accept),
                };
                type Output = $output;

                fn write(&self) -> RequestParts {
                    #[allow(unused_mut, reason = "operations without inputs write none")]
                    let mut parts = RequestParts::default();
                    $( operations!(@put $location $input, self, parts); )*
                    parts
                }

                fn read(_parts: &RequestParts) -> Result<Self, InvalidInput> {
                    Ok(Self { $( $input: operations!(@take $location $input, _parts) ),* })
                }

                fn read_with_body(_parts: &RequestParts, _body: Option<serde_json::Value>) -> Result<Self, InvalidInput> {
                    Ok(Self { $( $input: operations!(@read_with_body $location $input, _parts, _body) ),* })
                }

                fn output(reply: Reply) -> Option<Self::Output> {
                    match reply {
                        Reply::$op(answer) => Some(answer),
                        #[allow(unreachable_patterns, reason = "all other variants")]
                        _ => None,
                    }
                }
            }

            impl From<$op> for Call {
                fn from(operation: $op) -> Self {
                    Self::$op(operation)
                }
            }
        )*)*

        /// Every operation, the interface's 27 first, in the order of the document.
        pub const OPERATIONS: &[&OperationInfo] = &[ $($( $op::INFO, )*)* ];

        /// A request to any operation.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs, reason = "each variant is the operation of its name")]
        pub enum Call {
            $($( $op($op), )*)*
        }

        /// The response of any operation.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs, reason = "each variant is the answer of the operation of its name")]
        pub enum Reply {
            $($( $op(<$op as Operation>::Output), )*)*
        }

        impl Call {
            /// The operation's row.
            pub fn info(&self) -> &'static OperationInfo {
                match self {
                    $($( Self::$op(_) => $op::INFO, )*)*
                }
            }

            /// The request's inputs.
            pub fn parts(&self) -> RequestParts {
                match self {
                    $($( Self::$op(operation) => operation.write(), )*)*
                }
            }

            /// Reads a request to the operation of this row; fails on the first input that is missing or malformed.
            pub fn read(info: &OperationInfo, parts: &RequestParts) -> Result<Self, InvalidInput> {
                match info.name {
                    $($( $name => $op::read(parts).map(Self::$op), )*)*
                    other => unreachable!("{other} is not a row of the table, and rows are made here only"),
                }
            }

            /// Reads the body of a success as this call's answer.
            pub fn answer(&self, body: &[u8]) -> Result<Reply, DecodeError> {
                match self {
                    $($( Self::$op(_) => <$op as Operation>::Output::read(body).map(Reply::$op), )*)*
                }
            }
        }

        impl Reply {
            /// The response as JSON, for people to look at: void is null, text a string.
            pub fn to_tree(&self) -> serde_json::Value {
                match self {
                    $($( Self::$op(answer) => answer.to_tree(), )*)*
                }
            }
        }
    };
    (@input path $input:ident $kind:ty) => {
        Input {
            name: stringify!($input),
            location: InputLocation::Path,
            required: true,
            kind: "String",
            schema: <$kind as PathInput>::SCHEMA,
        }
    };
    (@input query $input:ident $kind:ty) => {
        Input {
            name: stringify!($input),
            location: InputLocation::Query,
            required: <$kind as QueryInput>::REQUIRED,
            kind: <$kind as QueryInput>::KIND,
            schema: <$kind as QueryInput>::SCHEMA,
        }
    };
    (@input body $input:ident $kind:ty) => {
        Input {
            name: stringify!($input),
            location: InputLocation::Body,
            required: <$kind as BodyInput>::REQUIRED,
            kind: <$kind as BodyInput>::KIND,
            schema: <$kind as BodyInput>::SCHEMA,
        }
    };
    (@put path $input:ident, $self:ident, $parts:ident) => { PathInput::write_to(&$self.$input, stringify!($input), &mut $parts) };
    (@put query $input:ident, $self:ident, $parts:ident) => { QueryInput::write_to(&$self.$input, stringify!($input), &mut $parts) };
    (@put body $input:ident, $self:ident, $parts:ident) => { BodyInput::write_to(&$self.$input, &mut $parts) };
    (@take path $input:ident, $parts:ident) => { PathInput::read_from(stringify!($input), $parts)? };
    (@take query $input:ident, $parts:ident) => { QueryInput::read_from(stringify!($input), $parts)? };
    (@take body $input:ident, $parts:ident) => { BodyInput::read_from(Self::INFO, stringify!($input), $parts)? };
    (@read_with_body body $input:ident, $parts:ident, $body:ident) => { BodyInput::of_tree(Self::INFO, stringify!($input), $body)? };
    (@read_with_body $location:ident $input:ident, $parts:ident, $body:ident) => { operations!(@take $location $input, $parts) };
    (@deprecated deprecated) => { true };
    (@deprecated $other:ident) => { false };
    (@reads reads) => { true };
    (@reads $other:ident) => { false };
    (@updates updates) => { true };
    (@updates $other:ident) => { false };
    (@content content) => { true };
    (@content $other:ident) => { false };
    (@cached cached) => { true };
    (@cached $other:ident) => { false };
    (@streamed streamed) => { true };
    (@streamed $other:ident) => { false };
    (@conflicts conflicts) => { true };
    (@conflicts $other:ident) => { false };
    (@optional_body optional_body) => { true };
    (@optional_body $other:ident) => { false };
    (@label) => { None };
    (@label conflicts $($rest:ident)*) => { operations!(@label $($rest)*) };
    (@label streamed $($rest:ident)*) => { operations!(@label $($rest)*) };
    (@label cached $($rest:ident)*) => { operations!(@label $($rest)*) };
    (@label optional_body $($rest:ident)*) => { operations!(@label $($rest)*) };
    (@label reads $($rest:ident)*) => { operations!(@label $($rest)*) };
    (@label updates $($rest:ident)*) => { operations!(@label $($rest)*) };
    (@label content $($rest:ident)*) => { operations!(@label $($rest)*) };
    (@label deprecated $($rest:ident)*) => { operations!(@label $($rest)*) };
    (@label scoped_to_apps $($rest:ident)*) => { Some(Label::Apps) };
    (@label scoped_to_asset $($rest:ident)*) => { Some(Label::Asset) };
}
pub(super) use operations;
