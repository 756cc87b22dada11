import { address } from "../address.ts"
import {
  type Call,
  has,
  type Judged,
  type KnownProgram,
  knownProgram,
  outside,
  pathsOf,
  valuesOf,
} from "../known-program.ts"
import { type Argument, plainArgument } from "../resolve-word.ts"
import { change, type Program, type Scene, touch, touchIfThere } from "../scene.ts"
import type { State } from "../state.ts"
import { atTop, gitReads } from "./git-reads.ts"
import { gitWrites } from "./git-writes.ts"
import { gitOptions } from "./tables/git.ts"
import { gitHistoryOptions } from "./tables/git-history.ts"

/** Tells what a verb of git does, by its table. One that has none may be an alias, or another program. */
export function judgeVerb(scene: Scene, verb: Argument, words: readonly Argument[], state: State): void {
  const [first, ...rest] = words
  const both = `${verb.value} ${first?.value}`
  if (gitVerbs.has(both)) program(both)(scene, rest, state)
  else if (verb.value !== undefined && gitVerbs.has(verb.value)) program(verb.value)(scene, words, state)
  else outside(scene, words, state, `git ${verb.written} may be an alias, or another program`)
}

/** Those that only say what is to be done with a second word have nothing else behind them. */
const bases: ReadonlySet<string> = new Set(["bisect", "notes", "remote", "sparse-checkout", "submodule"])

export const gitVerbs: ReadonlyMap<string, KnownProgram> = new Map(
  Object.entries({ ...gitOptions, ...gitHistoryOptions }).map(([name, options]) => [
    name,
    {
      table: {
        version: "git 2.39",
        negates: true,
        options,
        operands: bases.has(name) ? "" : "judged*",
        // What follows the name of a setting is its value, whatever it looks like.
        ...(name === "config" && { stops: true as const }),
      },
      program: "git",
      judge: judgeOf(name),
    },
  ]),
)

const made = new Map<string, Program>()

function program(name: string): Program {
  const known = made.get(name) ?? knownProgram(name, gitVerbs.get(name)!)
  made.set(name, known)
  return known
}

function judgeOf(name: string): Judged {
  const [verb = "", second] = name.split(" ")
  return (call) => {
    const { scene, state } = call
    const words = inFull(call, second)
    for (const { value } of valuesOf(call, "-s", "--strategy"))
      if (/^(?:merge|pull|rebase|cherry-pick|revert)$/.test(verb) && !strategies.test(value ?? ""))
        scene.found.unclear("a strategy of its own is another program")
    if (call.operands.some(({ value }) => /^(?:ext|fd)::/.test(value ?? "ext::")) && talks.has(verb))
      scene.found.unclear("git ext:: can run another program")
    // It takes some options out before it reads the others, which then have other values.
    if (name in gitHistoryOptions && call.options.some(({ value }) => value?.value?.startsWith("-")))
      scene.found.unclear("what is the value of an option and what is an option is not plain")
    if (verb === "config" && !asksOnly(call))
      scene.found.unclear("git config can make git run other programs")
    for (const { value } of verb === "blame" || verb === "annotate" ? [] : valuesOf(call, "-L"))
      if (value) touch(scene, "read", plainArgument(value.slice(value.lastIndexOf(":") + 1)), state)
    runs(call, name)
    remote(call, verb, second)
    notes(call, name)
    makes(call, verb, second)
    gitReads(scene, verb, words, state)
    gitWrites(scene, verb, words, state)
    files(call, name)
  }
}

const strategies = /^(?:ort|recursive|resolve|octopus|ours|subtree)$/

/** Options by their whole names, each with its value, then the operands. */
function inFull({ options, operands, before }: Call, second: string | undefined): readonly Argument[] {
  const given = options.map(({ option, name, value }) => {
    const long = option.names.find((one) => one.startsWith("--")) ?? name
    if (name === "-NUM") return plainArgument(`-${value?.value}`)
    const text = name.startsWith("--no-") ? name : long
    return plainArgument(
      value?.value !== undefined && text.startsWith("--") ? `${text}=${value.value}` : text,
    )
  })
  const start = second === undefined ? [] : [plainArgument(second)]
  if (before === undefined) return [...start, ...given, ...operands]
  return [...start, ...given, ...operands.slice(0, before), plainArgument("--"), ...operands.slice(before)]
}

/** A setting that is asked for, and none that is made. */
function asksOnly(call: Call): boolean {
  const changes = [
    "--add",
    "--replace-all",
    "--unset",
    "--unset-all",
    "--rename-section",
    "--remove-section",
    "--edit",
  ]
  if (has(call, ...changes)) return false
  if (
    has(
      call,
      "--get",
      "--get-all",
      "--get-regexp",
      "--get-urlmatch",
      "--list",
      "--get-color",
      "--get-colorbool",
    )
  )
    return true
  return call.operands.length === 1 && call.operands[0]!.value?.includes(".") === true
}

function runs({ scene, operands, state }: Call, name: string): void {
  if (name !== "submodule foreach" && name !== "bisect run") return
  scene.found.unclear(`git ${name} can run another program`)
  const [text] = operands
  if (operands.length === 1 && text!.value !== undefined)
    scene.script(text!.value, { dialect: "posix", folders: undefined, variables: new Map() })
  else scene.run(operands, state)
}

const talks: ReadonlySet<string> = new Set([
  "archive",
  "clone",
  "fetch",
  "ls-remote",
  "pull",
  "push",
  "remote",
  "submodule",
])

const isAddress = (value: string) =>
  /^[a-z][a-z0-9+.-]*:\/\/|^[\w.-]+@[\w.-]+:/i.test(value) && !/^file:\/\//i.test(value)

/** `host:path`, unless a slash stands in front of the colon. */
const isFar = (value: string) => isAddress(value) || (/^[^/]*:/.test(value) && !/^file:\/\//i.test(value))

/** Whom it talks to: another machine, or a repository that lies here, whose hooks run when something is pushed to it. */
function remote(call: Call, verb: string, second: string | undefined): void {
  if (!talks.has(verb)) return
  const { scene, operands } = call
  if (verb === "pull" && call.before !== undefined && operands.some(({ value }) => value?.startsWith("-")))
    scene.found.unclear("git pull hands what follows -- on as options")
  const named = operands.slice(verb === "remote" && /^(?:add|set-url)$/.test(second ?? "") ? 1 : 0)
  const several = /^(?:prune|show|update)$/.test(second ?? "") || has(call, "--multiple")
  const others = [...(several ? named : named.slice(0, 1)), ...valuesOf(call, "--repo")]
  for (const word of [...operands, ...others])
    if (word.value !== undefined && (others.includes(word) ? isFar : isAddress)(word.value))
      address(scene, word)
  if (verb !== "archive" && verb !== "submodule") for (const whom of others) nearby(call, verb, whom)
}

/** A repository that lies here, if it is one. */
function nearby({ scene, state }: Call, verb: string, whom: Argument): void {
  if (whom.value === undefined || isFar(whom.value)) return
  const place = plainArgument(whom.value.replace(/^file:\/\/[^/]*/i, ""))
  if (verb === "push" && /[/.]/.test(whom.value)) {
    touch(scene, "write", place, state, "below")
    scene.found.unclear("a repository that lies here runs hooks of its own")
  } else if (/\//.test(whom.value)) touch(scene, "read", place, state, "below")
  else touchIfThere(scene, "read", place, state)
}

/** Which others there are is noted among the settings of the repository. */
function notes({ scene, state }: Call, name: string): void {
  if (!/^remote (?:add|remove|rename|rm|set-branches|set-url)$/.test(name)) return
  const top = atTop(scene, state)
  if (top.folders?.every((folder) => !scene.paths.isFile(`${folder}/.git`)))
    change(scene, plainArgument(".git/config"), top)
  else scene.found.unclear("where the settings of the repository lie is not plain")
}

/** Folders and files that git makes where it is told to. */
function makes(call: Call, verb: string, second: string | undefined): void {
  const { scene, state, operands } = call
  const name = second === undefined ? verb : `${verb} ${second}`
  const folders: Readonly<Record<string, readonly Argument[]>> = {
    clone: operands.slice(1),
    init: operands.length > 0 || !has(call, "--bare") ? operands : [plainArgument(".")],
    "worktree add": operands.slice(0, 1),
    "worktree move": operands,
    "worktree remove": operands,
    "submodule add": operands.slice(1),
  }
  for (const folder of folders[name] ?? []) touch(scene, "write", folder, state, "below")
  if (name === "bundle create") for (const file of operands.slice(0, 1)) touch(scene, "write", file, state)
  for (const folder of valuesOf(call, "--output-directory")) touch(scene, "write", folder, state, "below")
}

/** What is below a folder that is named, and whatever a pattern of git's may mean, those that are ignored as well. */
function takesIn(call: Call): void {
  const { scene, state, operands } = call
  if (has(call, "-f", "--force") || !operands.every(isPlainName))
    touch(scene, "read", plainArgument("."), atTop(scene, state), "below")
  for (const place of operands.flatMap((word) => pathsOf(call, word)))
    if (place !== scene.root && scene.paths.isFolder(place)) scene.found.path("read", place, "below")
}

const isPlainName = ({ value }: Argument): boolean => value !== undefined && !/^:|[*?[\\]/.test(value)

/** Files that are named besides those of the repository. */
function files(call: Call, name: string): void {
  const { scene, state, operands } = call
  if (/^(?:bisect replay|bundle (?:verify|list-heads|unbundle))$/.test(name))
    for (const file of operands.slice(0, 1)) touch(scene, "read", file, state)
  // Which files a patch is about, it says itself.
  if (name === "apply") touch(scene, "read", plainArgument("."), atTop(scene, state), "below")
  if (/^(?:add|stage|commit)$/.test(name)) takesIn(call)
  if (name === "am" || has(call, "--no-index"))
    for (const file of operands) touch(scene, "read", file, state, "below")
  if (name === "stash push" || name === "stash save" || name === "stash")
    for (const file of operands) touch(scene, "read", file, state)
  if (/^stash(?: push| save)?$/.test(name) && has(call, "-u", "--include-untracked", "-a", "--all"))
    touch(scene, "read", plainArgument("."), atTop(scene, state), "below")
  // Any object can be made a note, which `git log` shows.
  if (/^notes (?:add|append)$/.test(name) && has(call, "-C", "-c"))
    touch(scene, "read", plainArgument("."), atTop(scene, state), "below")
  if (/^(?:symbolic-ref|update-ref)$/.test(name) && !/^(?:HEAD$|refs\/)/.test(operands[0]?.value ?? "HEAD"))
    scene.found.unclear(`git ${name} may write any file of the repository`)
  if (name === "interpret-trailers" && has(call, "--in-place"))
    for (const file of operands) change(scene, file, state)
}
