import path from "node:path"
import { asName } from "../known-program.ts"
import { readOptions } from "../options.ts"
import { type Argument, plainArgument } from "../resolve-word.ts"
import { placesOf, type Scene, touch } from "../scene.ts"
import type { State } from "../state.ts"

/** What git shows or hands on of the files it keeps: those that are named, or else all of the repository. */
export function gitReads(
  scene: Scene,
  verb: string | undefined,
  words: readonly Argument[],
  state: State,
): void {
  const { operands } = readOptions(words)
  // `HEAD:file` and `:file` are that file as it was, from the top of the repository.
  if (
    /^(?:add|am|annotate|apply|archive|blame|cat-file|checkout|commit|diff|diff-files|diff-index|diff-tree|grep|hash-object|interpret-trailers|log|merge-file|mv|restore|show|stage|update-index|whatchanged)$/.test(
      verb ?? "",
    )
  )
    for (const operand of operands) {
      const { value, pattern } = operand
      const isFolder = () =>
        placesOf(scene, operand, state).some(({ path: place }) => scene.paths.isFolder(place))
      // What is moved is read under its new name. Folders outside of the repository are compared with all that is in them.
      const reach = verb === "mv" || (verb === "diff" && isFolder()) ? "below" : "itself"
      if (files.test(verb ?? "")) touch(scene, "read", asName(operand), state)
      // All files but some, those with an attribute, or those below the top.
      else if (magic.test(value ?? "")) touch(scene, "read", here, atTop(scene, state), "below")
      else if (value === undefined && pattern !== undefined) touch(scene, "read", operand, state, reach)
      else if (!value || isCommit(scene, value, state)) continue
      else
        for (const folder of value.includes(":") ? [state, atTop(scene, state)] : [state])
          touch(scene, "read", plainArgument(value.replace(committed, "")), folder, reach)
    }
  if (verb === "submodule" && operands[0]?.value === "add")
    for (const operand of operands.slice(1))
      if (!isFar(operand.value)) touch(scene, "read", operand, state, "below")
  if (verb === undefined || !showsContents(verb, words, operands)) return
  const end = words.findIndex(({ value }) => value === "--")
  const behind = end < 0 ? [] : words.slice(end + 1)
  const named = verb === "grep" && patternBehind(words.slice(0, end)) ? behind.slice(1) : behind
  const isPlain = ({ value }: Argument) => value !== undefined && !/^:|[*?[\\]/.test(value)
  if (named.length > 0 && named.every(isPlain) && !looksAtAll.test(verb))
    for (const file of named) touch(scene, "read", file, state, "below")
  else touch(scene, "read", here, atTop(scene, state), "below")
}

const here = plainArgument(".")

/** Verbs that look through all files for changes before they ask about some. */
const looksAtAll = /^(?:add|checkout|commit|reset|restore|stage|stash)$/

/** A path with a word of its own in front, such as `:(exclude)x`, `:!x` or `:/x`. */
const magic = /^:[(!^/]/

/** The first word that is no option is the pattern, unless an option gives one. */
const patternBehind = (before: readonly Argument[]): boolean =>
  readOptions(before).operands.length === 0 && !before.some(({ value }) => /^-[ef]$/.test(value ?? ""))

/** Verbs whose operands are names of files, whatever they look like. */
const files = /^(?:am|apply|hash-object|interpret-trailers|merge-file)$/

/** `HEAD~1`, unless there is a file of that name. */
const isCommit = ({ paths }: Scene, value: string, { folders }: State): boolean =>
  /^(?:[A-Z_]*HEAD|@)(?:\^|~[0-9]*|@\{[^{}/]*\})*$/.test(value) &&
  folders?.some((folder) => paths.isFile(`${folder}/${value}`) || paths.isFolder(`${folder}/${value}`)) ===
    false

function showsContents(verb: string, words: readonly Argument[], operands: readonly Argument[]): boolean {
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
      // It takes a file that is as it was in place of what is kept of it, to count its lines.
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

/** `HEAD:file`, `:file`, or `:2:file` of a merge that is not done; `:/text` is a commit. */
const committed = /^(?::[0-3]:|(?:[^:{]|\{[^{}]*\})+:|:(?![/(!^]))(?=.)/

/** Whether git shows each change and asks for it. */
const asksByPart = (options: readonly string[]): boolean =>
  options.some((option) => /^(?:-[a-zA-Z]*[pi]|--p(?:atc?h?)?$|--int)/.test(option))

const isFar = (address: string | undefined): boolean =>
  /^(?!file:)[a-z][a-z0-9+.-]*:\/\/|^[\w.-]+@[\w.-]+:/i.test(address ?? "")

const countsLines = /^--(?:stat|shortstat|numstat)(?:=|$)/

const namesOnly = /^--(?:name-only|name-status|stat|shortstat|numstat|summary|quiet|raw)(?:=|$)/

/** Options that show who did something and to which files, but nothing of what is in them. */
const plainOption =
  /^(?:--|-\d+|-n\d*|-i|--(?:name-only|name-status|stat|shortstat|numstat|summary|quiet|raw|oneline|graph|all|decorate|max-count|skip|since|until|after|before|author|committer|grep|format|pretty|abbrev|abbrev-commit|merges|no-merges|first-parent|reverse|date|branches|tags|remotes|follow|color|no-color|topo-order|date-order|cached|staged|no-decorate|exit-code|no-renames|no-ext-diff|no-pager|relative|diff-filter|left-right|cherry-pick)(?:=.*)?)$/s

const showing = new Set(
  `archive bundle checkout-index difftool fast-export format-patch grep merge-file merge-tree range-diff whatchanged
  request-pull send-email`.split(/\s+/),
)

/** As if git were called at the top of the repository. */
export const atTop = ({ paths }: Scene, state: State): State => {
  const top = (folder: string): string => {
    for (let place = folder; ; place = path.dirname(place)) {
      const git = path.join(place, ".git")
      if (paths.isFolder(git) || paths.isFile(git)) return place
      if (place === path.dirname(place)) return folder
    }
  }
  return { ...state, folders: state.folders?.map((folder) => top(paths.real("/", folder))) }
}
