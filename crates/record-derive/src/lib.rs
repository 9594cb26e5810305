//! The [`records!`] macro, re-exported by the `record` crate: an on-disk record is declared once, as a table that
//! reads like the one in the format's own documents, and everything else follows from it.

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, Expr, Ident, Lit, LitInt, LitStr, Meta, Token, Type, Visibility, braced, parse_macro_input,
};

/// Declares on-disk records, one line per field: offset, name, type, meaning.
///
/// ```ignore
/// records! {
///     /// A texture reference.
///     pub struct TextureInfo: 12 {
///         0 attributes: TextureFlags, "Filtering and wrapping.";
///         4 frame_count: U32, "Frames, 1 if not animated.";
///         8 frame_rate: F32, "Frames per second.";
///     }
/// }
/// ```
///
/// The size and every offset are asserted while compiling, so a layout copied wrongly from a document does not
/// build. The generated struct is `#[repr(C)]`, has no padding and no alignment, and implements `record::Record`
/// (its schema), zerocopy's traits, `Debug`, `Default` (all zero) and byte-wise equality. Its rustdoc page ends with
/// the layout table.
#[proc_macro]
pub fn records(input: TokenStream) -> TokenStream {
    let Records(records) = parse_macro_input!(input as Records);
    records.iter().map(Record::expand).collect::<Tokens>().into()
}

struct Records(Vec<Record>);

struct Record {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    size: LitInt,
    fields: Vec<Field>,
}

struct Field {
    offset: LitInt,
    name: Ident,
    ty: Type,
    doc: LitStr,
}

impl Parse for Records {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut records = Vec::new();
        while !input.is_empty() {
            records.push(input.parse()?);
        }
        Ok(Self(records))
    }
}

impl Parse for Record {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        input.parse::<Token![struct]>()?;
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        let size = input.parse()?;
        let body;
        braced!(body in input);
        let mut fields = Vec::new();
        while !body.is_empty() {
            let offset = body.parse()?;
            let name = body.parse()?;
            body.parse::<Token![:]>()?;
            let ty = body.parse()?;
            body.parse::<Token![,]>()?;
            let doc = body.parse()?;
            body.parse::<Token![;]>()?;
            fields.push(Field { offset, name, ty, doc });
        }
        Ok(Self { attributes, visibility, name, size, fields })
    }
}

impl Record {
    fn expand(&self) -> Tokens {
        let Self { attributes, visibility, name, size, fields } = self;
        let title = name.to_string();
        let summary = self.summary();
        let table = self.layout_table();
        let names: Vec<_> = fields.iter().map(|field| &field.name).collect();
        let types: Vec<_> = fields.iter().map(|field| &field.ty).collect();
        let docs: Vec<_> = fields.iter().map(|field| &field.doc).collect();
        let offsets: Vec<_> = fields.iter().map(|field| &field.offset).collect();
        let words: Vec<_> = names.iter().map(|name| name.to_string()).collect();
        let size_wrong = format!("{title} is not {size} bytes long");
        let offset_wrong: Vec<_> = fields
            .iter()
            .map(|field| format!("{title}.{} is not at offset {}", field.name, field.offset))
            .collect();
        quote! {
            #(#attributes)*
            #[doc = #table]
            #[derive(
                Clone, Copy,
                ::record::zerocopy::FromBytes, ::record::zerocopy::IntoBytes, ::record::zerocopy::KnownLayout,
                ::record::zerocopy::Immutable, ::record::zerocopy::Unaligned,
            )]
            #[zerocopy(crate = "::record::zerocopy")]
            #[repr(C)]
            #visibility struct #name {
                #( #[doc = #docs] pub #names: #types, )*
            }

            const _: () = {
                assert!(::core::mem::size_of::<#name>() == #size, #size_wrong);
                #( assert!(::core::mem::offset_of!(#name, #names) == #offsets, #offset_wrong); )*
            };

            impl ::record::Pod for #name {
                const TYPE: ::record::Type = ::record::Type::Record(<Self as ::record::Record>::SCHEMA);
            }

            impl ::record::Record for #name {
                const SCHEMA: &'static ::record::Schema = &::record::Schema {
                    name: #title,
                    doc: #summary,
                    size: #size,
                    fields: &[#(
                        ::record::Field {
                            name: #words, doc: #docs, offset: #offsets,
                            ty: <#types as ::record::Pod>::TYPE,
                        },
                    )*],
                };
            }

            impl ::core::default::Default for #name {
                fn default() -> Self {
                    <Self as ::record::zerocopy::FromZeros>::new_zeroed()
                }
            }

            impl ::core::cmp::PartialEq for #name {
                fn eq(&self, other: &Self) -> bool {
                    ::record::zerocopy::IntoBytes::as_bytes(self) == ::record::zerocopy::IntoBytes::as_bytes(other)
                }
            }

            impl ::core::cmp::Eq for #name {}

            impl ::core::fmt::Debug for #name {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    ::record::fmt_record(<Self as ::record::Record>::SCHEMA, ::record::zerocopy::IntoBytes::as_bytes(self), f)
                }
            }
        }
    }

    /// The first paragraph of the doc comment, which the schema carries along.
    fn summary(&self) -> String {
        let lines = self.attributes.iter().filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                Expr::Lit(literal) => match &literal.lit {
                    Lit::Str(text) => Some(text.value().trim().to_owned()),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        });
        lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The layout as a Markdown table, for the record's rustdoc page.
    fn layout_table(&self) -> String {
        let mut table = format!(
            "\n\n# Layout\n\n{} bytes.\n\n| offset | bytes | type | name | meaning |\n|---:|---:|---|---|---|\n",
            self.size
        );
        let offset_of = |field: &Field| field.offset.base10_parse::<usize>().unwrap_or_default();
        let total = self.size.base10_parse::<usize>().unwrap_or_default();
        for (index, field) in self.fields.iter().enumerate() {
            let end = self.fields.get(index + 1).map_or(total, offset_of);
            let ty = &field.ty;
            let ty = quote!(#ty).to_string().replace(' ', "");
            table += &format!(
                "| {} | {} | `{}` | `{}` | {} |\n",
                offset_of(field),
                end.saturating_sub(offset_of(field)),
                ty.replace(';', "; "),
                field.name,
                field.doc.value().replace('|', "\\|"),
            );
        }
        table
    }
}
