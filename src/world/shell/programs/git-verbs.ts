import { reportHost } from "../address.ts"
import {
  type CallJudge,
  hasOption,
  judgeByTable,
  type KnownProgram,
  listArgumentPaths,
  listOptionValues,
  type ProgramCall,
  reportOutsideTable,
} from "../known-program.ts"
import { makePlainArgument, type ShellArgument } from "../resolve-word.ts"
import { type ProgramJudge, reportAccess, reportChange, reportIfExists, type Scene } from "../scene.ts"
import type { ShellState } from "../state.ts"
import { enterRepositoryTop, reportGitReads } from "./git-reads.ts"
import { reportGitWrites } from "./git-writes.ts"
import { gitOptions } from "./tables/git.ts"
import { gitHistoryOptions } from "./tables/git-history.ts"

/** Judges a verb of git by its table. A verb without a table may be an alias, or another program. */
export function judgeVerb(
  scene: Scene,
  verb: ShellArgument,
  words: readonly ShellArgument[],
  state: ShellState,
): void {
  const [first, ...rest] = words
  const both = `${verb.value} ${first?.value}`
  if (gitVerbs.has(both)) programFor(both)(scene, rest, state)
  else if (verb.value !== undefined && gitVerbs.has(verb.value)) programFor(verb.value)(scene, words, state)
  else reportOutsideTable(scene, words, state, `git ${verb.written} may be an alias, or another program`)
}

/** Verbs that need a second word to say what they do: without it they take no operands. */
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
        // A word behind the name of a setting is its value, even if it looks like an option.
        ...(name === "config" && { stops: true as const }),
      },
      program: "git",
      judge: judgeOf(name),
    },
  ]),
)

const programs = new Map<string, ProgramJudge>()

function programFor(name: string): ProgramJudge {
  const verbProgram = programs.get(name) ?? judgeByTable(name, gitVerbs.get(name)!)
  programs.set(name, verbProgram)
  return verbProgram
}

function judgeOf(name: string): CallJudge {
  const [verb = "", second] = name.split(" ")
  return (call) => {
    const { scene, state } = call
    const words = withFullNames(call, second)
    for (const { value } of listOptionValues(call, "-s", "--strategy"))
      if (/^(?:merge|pull|rebase|cherry-pick|revert)$/.test(verb) && !strategies.test(value ?? ""))
        scene.findings.addUnclear("a merge strategy that is not built in is another program")
    if (call.operands.some(({ value }) => /^(?:ext|fd)::/.test(value ?? "ext::")) && talks.has(verb))
      scene.findings.addUnclear("git ext:: can run another program")
    // Git takes some options out before it reads the others, which then get other values.
    if (name in gitHistoryOptions && call.options.some(({ value }) => value?.value?.startsWith("-")))
      scene.findings.addUnclear("git may read the value of an option as another option")
    if (verb === "config" && !onlyReads(call))
      scene.findings.addUnclear("git config can make git run other programs")
    for (const { value } of verb === "blame" || verb === "annotate" ? [] : listOptionValues(call, "-L"))
      if (value)
        reportAccess(scene, "read", makePlainArgument(value.slice(value.lastIndexOf(":") + 1)), state)
    judgeRuns(call, name)
    judgeRemotes(call, verb, second)
    judgeSettings(call, name)
    judgeCreated(call, verb, second)
    reportGitReads(scene, verb, words, state)
    reportGitWrites(scene, verb, words, state)
    judgeNamed(call, name)
  }
}

const strategies = /^(?:ort|recursive|resolve|octopus|ours|subtree)$/

/** The options by their full names, each with its value, and then the operands. */
function withFullNames(
  { options, operands, before }: ProgramCall,
  second: string | undefined,
): readonly ShellArgument[] {
  const optionWords = options.map(({ option, name, value }) => {
    const long = option.names.find((one) => one.startsWith("--")) ?? name
    if (name === "-NUM") return makePlainArgument(`-${value?.value}`)
    const text = name.startsWith("--no-") ? name : long
    return makePlainArgument(
      value?.value !== undefined && text.startsWith("--") ? `${text}=${value.value}` : text,
    )
  })
  const start = second === undefined ? [] : [makePlainArgument(second)]
  if (before === undefined) return [...start, ...optionWords, ...operands]
  return [
    ...start,
    ...optionWords,
    ...operands.slice(0, before),
    makePlainArgument("--"),
    ...operands.slice(before),
  ]
}

/** True if `git config` only reads a setting. */
function onlyReads(call: ProgramCall): boolean {
  const changes = [
    "--add",
    "--replace-all",
    "--unset",
    "--unset-all",
    "--rename-section",
    "--remove-section",
    "--edit",
  ]
  if (hasOption(call, ...changes)) return false
  if (
    hasOption(
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

function judgeRuns({ scene, operands, state }: ProgramCall, name: string): void {
  if (name !== "submodule foreach" && name !== "bisect run") return
  scene.findings.addUnclear(`git ${name} can run another program`)
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

/** True if a word is `host:path`: no slash stands in front of the colon. */
const isFar = (value: string) => isAddress(value) || (/^[^/]*:/.test(value) && !/^file:\/\//i.test(value))

/**
 * Reports the remotes: another machine, or a local repository, whose hooks run when something is pushed to
 * it.
 */
function judgeRemotes(call: ProgramCall, verb: string, second: string | undefined): void {
  if (!talks.has(verb)) return
  const { scene, operands } = call
  if (verb === "pull" && call.before !== undefined && operands.some(({ value }) => value?.startsWith("-")))
    scene.findings.addUnclear("git pull passes the words after -- on as options")
  const named = operands.slice(verb === "remote" && /^(?:add|set-url)$/.test(second ?? "") ? 1 : 0)
  const several = /^(?:prune|show|update)$/.test(second ?? "") || hasOption(call, "--multiple")
  const others = [...(several ? named : named.slice(0, 1)), ...listOptionValues(call, "--repo")]
  for (const word of [...operands, ...others])
    if (word.value !== undefined && (others.includes(word) ? isFar : isAddress)(word.value))
      reportHost(scene, word)
  if (verb !== "archive" && verb !== "submodule")
    for (const repository of others) judgeLocal(call, verb, repository)
}

/** Reports a local repository, if the word names one. */
function judgeLocal({ scene, state }: ProgramCall, verb: string, repository: ShellArgument): void {
  if (repository.value === undefined || isFar(repository.value)) return
  const place = makePlainArgument(repository.value.replace(/^file:\/\/[^/]*/i, ""))
  if (verb === "push" && /[/.]/.test(repository.value)) {
    reportAccess(scene, "write", place, state, "below")
    scene.findings.addUnclear("a local repository runs its own hooks")
  } else if (/\//.test(repository.value)) reportAccess(scene, "read", place, state, "below")
  else reportIfExists(scene, "read", place, state)
}

/** Git records its remotes in the settings of the repository. */
function judgeSettings({ scene, state }: ProgramCall, name: string): void {
  if (!/^remote (?:add|remove|rename|rm|set-branches|set-url)$/.test(name)) return
  const top = enterRepositoryTop(scene, state)
  if (top.folders?.every((folder) => !scene.paths.isFile(`${folder}/.git`)))
    reportChange(scene, makePlainArgument(".git/config"), top)
  else scene.findings.addUnclear("the place of the repository's settings is unknown")
}

/** Folders and files that git creates where its operands say. */
function judgeCreated(call: ProgramCall, verb: string, second: string | undefined): void {
  const { scene, state, operands } = call
  const name = second === undefined ? verb : `${verb} ${second}`
  const folders: Readonly<Record<string, readonly ShellArgument[]>> = {
    clone: operands.slice(1),
    init: operands.length > 0 || !hasOption(call, "--bare") ? operands : [makePlainArgument(".")],
    "worktree add": operands.slice(0, 1),
    "worktree move": operands,
    "worktree remove": operands,
    "submodule add": operands.slice(1),
  }
  for (const folder of folders[name] ?? []) reportAccess(scene, "write", folder, state, "below")
  if (name === "bundle create")
    for (const file of operands.slice(0, 1)) reportAccess(scene, "write", file, state)
  for (const folder of listOptionValues(call, "--output-directory"))
    reportAccess(scene, "write", folder, state, "below")
}

/**
 * Reports the files below a named folder, and those that a pattern of git may mean, including ignored ones.
 */
function judgeAdded(call: ProgramCall): void {
  const { scene, state, operands } = call
  if (hasOption(call, "-f", "--force") || !operands.every(isPlainName))
    reportAccess(scene, "read", makePlainArgument("."), enterRepositoryTop(scene, state), "below")
  for (const place of operands.flatMap((word) => listArgumentPaths(call, word)))
    if (place !== scene.root && scene.paths.isFolder(place)) scene.findings.addPath("read", place, "below")
}

const isPlainName = ({ value }: ShellArgument): boolean => value !== undefined && !/^:|[*?[\\]/.test(value)

/** Named files that need not belong to the repository. */
function judgeNamed(call: ProgramCall, name: string): void {
  const { scene, state, operands } = call
  if (/^(?:bisect replay|bundle (?:verify|list-heads|unbundle))$/.test(name))
    for (const file of operands.slice(0, 1)) reportAccess(scene, "read", file, state)
  // The patch itself names its files.
  if (name === "apply")
    reportAccess(scene, "read", makePlainArgument("."), enterRepositoryTop(scene, state), "below")
  if (/^(?:add|stage|commit)$/.test(name)) judgeAdded(call)
  if (name === "am" || hasOption(call, "--no-index"))
    for (const file of operands) reportAccess(scene, "read", file, state, "below")
  if (name === "stash push" || name === "stash save" || name === "stash")
    for (const file of operands) reportAccess(scene, "read", file, state)
  if (/^stash(?: push| save)?$/.test(name) && hasOption(call, "-u", "--include-untracked", "-a", "--all"))
    reportAccess(scene, "read", makePlainArgument("."), enterRepositoryTop(scene, state), "below")
  // Any object can become a note, which `git log` shows.
  if (/^notes (?:add|append)$/.test(name) && hasOption(call, "-C", "-c"))
    reportAccess(scene, "read", makePlainArgument("."), enterRepositoryTop(scene, state), "below")
  if (/^(?:symbolic-ref|update-ref)$/.test(name) && !/^(?:HEAD$|refs\/)/.test(operands[0]?.value ?? "HEAD"))
    scene.findings.addUnclear(`git ${name} may write any file of the repository`)
  if (name === "interpret-trailers" && hasOption(call, "--in-place"))
    for (const file of operands) reportChange(scene, file, state)
}
