import { type Call, has, type Judged, use, valuesOf } from "../known-program.ts"
import { type Argument, plainArgument } from "../resolve-word.ts"
import { touch } from "../scene.ts"
import { behindLinks } from "./coreutils.ts"
import { readSedScript } from "./sed-script.ts"

const here = plainArgument(".")

/** Programs that search, compare and change texts, by what depends on more than one word. */
export const searching: Readonly<Record<string, Judged>> = {
  grep,
  egrep: grep,
  fgrep: grep,
  rg: (call) => {
    const given = has(call, "-e", "--regexp", "-f", "--file", "--files", "--type-list", "--pcre2-version")
    const files = call.operands.slice(given ? 0 : 1)
    if (!has(call, "--type-list", "--pcre2-version", "-V", "--version", "-h", "--help"))
      for (const word of files.length > 0 ? files : [here])
        touch(call.scene, "read", word, call.state, "below")
    if (has(call, "-L", "--follow")) behindLinks(call, "read", files.length > 0 ? files : [here])
  },
  diff: (call) => {
    if (!has(call, "--no-dereference"))
      behindLinks(call, "read", [...call.operands, ...valuesOf(call, "--from-file", "--to-file")])
  },
  sed,
  awk,
  mawk: awk,
  gawk: awk,
  strings: (call) => {
    for (const word of call.operands)
      use(
        call,
        word.value?.startsWith("@") === false || word.pattern !== undefined ? "read" : "unclear",
        word,
        "strings",
      )
  },
  less: (call) => {
    // Behind a number, or a text that ends with a dollar sign, more options may follow in the same word.
    if (
      valuesOf(call, "-x", "-z", "-b", "-h", "-j", "-y").some(
        ({ value }) => !/^[-.,0-9]+$/.test(value ?? ""),
      ) ||
      valuesOf(call, "-p", "-P").some(({ value }) => value?.includes("$") !== false)
    )
      call.scene.found.unclear("less may take the rest of a value for options")
    for (const word of call.operands)
      if (word.value?.startsWith("+")) call.scene.found.unclear("less can run commands")
      else use(call, "read", word, "less")
  },
  tree: (call) => {
    const folders = call.operands.length > 0 ? call.operands : [here]
    if (!has(call, "--help", "--version")) for (const word of folders) use(call, "read-below", word, "tree")
    if (has(call, "-l")) behindLinks(call, "read", folders)
  },
  man: (call) => {
    for (const word of call.operands)
      if (has(call, "-l", "--local-file") || word.value === undefined || word.value.includes("/"))
        use(call, "read", word, "man")
  },
}

/** A pattern, then files; with none of them its input, or what lies here. */
function grep(call: Call): void {
  const recursive =
    has(call, "-r", "--recursive", "-R", "--dereference-recursive") ||
    valuesOf(call, "-d", "--directories").some(
      ({ value }) => value === undefined || "recurse".startsWith(value),
    )
  const given = has(call, "-e", "--regexp", "-f", "--file")
  const files = call.operands.slice(given ? 0 : 1)
  if (files.length === 0 && recursive) touch(call.scene, "read", here, call.state, "below")
  for (const word of files) touch(call.scene, "read", word, call.state, recursive ? "below" : "itself")
  if (has(call, "-R", "--dereference-recursive")) behindLinks(call, "read", files.length > 0 ? files : [here])
}

function sed(call: Call): void {
  const { scene, state, operands } = call
  const expressions = valuesOf(call, "-e", "--expression")
  const given = expressions.length > 0 || has(call, "-f", "--file")
  const scripts = given ? expressions : operands.slice(0, 1)
  const script = scripts.every(({ value }) => value !== undefined)
    ? readSedScript(scripts.map(({ value }) => value).join("\n"))
    : undefined
  if (script) {
    for (const file of script.reads) touch(scene, "read", plainArgument(file), state)
    for (const file of script.writes) touch(scene, "write", plainArgument(file), state)
  } else if (!has(call, "--help", "--version") && !has(call, "--sandbox"))
    scene.found.unclear("a sed script can run commands and write files")
  const inPlace = has(call, "-i", "--in-place")
  const suffixes = valuesOf(call, "-i", "--in-place").map(({ value }) => value ?? "/")
  if (suffixes.some((suffix) => /[/*]/.test(suffix)))
    scene.found.unclear("sed keeps what was there wherever an option says")
  for (const word of operands.slice(given ? 0 : 1)) {
    touch(scene, "read", word, state)
    if (inPlace) touch(scene, "write", word, state)
    for (const suffix of suffixes)
      if (word.value !== undefined) touch(scene, "write", plainArgument(word.value + suffix), state)
  }
}

function awk(call: Call): void {
  const given = has(call, "-f")
  const [program, ...files] = given ? [undefined, ...call.operands] : call.operands
  const isPlain =
    program?.value !== undefined && !/system|getline|close|ARG[VC]|SYMTAB|FUNCTAB|[|>@]/.test(program.value)
  if (!given && !isPlain) call.scene.found.unclear("an awk program can run commands and write files")
  for (const file of files as readonly Argument[])
    if (!/^[A-Za-z_]\w*=/.test(file.value ?? "")) touch(call.scene, "read", file, call.state)
}
