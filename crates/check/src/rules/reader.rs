//! Codes that readers and writers report, with their explanations.

use record::Severity::{Error, Info, Warning};

use crate::fix::{self, Repair};
use crate::rule::Rule;

const SAVED_AS_UTF8: &str = "A program read the file as text and wrote it as UTF-8: each byte from 0x80 on became two or three bytes, or was \
    replaced by the replacement character. Get the file again. The repair turns the characters back into bytes if none was replaced \
    and the result is a valid file.";

pub(crate) static RULES: &[Rule] = &[
    Rule::reader(
        "W3D-FILE-001",
        Warning,
        "BFME II ships nine such files",
        "the file is empty",
        "An engine that loads it finds nothing: models that refer to it are invisible. Export the file again, or delete it.",
    ),
    Rule::reader(
        "W3D-FILE-002",
        Error,
        "Shockwave 3D uses the same extension",
        "this is a Shockwave 3D file",
        "It only has the same extension `.w3d`. No Westwood engine reads it.",
    ),
    Rule::reader(
        "W3D-FILE-003",
        Error,
        "first bytes of other formats",
        "this is a file in another format",
        "The first bytes are those of another format. Check how the file got its name.",
    ),
    Rule::reader(
        "W3D-FILE-004",
        Error,
        "chunkio.h: a header has 8 bytes",
        "too short for a chunk",
        "A W3D file starts with a chunk header of eight bytes. The file was truncated, or is not a W3D file.",
    ),
    Rule::reader(
        "W3D-FILE-005",
        Error,
        "Warcraft III keeps doodads in war3map.w3d",
        "this is Warcraft III doodad data",
        "`war3map.w3d` only has the same extension; a map editor reads it.",
    ),
    Rule::reader(
        "W3D-FILE-006",
        Error,
        "the chunk table",
        "this is not a W3D file",
        "The first chunk is not one that a file starts with, and the rest cannot be split into chunks.",
    ),
    Rule::reader(
        "W3D-FILE-007",
        Error,
        "docs/formats/w3d/framing.md#damage-in-published-files: five Zero Hour files were shipped like this",
        "damaged by a transfer in text mode",
        "Every line feed has a carriage return before it: a program treated the file as text. All sizes after the first such pair are \
         wrong, so engines read garbage. Get the file again in binary mode; the repair removes the inserted bytes where the result is \
         a whole file.",
    )
    .repaired(Repair::w3d("removes the inserted carriage returns", fix::text_mode).restoring()),
    Rule::reader(
        "W3D-FILE-008",
        Error,
        "record::transfer: binary files are rarely valid UTF-8",
        "damaged by a program that saved it as UTF-8",
        SAVED_AS_UTF8,
    )
    .repaired(Repair::w3d("turns UTF-8 back into bytes", fix::utf8).restoring()),
    Rule::reader(
        "W3D-FRAME-001",
        Error,
        "docs/formats/w3d/framing.md#chunk-headers",
        "a size field is too large",
        "A chunk declares more bytes than belong to it. If the chunks after it are inside, engines skip them, and parts of the model are missing; the \
         repair lowers the size to the last chunk that belongs there. Otherwise the file was truncated or damaged: get it again.",
    )
    .repaired(Repair::w3d("lowers sizes to what belongs there", fix::sizes).restoring()),
    Rule::reader(
        "W3D-FRAME-004",
        Warning,
        "chunkio.cpp: Open_Chunk; 49 published BFME II models",
        "a size field is too small for the chunks inside",
        "The last child of the chunk ends after the chunk itself, and the file continues correctly after the child. Engines use the size of \
         the child, so the game shows everything. Some tools lose what is beyond the size. The repair enlarges the size.",
    )
    .repaired(Repair::w3d("enlarges sizes that are too small", fix::sizes).restoring()),
    Rule::reader(
        "W3D-FRAME-002",
        Info,
        "docs/formats/w3d/framing.md#the-container-bit: the bit was introduced on 24 September 1999",
        "the container bit is missing",
        "Files from before September 1999 and some converters do not set the top bit of a container's size. Engines ignore it; some tools do not. \
         The repair sets the bit.",
    )
    .repaired(Repair::w3d("sets the container bit", fix::container_bits)),
    Rule::reader(
        "W3D-FRAME-003",
        Info,
        "docs/formats/w3d/framing.md#the-container-bit: strings of BFME II",
        "the container bit is set, but there are no chunks inside",
        "BFME II sets the top bit of some strings' sizes. Engines ignore it; some tools then treat the text as chunks. The repair clears the bit.",
    )
    .repaired(Repair::w3d("clears the container bit", fix::container_bits)),
    Rule::reader(
        "W3D-FRAME-010",
        Warning,
        "docs/formats/w3d/framing.md#chunk-headers",
        "trailing bytes after the last chunk",
        "The rest is not a whole chunk. Engines ignore a few bytes at the end of the file; inside a chunk it means that a size is wrong.",
    ),
    Rule::reader(
        "W3D-PART-001",
        Info,
        "docs/formats/w3d/framing.md#chunk-headers",
        "unknown chunk",
        "No header or tool that we know describes this id. Engines skip it, and so does everything else.",
    ),
    Rule::reader(
        "W3D-PART-002",
        Error,
        "docs/formats/w3d/framing.md#w3d-framing: engines copy whole records from disk",
        "a chunk is shorter than its record",
        "Engines read the whole record, and so read the missing bytes from what follows.",
    ),
    Rule::reader(
        "W3D-PART-003",
        Warning,
        "docs/formats/w3d/framing.md#chunk-headers: not exactly consumed",
        "trailing bytes after the last whole element",
        "The chunk's length is not a multiple of its elements. Engines ignore the rest; often a size or count is wrong.",
    ),
    Rule::reader(
        "W3D-PART-004",
        Warning,
        "docs/formats/w3d/framing.md#micro-chunks",
        "a container could not be split into chunks",
        "The chunk should contain others, but its bytes are not chunks, or it is nested too deeply.",
    ),
    Rule::reader(
        "W3D-PART-005",
        Error,
        "docs/formats/w3d/framing.md#chunk-headers: counts in headers",
        "a chunk has fewer elements than its header says",
        "Engines use the count, and so read the missing elements from what follows.",
    ),
    Rule::reader(
        "RECORD-SIZE",
        Error,
        "micro-chunks hold 255 bytes, chunks 2 GiB",
        "a part is too large for its size field",
        "Micro-chunks of W3D hold at most 255 bytes, chunks at most 2 GiB, MDX chunks at most 4 GiB. Shorten the text or split the part.",
    ),
    Rule::reader(
        "JSON-SYNTAX",
        Error,
        "the text form",
        "invalid JSON",
        "The text form could not be read because it is not valid JSON. The message says where.",
    ),
    Rule::reader(
        "JSON-CONTENT",
        Error,
        "the text form",
        "JSON that is not a document",
        "The text form is JSON but does not describe a document: a name, a type or a range is wrong. The message says where.",
    ),
    Rule::reader(
        "MDL-SYNTAX-001",
        Error,
        "the grammar of MDL",
        "unexpected text",
        "The reader expected another character or word; the message says which. It continues with the next item.",
    ),
    Rule::reader(
        "MDL-SYNTAX-002",
        Error,
        "the grammar of MDL",
        "unclosed block",
        "The closing brace of a block is missing. Everything that follows is read as a part of it.",
    ),
    Rule::reader(
        "MDL-SYNTAX-003",
        Error,
        "the grammar of MDL",
        "unclosed string",
        "The closing quote of a string is missing. Everything that follows is read as a part of it.",
    ),
    Rule::reader(
        "MDL-SYNTAX-004",
        Error,
        "the grammar of MDL",
        "unmatched closing brace",
        "No block is open here. A brace before it closed one too early, or this one is superfluous.",
    ),
    Rule::reader(
        "MDL-WORD-001",
        Warning,
        "the grammar of MDL",
        "unknown block or item",
        "No tool that we know writes this word here; it is ignored. Check its spelling.",
    ),
    Rule::reader(
        "MDL-WORD-002",
        Warning,
        "the grammar of MDL",
        "unknown item for this version",
        "The format version of the text does not have this item; it is ignored. Raise the version, or remove the item.",
    ),
    Rule::reader(
        "MDL-WORD-003",
        Error,
        "the grammar of MDL",
        "a misspelt word",
        "The word of a block or item is almost one that exists. The text is not read, because what the item says would be lost. Correct its \
         spelling.",
    ),
    Rule::reader(
        "MDL-WORD-004",
        Error,
        "the grammar of MDL",
        "a block or item is there twice",
        "A model has one version and one `Model` block. Readers take the first or the last. Remove the wrong one.",
    ),
    Rule::reader(
        "MDL-VALUE-001",
        Error,
        "the grammar of MDL",
        "a number is invalid or too large",
        "The text is not a number, or the number is larger than its field in a model.",
    ),
    Rule::reader(
        "MDL-VALUE-002",
        Warning,
        "the grammar of MDL; 25 published models",
        "a string is too long for MDX",
        "In MDX names have 79 characters at most, paths 259. A longer one is truncated when MDX is written. Choose a shorter name.",
    ),
    Rule::reader(
        "MDL-VALUE-003",
        Error,
        "the grammar of MDL",
        "a vector has the wrong length",
        "There are more or fewer numbers between the braces than there should be.",
    ),
    Rule::reader(
        "MDL-VALUE-004",
        Error,
        "the grammar of MDL",
        "unknown value",
        "The item takes one of a few words, and this is not one of them.",
    ),
    Rule::reader(
        "MDL-TEXT-001",
        Warning,
        "the grammar of MDL",
        "text outside of blocks",
        "There is text between or after the blocks. It is ignored.",
    ),
    Rule::reader(
        "MDL-KEEP-001",
        Info,
        "the grammar of MDL",
        "an outdated entry in the comments",
        "The comments at the end preserve data that MDL cannot express. The part of this entry was edited, so the entry is ignored.",
    ),
    Rule::reader(
        "MDX-MAGIC",
        Error,
        "the first four bytes",
        "this is not an MDX file",
        "The file does not start with `MDLX`. It may be MDL text, or have another format.",
    ),
    Rule::reader(
        "MDX-FILE-001",
        Error,
        "record::transfer",
        "damaged by a transfer in text mode",
        "Every line feed has a carriage return before it: a program treated the file as text. All sizes after the first such pair are wrong, and \
         the game refuses the model. Get the file again in binary mode. The repair removes the inserted bytes where the result is a whole \
         file.",
    )
    .repaired(Repair::mdx("removes the inserted carriage returns", fix::mdx_text_mode).restoring()),
    Rule::reader(
        "MDX-FILE-002",
        Error,
        "record::transfer: binary files are rarely valid UTF-8",
        "damaged by a program that saved it as UTF-8",
        SAVED_AS_UTF8,
    )
    .repaired(Repair::mdx("turns UTF-8 back into bytes", fix::mdx_utf8).restoring()),
    Rule::reader(
        "MDX-FRAME-001",
        Error,
        "docs/formats/mdx/framing.md#faults-in-published-files: three files leave a light's tracks out of its sizes",
        "a size field is wrong",
        "Readers use the size of each chunk and object. If it is wrong, what follows is read from the wrong place, and the game refuses the model. The \
         repair corrects a size where the file shows what it was: the part is complete, or the chunks after it fit together again. A size that \
         is too large at the end of the file means that the file was truncated: get it again. If chunks are out of step, nothing is changed.",
    )
    .repaired(Repair::mdx("corrects sizes where the file shows what they were", fix::mdx_sizes).restoring()),
    Rule::reader(
        "MDX-FRAME-002",
        Error,
        "docs/formats/mdx/framing.md#faults-in-published-files: deliberate overflows crash readers",
        "a count is too large",
        "A count of elements, keys or objects is larger than what follows, and the game reads beyond it. The repair lowers the count if the part is \
         complete. At the end of the file it was truncated: get it again.",
    )
    .repaired(Repair::mdx("lowers counts of complete parts", fix::mdx_sizes).restoring()),
    Rule::reader(
        "MDX-FRAME-003",
        Error,
        "the chunks of a file start with a tag of four letters",
        "not a chunk",
        "The size of the chunk before is wrong, or bytes were lost or inserted. The game refuses the model. Get the file again.",
    ),
    Rule::reader(
        "MDX-FRAME-010",
        Warning,
        "docs/formats/mdx/framing.md#faults-in-published-files: no published file has such bytes",
        "trailing bytes after the last part",
        "The rest is not a whole part. At the end of the file the game ignores it; elsewhere a size is wrong.",
    ),
    Rule::reader(
        "MDX-PART-001",
        Info,
        "docs/formats/mdx/framing.md#chunks: the client warns and skips",
        "unknown chunk or track",
        "The game skips unknown chunks. Other tools refuse models with an unknown track.",
    ),
    Rule::reader(
        "MDX-PART-002",
        Error,
        "docs/formats/mdx/framing.md#objects: fixed parts",
        "a part is shorter than its record",
        "The game reads the whole record, and so reads the missing bytes from what follows.",
    ),
    Rule::reader(
        "MDX-PART-003",
        Warning,
        "docs/formats/mdx/framing.md#objects",
        "trailing bytes after the last whole element",
        "The part's length is not a multiple of its elements: a size is wrong, or the layout is of another version.",
    ),
    Rule::reader(
        "MDX-PART-004",
        Warning,
        "docs/formats/mdx/framing.md#objects",
        "a part could not be split",
        "The part should contain others, but its bytes do not have their layout.",
    ),
    Rule::reader(
        "MDX-COUNT-001",
        Warning,
        "docs/formats/mdx/wow-alpha.md#layout; BPOS; layers from version 1100 on",
        "a count differs from what is there",
        "The part states how many others follow, and the client uses that count. The repair raises a count that is too small. One that is \
         too large is lowered only by `--fix=all`: something may be missing.",
    )
    .repaired(Repair::mdx("raises counts to what is there", fix::mdx_counts)),
    Rule::reader(
        "W3X-XML-001",
        Error,
        "XML",
        "the text is not XML",
        "The compiler of the game refuses the file. Something was cut off, or was edited by hand with a mistake: a missing quote, `<` in a text, an end tag without a start.",
    ),
    Rule::reader(
        "W3X-XML-002",
        Error,
        "XML",
        "an element has no end",
        "The compiler of the game refuses the file. Add the end tag, or get the file again if it was cut off.",
    ),
    Rule::reader(
        "W3X-XML-003",
        Error,
        "XML",
        "an attribute is given twice",
        "The compiler of the game refuses the file. Remove one of them.",
    ),
    Rule::reader(
        "W3X-XML-004",
        Error,
        "AssetTypeW3D.xsd of the games",
        "the root is not one AssetDeclaration",
        "Every file of the game has one root element, `AssetDeclaration`, with all assets in it.",
    ),
    Rule::reader(
        "W3X-XML-005",
        Warning,
        "AssetTypeW3D.xsd of the games",
        "there is text between elements",
        "Nothing reads it. It may be the rest of a tag that was deleted in part.",
    ),
    Rule::reader(
        "W3X-PART-001",
        Info,
        "AssetTypeW3D.xsd of the games",
        "an element is unknown",
        "The compiler of the game refuses elements that its schema does not have. They are kept.",
    ),
    Rule::reader(
        "W3X-PART-002",
        Info,
        "AssetTypeW3D.xsd of the games; one published file has such an attribute",
        "an attribute is unknown",
        "The compiler of the game refuses attributes that its schema does not have. They are kept.",
    ),
    Rule::reader(
        "W3X-PART-003",
        Error,
        "real files nest 6 deep and have at most 20,000 parts",
        "nested too deep, or too many parts",
        "The rest of the file is kept as text. It was not written by a tool of the game.",
    ),
];
