//! The [`records!`] macro, re-exported by the `record` crate. An on-disk record is declared once, as a table like those
//! in the documents of a format. Everything else is generated from it.
//!
//! Use the macros through the `record` crate, which passes its own path to them:
//!
//! ```ignore
//! meshwright_record::records! {
//!     /// A texture reference.
//!     pub struct TextureInfo: 8 {
//!         0 attributes: U32, "Filtering and wrapping.";
//!         4 frame_rate: F32, "Frames per second.";
//!     }
//! }
//! ```

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, Expr, Ident, ItemStruct, Lit, LitInt, LitStr, Meta, Token, Type, Visibility, braced,
    parse_macro_input,
};

/// The implementation of `record::records!`: the path of the `record` crate, a semicolon, the records.
///
/// The path comes from `$crate`, so that the macro works under any name that a user gives to the crate.
#[proc_macro]
pub fn records(input: TokenStream) -> TokenStream {
    let Records { krate, records } = parse_macro_input!(input as Records);
    records.iter().map(|record| record.expand(&krate)).collect::<Tokens>().into()
}

/// Derives zerocopy's traits for one struct: the path of the `record` crate, a semicolon, the struct.
#[proc_macro]
pub fn plain_data(input: TokenStream) -> TokenStream {
    let PlainData { krate, item } = parse_macro_input!(input as PlainData);
    let attributes = plain_data_attributes(&krate, &item.ident);
    let Attributes { import, derive } = attributes;
    quote!(#import #derive #item).into()
}

struct Attributes {
    import: Tokens,
    derive: Tokens,
}

/// zerocopy's derive takes the path of its crate as a string, where `$crate` is not allowed. An import gives the crate a
/// name in the module, so the macros work in modules but not in function bodies.
fn plain_data_attributes(krate: &Tokens, name: &Ident) -> Attributes {
    let alias = quote::format_ident!("__zerocopy_{}", name);
    let path = format!("self::{alias}");
    Attributes {
        import: quote!(#[doc(hidden)] #[allow(non_snake_case)] use #krate::zerocopy as #alias;),
        derive: quote! {
            #[derive(
                #alias::FromBytes, #alias::IntoBytes, #alias::KnownLayout, #alias::Immutable, #alias::Unaligned,
            )]
            #[zerocopy(crate = #path)]
        },
    }
}

struct PlainData {
    krate: Tokens,
    item: ItemStruct,
}

impl Parse for PlainData {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self { krate: crate_path(input)?, item: input.parse()? })
    }
}

/// The tokens of `$crate`, up to the semicolon.
fn crate_path(input: ParseStream<'_>) -> syn::Result<Tokens> {
    let path: syn::Path = input.call(syn::Path::parse_mod_style)?;
    input.parse::<Token![;]>()?;
    Ok(quote!(#path))
}

struct Records {
    krate: Tokens,
    records: Vec<Record>,
}

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
    /// The type that it is shown as, if it differs from its own.
    shown: Option<syn::Path>,
    doc: LitStr,
}

impl Parse for Records {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let krate = crate_path(input)?;
        let mut records = Vec::new();
        while !input.is_empty() {
            records.push(input.parse()?);
        }
        Ok(Self { krate, records })
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
            let shown = body.parse::<Option<Token![as]>>()?.map(|_| body.parse()).transpose()?;
            body.parse::<Token![,]>()?;
            let doc = body.parse()?;
            body.parse::<Token![;]>()?;
            fields.push(Field { offset, name, ty, shown, doc });
        }
        Ok(Self { attributes, visibility, name, size, fields })
    }
}

impl Record {
    fn expand(&self, krate: &Tokens) -> Tokens {
        let Attributes { import, derive } = plain_data_attributes(krate, &self.name);
        let Self { attributes, visibility, name, size, fields } = self;
        let title = name.to_string();
        let summary = self.summary();
        let table = self.layout_table();
        let names: Vec<_> = fields.iter().map(|field| &field.name).collect();
        let types: Vec<_> = fields.iter().map(|field| &field.ty).collect();
        let descriptions = fields.iter().map(|field| match (&field.shown, &field.ty) {
            (Some(shown), _) => quote!(#shown),
            (None, ty) => quote!(<#ty as #krate::Pod>::TYPE),
        });
        let sizes = fields.iter().filter_map(|field| {
            let (shown, ty) = (field.shown.as_ref()?, &field.ty);
            let wrong = format!("{title}.{} is shown as something of another size", field.name);
            Some(quote!(assert!(#krate::Type::size(#shown) == ::core::mem::size_of::<#ty>(), #wrong);))
        });
        let docs: Vec<_> = fields.iter().map(|field| &field.doc).collect();
        let offsets: Vec<_> = fields.iter().map(|field| &field.offset).collect();
        let words: Vec<_> = names.iter().map(|name| name.to_string()).collect();
        let size_wrong = format!("{title} is not {size} bytes long");
        let offset_wrong: Vec<_> = fields
            .iter()
            .map(|field| format!("{title}.{} is not at offset {}", field.name, field.offset))
            .collect();
        quote! {
            #import
            #(#attributes)*
            #[doc = #table]
            #[derive(Clone, Copy)]
            #derive
            #[repr(C)]
            #visibility struct #name {
                #( #[doc = #docs] pub #names: #types, )*
            }

            const _: () = {
                assert!(::core::mem::size_of::<#name>() == #size, #size_wrong);
                #( assert!(::core::mem::offset_of!(#name, #names) == #offsets, #offset_wrong); )*
                #(#sizes)*
            };

            impl #krate::Pod for #name {
                const TYPE: #krate::Type = #krate::Type::Record(<Self as #krate::Record>::SCHEMA);
            }

            impl #krate::Record for #name {
                const SCHEMA: &'static #krate::Schema = &#krate::Schema {
                    name: #title,
                    doc: #summary,
                    size: #size,
                    fields: &[#(
                        #krate::Field {
                            name: #words, doc: #docs, offset: #offsets,
                            ty: #descriptions,
                        },
                    )*],
                };
            }

            impl ::core::default::Default for #name {
                fn default() -> Self {
                    <Self as #krate::zerocopy::FromZeros>::new_zeroed()
                }
            }

            impl ::core::cmp::PartialEq for #name {
                fn eq(&self, other: &Self) -> bool {
                    #krate::zerocopy::IntoBytes::as_bytes(self) == #krate::zerocopy::IntoBytes::as_bytes(other)
                }
            }

            impl ::core::cmp::Eq for #name {}

            impl ::core::fmt::Debug for #name {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    #krate::fmt_record(<Self as #krate::Record>::SCHEMA, #krate::zerocopy::IntoBytes::as_bytes(self), f)
                }
            }
        }
    }

    /// The first paragraph of the doc comment, for the schema.
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
