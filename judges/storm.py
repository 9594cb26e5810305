"""`storm.py ARCHIVE FOLDER`: StormLib reads every member of an MPQ archive into FOLDER/0, FOLDER/1 and so on, and prints their names in
that order. Exit code 3 if StormLib is not installed (on Debian: libstorm9)."""

import ctypes
import ctypes.util
import pathlib
import sys

WORD = ctypes.c_uint32
HANDLE = ctypes.c_void_p


class FindData(ctypes.Structure):
    """SFILE_FIND_DATA."""

    _fields_ = [("name", ctypes.c_char * 1024), ("plain", ctypes.c_char_p)] + [
        (name, WORD) for name in ("hash", "block", "size", "flags", "packed", "low", "high", "locale")
    ]


def load():
    name = ctypes.util.find_library("storm") or "libstorm.so.9"
    try:
        storm = ctypes.CDLL(name)
    except OSError:
        sys.exit(3)
    pointer = ctypes.POINTER
    storm.SFileOpenArchive.argtypes = [ctypes.c_char_p, WORD, WORD, pointer(HANDLE)]
    storm.SFileFindFirstFile.argtypes = [HANDLE, ctypes.c_char_p, pointer(FindData), ctypes.c_char_p]
    storm.SFileFindFirstFile.restype = HANDLE
    storm.SFileFindNextFile.argtypes = [HANDLE, pointer(FindData)]
    storm.SFileOpenFileEx.argtypes = [HANDLE, ctypes.c_char_p, WORD, pointer(HANDLE)]
    storm.SFileGetFileSize.argtypes = [HANDLE, pointer(WORD)]
    storm.SFileGetFileSize.restype = WORD
    storm.SFileReadFile.argtypes = [HANDLE, ctypes.c_char_p, WORD, pointer(WORD), ctypes.c_void_p]
    for function in ("OpenArchive", "FindNextFile", "OpenFileEx", "ReadFile"):
        getattr(storm, "SFile" + function).restype = ctypes.c_bool
    return storm


def main(archive, folder):
    storm = load()
    handle = HANDLE()
    if not storm.SFileOpenArchive(archive.encode(), 0, 0x100, ctypes.byref(handle)):
        sys.exit(f"{archive}: StormLib does not open it")
    names = []
    found = FindData()
    search = storm.SFileFindFirstFile(handle, b"*", ctypes.byref(found), None)
    more = bool(search)
    while more:
        names.append(found.name)
        more = storm.SFileFindNextFile(search, ctypes.byref(found))
    number = 0
    for name in names:
        file, read = HANDLE(), WORD()
        if not storm.SFileOpenFileEx(handle, name, 0, ctypes.byref(file)):
            continue
        size = storm.SFileGetFileSize(file, None)
        buffer = ctypes.create_string_buffer(max(size, 1))
        storm.SFileReadFile(file, buffer, size, ctypes.byref(read), None)
        if read.value != size:
            continue
        (pathlib.Path(folder) / str(number)).write_bytes(buffer.raw[:size])
        print(name.decode("latin-1"))
        number += 1


main(*sys.argv[1:])
