import { address } from "../address.ts"
import { isLong, readOptions, valuesOf } from "../options.ts"
import { type Argument, plainArgument } from "../resolve-word.ts"
import { type Program, type Scene, touch } from "../scene.ts"
import { type State, unchanged } from "../state.ts"
import { builtins } from "./builtins.ts"
import { gitReads } from "./git-reads.ts"
import { gitWrites } from "./git-writes.ts"

/** `git`: where it works, whom it talks to, and the many ways in which it runs other programs. */
export const git: Program = (scene, words, state) => {
  let inside = state
  let index = 0
  for (; index < words.length; index++) {
    const text = words[index]!.value ?? words[index]!.pattern ?? ""
    if (text === "-C") {
      const folder = words[++index]
      if (folder) touch(scene, "read", folder, inside, "below")
      if (folder) inside = builtins.cd!(scene, [folder], inside)!.success
    } else if (text === "-c") setting(scene, words[++index]?.value)
    else if (
      /^(?:--no-pager|-P|--no-replace-objects|--literal-pathspecs|--version|-v|--help|-h|--no-optional-locks|--html-path|--man-path|--info-path)$/.test(
        text,
      )
    )
      continue
    else if (text.startsWith("-")) {
      scene.found.unclear(`git ${text} can change which programs or settings git uses`)
      if (/^--(?:git-dir|work-tree|namespace|super-prefix|config-env|attr-source|shallow-file)$/.test(text))
        index++
    } else break
  }
  const verb = words[index]
  if (!verb) return undefined
  const rest = words.slice(index + 1)
  // Rules begin with the verb: `git -C x push` is a `git push`.
  if (index > 0)
    scene.found.alsoCalled(["git", ...words.slice(index).map(({ written }) => written)].join(" "))
  if (verb.value === undefined || !known.has(verb.value))
    scene.found.unclear(`git ${verb.written} may be an alias, or another program`)
  const runs = runsOthers(verb.value ?? "", rest)
  if (runs) scene.found.unclear(`git ${verb.written} ${runs} can run another program`)
  if (
    words.some((word) => word.pattern !== undefined && !/[^*?[]/.test(word.pattern)) &&
    !rest.some((word) => word.value === "--")
  )
    scene.found.unclear("a file's name may be an option of git")
  inner(scene, verb.value, rest, inside)
  remote(scene, verb.value, rest)
  made(scene, verb.value, rest, inside)
  gitReads(scene, verb.value, rest, inside)
  gitWrites(scene, verb.value, rest, inside)
  if (rest.some((word) => word.value === "--no-index"))
    for (const file of readOptions(rest).operands) touch(scene, "read", file, inside, "below")
  const options = readOptions(rest, { short: "o", long: ["output", "output-directory"] })
  for (const file of valuesOf(options, "--output", "--output-directory")) touch(scene, "write", file, inside)
  if (/^(?:archive|format-patch|bugreport)$/.test(verb.value ?? ""))
    for (const file of valuesOf(options, "-o")) touch(scene, "write", file, inside)
  return unchanged(state)
}

/** Settings that only change words and colours. */
function setting(scene: Scene, text: string | undefined): void {
  if (
    text === undefined ||
    !/^(?:user\.(?:name|email)|color\.[\w.]+|advice\.\w+|core\.(?:quotepath|autocrlf|abbrev)|init\.defaultbranch|diff\.(?:renames|algorithm|context)|log\.\w+|commit\.gpgsign|column\.\w+)=/i.test(
      text,
    )
  )
    scene.found.unclear(`git -c ${text ?? ""} can make git run other programs`)
}

function runsOthers(verb: string, words: readonly Argument[]): string | undefined {
  const texts = words.map((word) => word.value ?? word.pattern ?? "")
  const option = texts.find((text) => {
    const [name] = text.split("=", 1) as [string]
    return name.startsWith("--") && programOptions.some((long) => isLong(name, long))
  })
  if (option) return option
  const short = shortOptions[verb]
  const letter = short && texts.find((text) => /^-[^-]/.test(text) && short.test(text))
  if (letter) return letter
  if (texts.some((text) => /^(?:ext|fd)::/.test(text))) return "ext::"
  if (
    verb === "config" &&
    // Anywhere else the same word is a value, or what a value is to match.
    !/^(?:--get|--get-all|--get-regexp|--list|-l|list|get)$/.test(
      texts.find((text) => !/^--(?:global|system|local|worktree|show-origin|show-scope|null)$/.test(text)) ??
        "",
    )
  )
    return "config"
  if (alwaysRuns.has(verb)) return verb
  if (verb === "submodule" && texts.includes("foreach")) return "foreach"
  if (verb === "bisect" && texts.includes("run")) return "run"
  return undefined
}

const programOptions = [
  "upload-pack",
  "receive-pack",
  "exec",
  "extcmd",
  "ext-diff",
  "open-files-in-pager",
  "tool",
  "to-cmd",
  "cc-cmd",
  "header-cmd",
  "sendmail-cmd",
  "smtp-server",
  "config",
  "template",
  "git-dir",
  "work-tree",
]

const shortOptions: Readonly<Record<string, RegExp>> = {
  clone: /[uc]/,
  rebase: /[xi]/,
  grep: /O/,
  difftool: /[xt]/,
  mergetool: /t/,
  init: /$^/,
}

const alwaysRuns = new Set([
  "filter-branch",
  "difftool",
  "mergetool",
  "send-email",
  "instaweb",
  "daemon",
  "credential",
  "hook",
  "maintenance",
  "gui",
  "citool",
  "web--browse",
  "help",
])

function inner(scene: Scene, verb: string | undefined, words: readonly Argument[], state: State): void {
  const start = words.findIndex(
    (word) =>
      (verb === "submodule" && word.value === "foreach") || (verb === "bisect" && word.value === "run"),
  )
  if (start < 0) return
  const command = words.slice(start + 1).filter((word) => word.value !== "--recursive")
  if (command.length === 1 && command[0]!.value !== undefined)
    scene.script(command[0]!.value, { dialect: "posix", folders: undefined, variables: new Map() })
  else scene.run(command, state)
}

/** Folders and files that git makes where it is told to. */
function made(scene: Scene, verb: string | undefined, words: readonly Argument[], state: State): void {
  const { flags, operands } = readOptions(words, { short: "bBojSX", long: valued })
  const folders: Readonly<Record<string, readonly Argument[]>> = {
    clone: operands.slice(1),
    init: operands,
    worktree: /^(?:add|move|remove)$/.test(operands[0]?.value ?? "") ? operands.slice(1) : [],
  }
  for (const folder of folders[verb ?? ""] ?? []) touch(scene, "write", folder, state, "below")
  if (verb === "bundle" && operands[0]?.value === "create")
    for (const file of operands.slice(1, 2)) touch(scene, "write", file, state)
  for (const { name, value } of flags)
    if (value && isLong(name, "separate-git-dir")) touch(scene, "write", value, state, "below")
}

const valued = ["branch", "depth", "origin", "reference", "separate-git-dir", "jobs"]

function remote(scene: Scene, verb: string | undefined, words: readonly Argument[]): void {
  if (!/^(?:clone|fetch|pull|push|ls-remote|remote|submodule|archive)$/.test(verb ?? "")) return
  for (const { value } of readOptions(words, {
    short: "bojSX",
    long: valued,
  }).operands)
    if (
      value !== undefined &&
      /^[a-z][a-z0-9+.-]*:\/\/|^[\w.-]+@[\w.-]+:/i.test(value) &&
      !value.startsWith("file:")
    )
      address(scene, plainArgument(value))
}

const known = new Set(
  `add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout
  checkout-index cherry cherry-pick clean clone commit commit-graph commit-tree config count-objects credential daemon describe diff
  diff-files diff-index diff-tree difftool fast-export fast-import fetch filter-branch for-each-ref format-patch fsck gc grep
  hash-object help hook index-pack init instaweb interpret-trailers log ls-files ls-remote ls-tree mailinfo maintenance merge merge-base
  merge-file merge-tree mergetool mktag mktree mv name-rev notes pack-objects pack-refs prune pull push range-diff read-tree rebase
  reflog remote repack replace request-pull rerere reset restore rev-list rev-parse revert rm send-email shortlog show show-branch
  show-ref sparse-checkout stash status stripspace submodule switch symbolic-ref tag unpack-objects update-index update-ref
  update-server-info var verify-commit verify-pack verify-tag version whatchanged worktree write-tree`.split(
    /\s+/,
  ),
)
