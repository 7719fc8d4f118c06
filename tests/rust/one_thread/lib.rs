//! `#[one_thread::test] async fn …`, or `fn …`: a test that runs on the one thread of its binary that has a GPU
//! device.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Makes a test of a function without arguments, async or not: `async fn name() { … }` becomes
///
/// ```ignore
/// #[::core::prelude::v1::test]
/// fn name() { crate::common::thread::run(|| ::pollster::block_on(async { … })) }
/// ```
///
/// Its crate has to have `common::thread::run` and the dependency pollster.
#[proc_macro_attribute]
pub fn test(_: TokenStream, function: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = function.into_iter().collect();
    // A function ends with its body, in braces.
    let Some(body) = tokens.pop() else { return TokenStream::new() };
    tokens.retain(|token| token.to_string() != "async");
    let parsed = |code: &str| code.parse::<TokenStream>().unwrap_or_default(); // never the default: the code below parses
    let group = |delimiter, parts: [TokenStream; 2]| {
        TokenStream::from(TokenTree::Group(Group::new(delimiter, parts.into_iter().collect())))
    };
    let future = group(Delimiter::Parenthesis, [parsed("async"), TokenTree::into(body)]);
    let call = group(Delimiter::Parenthesis, [parsed("|| ::pollster::block_on"), future]);
    let body = group(Delimiter::Brace, [parsed("crate::common::thread::run"), call]);
    [parsed("#[::core::prelude::v1::test]"), tokens.into_iter().collect(), body].into_iter().collect()
}
