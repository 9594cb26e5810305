//! Codes that readers and writers report by themselves, with their explanations.

use record::Severity::{Error, Info, Warning};

use crate::fix::{self, Repair};
use crate::rule::Rule;

pub(crate) static RULES: &[Rule] = &[
    Rule::reader(
        "W3D-FILE-001",
        Warning,
        "BFME II ships nine such files",
        "the file is empty",
        "An engine that loads it finds nothing: models that refer to it stay invisible. Export the file again, or delete it.",
    ),
    Rule::reader(
        "W3D-FILE-002",
        Error,
        "Shockwave 3D uses the same extension",
        "this is a Shockwave 3D file",
        "It only shares the extension `.w3d`. No Westwood engine reads it.",
    ),
    Rule::reader(
        "W3D-FILE-003",
        Error,
        "first bytes of other formats",
        "this is a file of another format",
        "The first bytes are those of another format. Check how the file got its name.",
    ),
    Rule::reader(
        "W3D-FILE-004",
        Error,
        "chunkio.h: a header has 8 bytes",
        "too short for a chunk",
        "A W3D file starts with a chunk header of eight bytes. The file was cut off, or is no W3D file.",
    ),
    Rule::reader(
        "W3D-FILE-005",
        Error,
        "Warcraft III keeps doodads in war3map.w3d",
        "this is Warcraft III doodad data",
        "`war3map.w3d` only shares the extension; a map editor reads it.",
    ),
    Rule::reader(
        "W3D-FILE-006",
        Error,
        "the chunk table",
        "no W3D file",
        "The first chunk is none that a file starts with, and the rest does not divide into chunks.",
    ),
    Rule::reader(
        "W3D-FILE-007",
        Error,
        "errata 2.0: five Zero Hour files were shipped like this",
        "damaged by a transfer in text mode",
        "Every line feed has a carriage return before it: a program took the file for text. All sizes after the first such pair are \
         wrong, so engines read garbage. Get the file again in binary mode; the repair removes the inserted bytes where the result is \
         a whole file.",
    )
    .repaired(Repair::w3d("removes the inserted carriage returns", fix::text_mode).restoring()),
    Rule::reader(
        "W3D-FILE-008",
        Error,
        "record::transfer: binary files are hardly ever valid UTF-8",
        "damaged by a program that saved it as UTF-8",
        "A program read the file as text and wrote it as UTF-8: each byte from 0x80 on became two or three bytes, or was replaced by a mark \
         that stands for all of them. Get the file again. The repair turns characters back into bytes where none was replaced and the \
         result is a whole file.",
    )
    .repaired(Repair::w3d("turns UTF-8 back into bytes", fix::utf8).restoring()),
    Rule::reader(
        "W3D-FRAME-001",
        Error,
        "errata 3, framing",
        "a size does not fit what is there",
        "A chunk declares more bytes than there are. Engines read beyond it into what follows, or fail. The file was cut off or damaged: \
         get it again. With `--fix=all` the size is lowered to what is there, which lets tools open the rest but hides the damage.",
    )
    .repaired(Repair::w3d("lowers sizes to what is there", fix::sizes).all()),
    Rule::reader(
        "W3D-FRAME-004",
        Warning,
        "chunkio.cpp: Open_Chunk; 49 published BFME II models",
        "a size field is too small for the chunks inside",
        "The last child of the chunk ends after the chunk itself, and the file goes on as it should after the child. Engines go by the size of \
         the child, so the game shows everything. Some tools lose what lies beyond the size. The repair enlarges the size.",
    )
    .repaired(Repair::w3d("enlarges sizes that are too small", fix::sizes).restoring()),
    Rule::reader(
        "W3D-FRAME-002",
        Info,
        "errata 2.0: the bit was introduced on 24 September 1999",
        "a container does not say that it holds chunks",
        "Files from before September 1999 and some converters leave the top bit of the size clear. Engines do not look at it; some tools do. \
         The repair sets the bit.",
    )
    .repaired(Repair::w3d("sets the container bit", fix::container_bits)),
    Rule::reader(
        "W3D-FRAME-003",
        Info,
        "errata 2.0: strings of BFME II",
        "a leaf says that it holds chunks",
        "BFME II sets the top bit of some strings' sizes. Engines do not look at it; some tools then take the text for chunks. The repair \
         clears the bit.",
    )
    .repaired(Repair::w3d("clears the container bit", fix::container_bits)),
    Rule::reader(
        "W3D-FRAME-010",
        Warning,
        "errata 3, framing",
        "bytes left over after the last chunk",
        "What remains is no whole chunk. Engines ignore a few bytes at the end of the file; inside a chunk it means that a size is wrong.",
    ),
    Rule::reader(
        "W3D-PART-001",
        Info,
        "errata 3, framing",
        "unknown chunk",
        "No header or tool that we know describes this id. Engines skip it, and so does everything else.",
    ),
    Rule::reader(
        "W3D-PART-002",
        Error,
        "errata 2: engines copy whole records from disk",
        "a chunk is shorter than its record",
        "Engines read the whole record and so take the missing bytes from what follows.",
    ),
    Rule::reader(
        "W3D-PART-003",
        Warning,
        "errata 3: not exactly consumed",
        "bytes left over after the last whole element",
        "The chunk's length is no multiple of its elements. Engines ignore the rest; more often a size or count is wrong.",
    ),
    Rule::reader(
        "W3D-PART-004",
        Warning,
        "errata 2.0",
        "a container could not be divided",
        "The chunk should hold others, but its bytes are none, or it is nested too deeply to be read.",
    ),
    Rule::reader(
        "W3D-PART-005",
        Error,
        "errata 2: counts in headers",
        "a chunk holds fewer elements than its header says",
        "Engines go by the count and so take the missing elements from what follows.",
    ),
    Rule::reader(
        "RECORD-SIZE",
        Error,
        "micro-chunks hold 255 bytes, chunks 2 GiB",
        "a part has grown beyond its size word",
        "Micro-chunks of W3D hold at most 255 bytes, chunks at most 2 GiB, MDX chunks at most 4 GiB. Shorten the text or split the part.",
    ),
    Rule::reader(
        "JSON-SYNTAX",
        Error,
        "the text form",
        "no JSON",
        "The text form could not be read because it is no JSON. The message says where.",
    ),
    Rule::reader(
        "JSON-CONTENT",
        Error,
        "the text form",
        "JSON that is no document",
        "The text form is JSON but does not describe a document: a name, a type or a range is wrong. The message says where.",
    ),
    Rule::reader(
        "MDL-SYNTAX-001",
        Error,
        "the grammar of MDL",
        "something else should stand here",
        "The reader expected another sign or word; the message says which. It goes on with the next item.",
    ),
    Rule::reader(
        "MDL-SYNTAX-002",
        Error,
        "the grammar of MDL",
        "a block does not end",
        "The closing brace of a block is missing. All that follows is taken for a part of it.",
    ),
    Rule::reader(
        "MDL-SYNTAX-003",
        Error,
        "the grammar of MDL",
        "a string does not end",
        "The closing quote of a string is missing. All that follows is taken for a part of it.",
    ),
    Rule::reader(
        "MDL-SYNTAX-004",
        Error,
        "the grammar of MDL",
        "a closing brace too many",
        "No block is open here. A brace before it closed one too early, or this one is left over.",
    ),
    Rule::reader(
        "MDL-WORD-001",
        Warning,
        "the grammar of MDL",
        "there is no such block or item",
        "No tool that we know writes this word here; it is ignored. Check its spelling.",
    ),
    Rule::reader(
        "MDL-WORD-002",
        Warning,
        "the grammar of MDL",
        "the version has no such item",
        "The format version of the text has no place for this; it is ignored. Raise the version, or remove the item.",
    ),
    Rule::reader(
        "MDL-VALUE-001",
        Error,
        "the grammar of MDL",
        "a number does not fit",
        "The number is none, or is larger than its place in a model can hold.",
    ),
    Rule::reader(
        "MDL-VALUE-002",
        Warning,
        "the grammar of MDL; 25 published models",
        "a string is too long for MDX",
        "In MDX names have 79 characters at most, paths 259. A longer one is cut off when MDX is written. Choose a shorter name.",
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
        "a word is none of those that can stand here",
        "The item takes one of a few words, and this is none of them.",
    ),
    Rule::reader(
        "MDL-TEXT-001",
        Warning,
        "the grammar of MDL",
        "text that belongs to no block",
        "Something stands between or after the blocks. The game ignores it, and so do we.",
    ),
    Rule::reader(
        "MDL-KEEP-001",
        Info,
        "the grammar of MDL",
        "an entry of the comments has lapsed",
        "The comments at the end keep what MDL cannot say. The part that this entry belongs to was edited, so it no longer counts.",
    ),
    Rule::reader(
        "MDX-MAGIC",
        Error,
        "the first four bytes",
        "no MDX file",
        "The file does not start with `MDLX`. It may be MDL text, or of another format.",
    ),
    Rule::reader(
        "MDX-FILE-001",
        Error,
        "record::transfer",
        "damaged by a transfer in text mode",
        "Every line feed has a carriage return before it: a program took the file for text. All sizes after the first such pair are wrong, and \
         the game refuses the model. Get the file again in binary mode. The repair removes the inserted bytes where the result is a whole \
         file.",
    )
    .repaired(Repair::mdx("removes the inserted carriage returns", fix::mdx_text_mode).restoring()),
    Rule::reader(
        "MDX-FILE-002",
        Error,
        "record::transfer: binary files are hardly ever valid UTF-8",
        "damaged by a program that saved it as UTF-8",
        "A program read the file as text and wrote it as UTF-8: each byte from 0x80 on became two or three bytes, or was replaced by a mark \
         that stands for all of them. Get the file again. The repair turns characters back into bytes where none was replaced and the \
         result is a whole file.",
    )
    .repaired(Repair::mdx("turns UTF-8 back into bytes", fix::mdx_utf8).restoring()),
    Rule::reader(
        "MDX-FRAME-001",
        Error,
        "evidence 0.2: three files leave a light's tracks out of its sizes",
        "a size does not fit what is there",
        "Readers go by the size of each chunk and object. What a size leaves out is taken for the next object, and the game refuses the model; \
         the repair enlarges such a size. A size that is too large means that the file was cut off or damaged: get it again. With `--fix=all` \
         it is lowered to what is there, which hides the damage.",
    )
    .repaired(Repair::mdx("enlarges sizes that are too small", fix::mdx_sizes).restoring()),
    Rule::reader(
        "MDX-FRAME-002",
        Error,
        "evidence 0.2: deliberate overflows crash readers",
        "a count does not fit what is there",
        "A count of elements, keys or objects is larger than what follows, and the game reads beyond it. The file was cut off or damaged: get \
         it again. With `--fix=all` the count is lowered to what is there, which hides the damage.",
    )
    .repaired(Repair::mdx("lowers counts to what is there", fix::mdx_sizes).all()),
    Rule::reader(
        "MDX-FRAME-003",
        Error,
        "the chunks of a file start with a tag of four letters",
        "something other than a chunk starts here",
        "The size of the chunk before is wrong, or bytes were lost or inserted. The game refuses the model. Get the file again.",
    ),
    Rule::reader(
        "MDX-FRAME-010",
        Warning,
        "evidence 0.2: no published file has such bytes",
        "bytes left over after the last part",
        "What remains is no whole part of what is above it. At the end of the file the game ignores it; elsewhere a size is wrong.",
    ),
    Rule::reader(
        "MDX-PART-001",
        Info,
        "errata 2.1: the client warns and skips",
        "unknown chunk or track",
        "The game skips chunks that it does not know. An unknown track makes other tools give up.",
    ),
    Rule::reader(
        "MDX-PART-002",
        Error,
        "errata 2: fixed parts",
        "a part is shorter than its record",
        "The game reads the whole record and so takes the missing bytes from what follows.",
    ),
    Rule::reader(
        "MDX-PART-003",
        Warning,
        "errata 2",
        "bytes left over after the last whole element",
        "The part's length is no multiple of its elements: a size is wrong, or a version's layout is not what the file says.",
    ),
    Rule::reader(
        "MDX-PART-004",
        Warning,
        "errata 2",
        "a part could not be divided",
        "The part should hold others, but its bytes are none.",
    ),
    Rule::reader(
        "MDX-COUNT-001",
        Warning,
        "WoW alpha errata; BPOS; layers from version 1100 on",
        "a count differs from what is there",
        "The part states how many others follow, and the client goes by that count. The repair raises a count that is too small. One that is \
         too large is lowered only by `--fix=all`: something may be missing.",
    )
    .repaired(Repair::mdx("raises counts to what is there", fix::mdx_counts)),
];
