import path from "node:path"
import { readDashAsName } from "../known-program.ts"
import { readOptions } from "../options.ts"
import { makePlainArgument, type ShellArgument } from "../resolve-word.ts"
import { reportAccess, resolvePaths, type Scene } from "../scene.ts"
import type { ShellState } from "../state.ts"

/** Reports the tracked files that git shows or passes on: the named ones, or else the whole repository. */
export function reportGitReads(
  scene: Scene,
  verb: string | undefined,
  words: readonly ShellArgument[],
  state: ShellState,
): void {
  const { operands } = readOptions(words)
  // `HEAD:file` and `:file` are stored versions of that file, with its path from the top of the repository.
  if (
    /^(?:add|am|annotate|apply|archive|blame|cat-file|checkout|commit|diff|diff-files|diff-index|diff-tree|grep|hash-object|interpret-trailers|log|merge-file|mv|restore|show|stage|update-index|whatchanged)$/.test(
      verb ?? "",
    )
  )
    for (const operand of operands) {
      const { value, pattern } = operand
      const isFolder = () =>
        resolvePaths(scene, operand, state).some(({ path: place }) => scene.paths.isFolder(place))
      // A moved file can be read under its new name. Of folders outside of the repository, `git diff`
      // compares everything.
      const reach = verb === "mv" || (verb === "diff" && isFolder()) ? "below" : "itself"
      if (files.test(verb ?? "")) reportAccess(scene, "read", readDashAsName(operand), state)
      // Such a path means all files but some, those with an attribute, or those below the top.
      else if (magic.test(value ?? ""))
        reportAccess(scene, "read", here, enterRepositoryTop(scene, state), "below")
      else if (value === undefined && pattern !== undefined)
        reportAccess(scene, "read", operand, state, reach)
      else if (!value || isCommit(scene, value, state)) continue
      else
        for (const folder of value.includes(":") ? [state, enterRepositoryTop(scene, state)] : [state])
          reportAccess(scene, "read", makePlainArgument(value.replace(committed, "")), folder, reach)
    }
  if (verb === "submodule" && operands[0]?.value === "add")
    for (const operand of operands.slice(1))
      if (!isFar(operand.value)) reportAccess(scene, "read", operand, state, "below")
  if (verb === undefined || !showsContents(verb, words, operands)) return
  const end = words.findIndex(({ value }) => value === "--")
  const behind = end < 0 ? [] : words.slice(end + 1)
  const named = verb === "grep" && patternBehind(words.slice(0, end)) ? behind.slice(1) : behind
  const isPlain = ({ value }: ShellArgument) => value !== undefined && !/^:|[*?[\\]/.test(value)
  if (named.length > 0 && named.every(isPlain) && !looksAtAll.test(verb))
    for (const file of named) reportAccess(scene, "read", file, state, "below")
  else reportAccess(scene, "read", here, enterRepositoryTop(scene, state), "below")
}

const here = makePlainArgument(".")

/** Verbs that look through all files for changes before they ask about some. */
const looksAtAll = /^(?:add|checkout|commit|reset|restore|stage|stash)$/

/** A path with a magic prefix, such as `:(exclude)x`, `:!x` or `:/x`. */
const magic = /^:[(!^/]/

/**
 * True if the pattern stands behind `--`: no operand in front of it is the pattern, and no option gives one.
 */
const patternBehind = (before: readonly ShellArgument[]): boolean =>
  readOptions(before).operands.length === 0 && !before.some(({ value }) => /^-[ef]$/.test(value ?? ""))

/** Verbs whose operands are always names of files. */
const files = /^(?:am|apply|hash-object|interpret-trailers|merge-file)$/

/** True if a word is a commit, such as `HEAD~1`, and no file has that name. */
const isCommit = ({ paths }: Scene, value: string, { folders }: ShellState): boolean =>
  /^(?:[A-Z_]*HEAD|@)(?:\^|~[0-9]*|@\{[^{}/]*\})*$/.test(value) &&
  folders?.some((folder) => paths.isFile(`${folder}/${value}`) || paths.isFolder(`${folder}/${value}`)) ===
    false

function showsContents(
  verb: string,
  words: readonly ShellArgument[],
  operands: readonly ShellArgument[],
): boolean {
  const options = words.map(({ value, pattern }) => value ?? pattern ?? "-").filter((text) => /^-/.test(text))
  const [first] = operands
  switch (verb) {
    case "show":
    case "cat-file":
      return !(operands.length > 0 && operands.every(({ value }) => committed.test(value ?? "")))
    case "log":
    case "reflog":
      return !options.every((option) => plainOption.test(option))
    case "diff":
    case "diff-files":
    case "diff-index":
    case "diff-tree":
      // To count lines, git reads an unchanged file itself in place of its stored copy.
      if (verb === "diff-tree" && options.some((option) => countsLines.test(option))) return true
      return !(
        options.some((option) => namesOnly.test(option)) &&
        options.every((option) => plainOption.test(option))
      )
    case "status":
      return options.some((option) => /^(?:-[a-zA-Z]*v|--v)/.test(option))
    case "commit":
      return asksByPart(options) || options.some((option) => /^(?:-[a-zA-Z]*v|--v)/.test(option))
    case "add":
    case "checkout":
    case "reset":
    case "restore":
    case "stage":
      return asksByPart(options)
    case "am":
    case "rebase":
      return options.some((option) => /^--sh/.test(option))
    case "read-tree":
      return options.some((option) => /^-[a-zA-Z]*u/.test(option))
    case "branch":
    case "for-each-ref":
    case "tag":
      return options.some((option) => /^--format=.*%\(\*?raw/s.test(option))
    case "stash":
      return first?.value === "show" || (first?.value === "list" && options.length > 0) || asksByPart(options)
    case "submodule":
      return first?.value === "add" && !isFar(operands[1]?.value)
    case "worktree":
      return first?.value === "add"
    case "clone":
      return !isFar(first?.value)
    default:
      return showing.has(verb)
  }
}

/** `HEAD:file`, `:file`, or `:2:file` in an unfinished merge; `:/text` is a commit. */
const committed = /^(?::[0-3]:|(?:[^:{]|\{[^{}]*\})+:|:(?![/(!^]))(?=.)/

/** True if git shows each change and asks about it. */
const asksByPart = (options: readonly string[]): boolean =>
  options.some((option) => /^(?:-[a-zA-Z]*[pi]|--p(?:atc?h?)?$|--int)/.test(option))

const isFar = (address: string | undefined): boolean =>
  /^(?!file:)[a-z][a-z0-9+.-]*:\/\/|^[\w.-]+@[\w.-]+:/i.test(address ?? "")

const countsLines = /^--(?:stat|shortstat|numstat)(?:=|$)/

const namesOnly = /^--(?:name-only|name-status|stat|shortstat|numstat|summary|quiet|raw)(?:=|$)/

/** Options that show authors and names of files, but no content of files. */
const plainOption =
  /^(?:--|-\d+|-n\d*|-i|--(?:name-only|name-status|stat|shortstat|numstat|summary|quiet|raw|oneline|graph|all|decorate|max-count|skip|since|until|after|before|author|committer|grep|format|pretty|abbrev|abbrev-commit|merges|no-merges|first-parent|reverse|date|branches|tags|remotes|follow|color|no-color|topo-order|date-order|cached|staged|no-decorate|exit-code|no-renames|no-ext-diff|no-pager|relative|diff-filter|left-right|cherry-pick)(?:=.*)?)$/s

const showing = new Set(
  `archive bundle checkout-index difftool fast-export format-patch grep merge-file merge-tree range-diff whatchanged
  request-pull send-email`.split(/\s+/),
)

/** The state as if git were called at the top of the repository. */
export const enterRepositoryTop = ({ paths }: Scene, state: ShellState): ShellState => {
  const top = (folder: string): string => {
    for (let place = folder; ; place = path.dirname(place)) {
      const git = path.join(place, ".git")
      if (paths.isFolder(git) || paths.isFile(git)) return place
      if (place === path.dirname(place)) return folder
    }
  }
  return { ...state, folders: state.folders?.map((folder) => top(paths.real("/", folder))) }
}
