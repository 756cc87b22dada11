import { hasFlag, listFlagValues, type ParsedOptions, readOptions } from "../options.ts"
import { makePlainArgument, type ShellArgument } from "../resolve-word.ts"
import { reportAccess, reportChange, type Scene } from "../scene.ts"
import type { ShellState } from "../state.ts"
import { enterRepositoryTop } from "./git-reads.ts"

/** Reports the working files that git changes: the named ones, or else all files of the repository. */
export function reportGitWrites(
  scene: Scene,
  verb: string | undefined,
  words: readonly ShellArgument[],
  state: ShellState,
): void {
  const changed = changes[verb ?? ""]
  if (!changed) return
  const end = words.findIndex(({ value }) => value === "--")
  const before = end < 0 ? words : words.slice(0, end)
  const options = readOptions(before)
  const what = changed(options, end < 0 ? [] : words.slice(end + 1))
  if (what === "nothing") return
  const named = what === "everything" ? [] : what
  for (const folder of enterRepositoryTop(scene, state).folders ?? []) scene.findings.addLink(folder, "below")
  for (const file of named) reportChange(scene, file, state, "below")
  for (const folder of listFlagValues(options, "--prefix"))
    reportAccess(scene, "write", folder, state, "below")
  if (hasFlag(options, "--unsafe-paths")) scene.findings.addUnclear("git apply may write anywhere")
  const isPlain = ({ value }: ShellArgument) => value !== undefined && !/^:|[*?[\\]/.test(value)
  if (what === "everything" || !named.every((word) => word.pattern !== undefined || isPlain(word)))
    reportChange(scene, makePlainArgument("."), enterRepositoryTop(scene, state), "below")
  // A word may name a commit or a file.
  if (what === "everything") for (const word of options.operands) reportChange(scene, word, state, "below")
}

/** Selects the changed files, given the words in front of `--` and behind it. */
type Changed = (
  options: ParsedOptions,
  behind: readonly ShellArgument[],
) => "everything" | "nothing" | readonly ShellArgument[]

const everything: Changed = () => "everything"

const orEverything = (files: readonly ShellArgument[]) => (files.length > 0 ? files : "everything")

const unless =
  (flags: readonly string[], changed: Changed = everything): Changed =>
  (options, behind) =>
    hasFlag(options, ...flags) ? "nothing" : changed(options, behind)

/** True if only a new branch begins at the current commit, which changes no file. */
const begins = (options: ParsedOptions, ...flags: readonly string[]): boolean =>
  hasFlag(options, ...flags) && options.operands.length === 0

const only =
  (...verbs: readonly string[]): Changed =>
  ({ operands: [first] }) =>
    first?.value === undefined || verbs.includes(first.value) ? "everything" : "nothing"

const changes: Readonly<Record<string, Changed>> = {
  am: everything,
  apply: (options) =>
    hasFlag(options, "--apply") ||
    !hasFlag(options, "--stat", "--numstat", "--summary", "--check", "--cached")
      ? "everything"
      : "nothing",
  bisect: only("start", "good", "bad", "new", "old", "skip", "reset", "replay", "run"),
  checkout: (options, behind) =>
    begins(options, "-b", "-B") && behind.length === 0 ? "nothing" : orEverything(behind),
  "checkout-index": everything,
  "cherry-pick": everything,
  clean: unless(["-n", "--dry-run"], ({ operands }, behind) => {
    const files = [...operands, ...behind]
    return files.length > 0 ? files : [makePlainArgument(".")]
  }),
  clone: ({ operands }) => (operands.length > 1 ? "nothing" : [makePlainArgument(".")]),
  "format-patch": unless(["--stdout", "-o", "--output-directory"], () => [makePlainArgument(".")]),
  merge: everything,
  "merge-file": unless(["-p", "--stdout"], ({ operands }, behind) => [...operands, ...behind].slice(0, 1)),
  mv: unless(["-n", "--dry-run"], ({ operands }, behind) => [...operands, ...behind]),
  pull: everything,
  "read-tree": (options) => (hasFlag(options, "-u") ? "everything" : "nothing"),
  rebase: everything,
  rerere: everything,
  reset: (options) => (hasFlag(options, "--hard", "--merge", "--keep") ? "everything" : "nothing"),
  restore: (options, behind) =>
    hasFlag(options, "-S", "--staged") && !hasFlag(options, "-W", "--worktree")
      ? "nothing"
      : orEverything(hasFlag(options, "--pathspec-from-file") ? [] : [...options.operands, ...behind]),
  revert: everything,
  rm: unless(["-n", "--dry-run", "--cached"], ({ operands }, behind) =>
    orEverything([...operands, ...behind]),
  ),
  "sparse-checkout": everything,
  stash: ({ operands: [first] }, behind) => {
    // A message follows `save`.
    if (first?.value === "save") return "everything"
    return first?.value !== undefined && /^(?:list|show|drop|clear|create|store)$/.test(first.value)
      ? "nothing"
      : orEverything(behind)
  },
  submodule: ({ operands: [first] }) =>
    first?.value !== undefined && /^(?:status|summary|sync|init)$/.test(first.value)
      ? "nothing"
      : "everything",
  switch: (options) => (begins(options, "-c", "-C", "--create", "--force-create") ? "nothing" : "everything"),
}
