"""Writes manual pages from what a program says of its commands (--experimental-dump-help of swift-argument-parser).

    manual.py FOLDER VERSION SECONDS DUMP...

One page for each command; SECONDS, since 1970, is the date that they bear. `daybook verify` has none of its own: it would have the name of
daybook-verify, which takes the same options and whose page says so.
"""

import json
import os
import sys
import time


def escaped(text):
    """A text as roff takes it: nothing in it is a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def spelled(name):
    return ("-" if name["kind"] == "short" else "--") + name["name"]


def heading(argument):
    """How an argument is written on the command line."""
    value = "\\fI" + escaped(argument["valueName"]) + "\\fR"
    if argument["kind"] == "positional":
        return value + (" ..." if argument.get("isRepeating") else "")
    names = ", ".join("\\fB" + escaped(spelled(name)) + "\\fR" for name in argument["names"])
    return names + (" " + value if argument["kind"] == "option" else "")


def in_synopsis(argument):
    if argument["kind"] == "positional":
        text = "\\fI" + escaped(argument["valueName"]) + "\\fR"
    else:
        text = "\\fB" + escaped(spelled(argument["preferredName"])) + "\\fR"
        if argument["kind"] == "option":
            text += " \\fI" + escaped(argument["valueName"]) + "\\fR"
    if argument.get("isOptional"):
        text = "[" + text + "]"
    return text + (" ..." if argument.get("isRepeating") else "")


def told(argument):
    """What is said of an argument, with its values and its default."""
    text = argument.get("abstract") or ""
    if argument.get("allValues"):
        text += " (values: " + ", ".join(argument["allValues"]) + ")"
    if argument.get("defaultValue"):
        text += " (default: " + argument["defaultValue"] + ")"
    return text.strip()


def paragraphs(text):
    """A discussion: what is indented stays as it is, everything else flows."""
    inside = False
    for line in text.split("\n"):
        if line.startswith("  ") and not inside:
            yield ".PP\n.nf\n.RS 4"
            inside = True
        if inside and line and not line.startswith("  "):
            yield ".RE\n.fi\n.PP"
            inside = False
        if line:
            yield escaped(line[2:] if inside else line)
        elif not inside:
            yield ".PP"
    if inside:
        yield ".RE\n.fi"


def visible(things):
    return [thing for thing in things or [] if thing.get("shouldDisplay", True)]


def page(words, command, version, date, beside):
    name = "-".join(words)
    arguments = visible(command.get("arguments"))
    inner = visible(command.get("subcommands"))
    lines = [
        '.\\" Made from what the program says of itself.',
        f'.TH "{name.upper()}" "1" "{date}" "{words[0]} {version}" "Daybook"',
        ".SH NAME",
        escaped(name) + " \\- " + escaped((command.get("abstract") or name).rstrip(".")),
        ".SH SYNOPSIS",
        "\\fB" + escaped(" ".join(words)) + "\\fR " + " ".join(in_synopsis(argument) for argument in arguments),
    ]
    if inner:
        lines += [".PP", "\\fB" + escaped(" ".join(words)) + "\\fR \\fIcommand\\fR"]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", *paragraphs(command["discussion"])]
    if name == "daybook-verify":
        lines += [".PP", escaped("daybook verify is the same as a part of daybook(1), with the same options.")]
    if inner:
        lines.append(".SH COMMANDS")
        for each in inner:
            lines += [".TP", "\\fB" + escaped(each["commandName"]) + "\\fR", escaped(each.get("abstract") or "")]
    if arguments:
        lines.append(".SH OPTIONS")
        for argument in arguments:
            lines += [".TP", heading(argument), escaped(told(argument))]
    lines += [
        ".SH EXIT STATUS",
        "0 if it did what was asked, 1 if something failed or a proof does not hold, 64 if the command line is not understood.",
    ]
    others = sorted(beside - {name})
    if others:
        lines += [".SH SEE ALSO", ",\n".join("\\fB" + escaped(other) + "\\fR(1)" for other in others)]
    return "\n".join(lines) + "\n"


def walk(words, command):
    """Each command with the words that call it."""
    yield words, command
    for inner in visible(command.get("subcommands")):
        if inner["commandName"] != "help":
            yield from walk(words + [inner["commandName"]], inner)


def main():
    folder, version, seconds = sys.argv[1:4]
    date = time.strftime("%Y-%m-%d", time.gmtime(int(seconds)))
    pages = {}
    for path in sys.argv[4:]:
        with open(path, encoding="utf-8") as file:
            command = json.load(file)["command"]
        for words, found in walk([command["commandName"]], command):
            if words != ["daybook", "verify"]:
                pages["-".join(words)] = (words, found)
    for name, (words, command) in pages.items():
        # Its commands, the one that it belongs to, and for the first ones all programs.
        inner = {"-".join(words + [each["commandName"]]) for each in visible(command.get("subcommands"))}
        beside = (inner & pages.keys()) | {"-".join(words[:-1]) or "daybook", "daybook-verify" if len(words) == 1 else words[0]}
        with open(os.path.join(folder, name + ".1"), "w", encoding="utf-8") as file:
            file.write(page(words, command, version, date, beside))
    print(len(pages))


main()
