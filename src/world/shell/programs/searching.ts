import { type CallJudge, hasOption, listOptionValues, type ProgramCall, reportUse } from "../known-program.ts"
import { makePlainArgument, type ShellArgument } from "../resolve-word.ts"
import { reportAccess } from "../scene.ts"
import { reportBehindLinks } from "./coreutils.ts"
import { readSedScript } from "./sed-script.ts"

const here = makePlainArgument(".")

/** Programs that search, compare and change texts: their effects that depend on more than one word. */
export const searchPrograms: Readonly<Record<string, CallJudge>> = {
  grep,
  egrep: grep,
  fgrep: grep,
  rg: (call) => {
    const hasPattern = hasOption(
      call,
      "-e",
      "--regexp",
      "-f",
      "--file",
      "--files",
      "--type-list",
      "--pcre2-version",
    )
    const files = call.operands.slice(hasPattern ? 0 : 1)
    if (!hasOption(call, "--type-list", "--pcre2-version", "-V", "--version", "-h", "--help"))
      for (const word of files.length > 0 ? files : [here])
        reportAccess(call.scene, "read", word, call.state, "below")
    if (hasOption(call, "-L", "--follow")) reportBehindLinks(call, "read", files.length > 0 ? files : [here])
  },
  diff: (call) => {
    if (!hasOption(call, "--no-dereference"))
      reportBehindLinks(call, "read", [
        ...call.operands,
        ...listOptionValues(call, "--from-file", "--to-file"),
      ])
  },
  sed,
  awk,
  mawk: awk,
  gawk: awk,
  strings: (call) => {
    for (const word of call.operands)
      reportUse(
        call,
        word.value?.startsWith("@") === false || word.pattern !== undefined ? "read" : "unclear",
        word,
        "strings",
      )
  },
  less: (call) => {
    // Behind a number, or a text that ends with a dollar sign, more options may follow in the same word.
    if (
      listOptionValues(call, "-x", "-z", "-b", "-h", "-j", "-y").some(
        ({ value }) => !/^[-.,0-9]+$/.test(value ?? ""),
      ) ||
      listOptionValues(call, "-p", "-P").some(({ value }) => value?.includes("$") !== false)
    )
      call.scene.findings.addUnclear("less may read the rest of a value as options")
    for (const word of call.operands)
      if (word.value?.startsWith("+")) call.scene.findings.addUnclear("less can run commands")
      else reportUse(call, "read", word, "less")
  },
  tree: (call) => {
    const folders = call.operands.length > 0 ? call.operands : [here]
    if (!hasOption(call, "--help", "--version"))
      for (const word of folders) reportUse(call, "read-below", word, "tree")
    if (hasOption(call, "-l")) reportBehindLinks(call, "read", folders)
  },
  man: (call) => {
    for (const word of call.operands)
      if (hasOption(call, "-l", "--local-file") || word.value === undefined || word.value.includes("/"))
        reportUse(call, "read", word, "man")
  },
}

/**
 * Takes a pattern and then files. Without files, grep reads its input, or the current folder if it is
 * recursive.
 */
function grep(call: ProgramCall): void {
  const recursive =
    hasOption(call, "-r", "--recursive", "-R", "--dereference-recursive") ||
    listOptionValues(call, "-d", "--directories").some(
      ({ value }) => value === undefined || "recurse".startsWith(value),
    )
  const hasPattern = hasOption(call, "-e", "--regexp", "-f", "--file")
  const files = call.operands.slice(hasPattern ? 0 : 1)
  if (files.length === 0 && recursive) reportAccess(call.scene, "read", here, call.state, "below")
  for (const word of files) reportAccess(call.scene, "read", word, call.state, recursive ? "below" : "itself")
  if (hasOption(call, "-R", "--dereference-recursive"))
    reportBehindLinks(call, "read", files.length > 0 ? files : [here])
}

function sed(call: ProgramCall): void {
  const { scene, state, operands } = call
  const expressions = listOptionValues(call, "-e", "--expression")
  const hasScript = expressions.length > 0 || hasOption(call, "-f", "--file")
  const scripts = hasScript ? expressions : operands.slice(0, 1)
  const script = scripts.every(({ value }) => value !== undefined)
    ? readSedScript(scripts.map(({ value }) => value).join("\n"))
    : undefined
  if (script) {
    for (const file of script.reads) reportAccess(scene, "read", makePlainArgument(file), state)
    for (const file of script.writes) reportAccess(scene, "write", makePlainArgument(file), state)
  } else if (!hasOption(call, "--help", "--version") && !hasOption(call, "--sandbox"))
    scene.findings.addUnclear("a sed script can run commands and write files")
  const inPlace = hasOption(call, "-i", "--in-place")
  const suffixes = listOptionValues(call, "-i", "--in-place").map(({ value }) => value ?? "/")
  if (suffixes.some((suffix) => /[/*]/.test(suffix)))
    scene.findings.addUnclear("an option decides where sed keeps backups")
  for (const word of operands.slice(hasScript ? 0 : 1)) {
    reportAccess(scene, "read", word, state)
    if (inPlace) reportAccess(scene, "write", word, state)
    for (const suffix of suffixes)
      if (word.value !== undefined)
        reportAccess(scene, "write", makePlainArgument(word.value + suffix), state)
  }
}

function awk(call: ProgramCall): void {
  const hasFile = hasOption(call, "-f")
  const [program, ...files] = hasFile ? [undefined, ...call.operands] : call.operands
  const isPlain =
    program?.value !== undefined && !/system|getline|close|ARG[VC]|SYMTAB|FUNCTAB|[|>@]/.test(program.value)
  if (!hasFile && !isPlain) call.scene.findings.addUnclear("an awk program can run commands and write files")
  for (const file of files as readonly ShellArgument[])
    if (!/^[A-Za-z_]\w*=/.test(file.value ?? "")) reportAccess(call.scene, "read", file, call.state)
}
