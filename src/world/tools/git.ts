import { Refusal } from "../../ground/paths/refusal.ts"
import { type ProgramEnd, runProgram } from "./run-program.ts"

/** Runs git with some words. */
export type Git = (words: readonly string[], mostBytes: number, timeout?: number) => Promise<ProgramEnd>

const timeAllowed = 30_000

/** Git in a folder nobody has vouched for: what its configuration names is not run. */
export async function openGit(program: string, cwd: string, signal: AbortSignal): Promise<Git> {
  const run = (
    words: readonly string[],
    mostBytes: number,
    settings: Readonly<Record<string, string>>,
    timeout = timeAllowed,
  ) =>
    runProgram({
      file: program,
      words: ["--no-pager", "--literal-pathspecs", ...words],
      cwd,
      environment: { ...environment, ...settings },
      timeout,
      mostBytes,
      signal,
    })
  const fixed = settingsFor(overrides)
  // Outside a repository `git diff` compares any two files it is given.
  const place = await run(["rev-parse", "--is-inside-work-tree"], 1000, fixed)
  signal.throwIfAborted()
  if (place.output.toString().trim() !== "true")
    throw new Refusal(
      `There is no git repository here that can be looked at: ${place.errors.slice(0, 500).trim()}`,
    )
  const listed = await run(["config", "--includes", "--list", "--name-only", "-z"], 1_000_000, fixed)
  signal.throwIfAborted()
  if (listed.exitCode !== 0)
    throw new Refusal(`git cannot read its configuration here: ${listed.errors.slice(0, 500).trim()}`)
  const settings = settingsFor([...overrides, ...withoutFilters(listed.output.toString().split("\0"))])
  return (words, mostBytes, timeout) => run(words, mostBytes, settings, timeout)
}

const environment: Readonly<Record<string, string>> = {
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  // Nothing is fetched for a diff, and nothing is written.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_OPTIONAL_LOCKS: "0",
}

type Setting = readonly [key: string, value: string]

const overrides: readonly Setting[] = [
  ["core.fsmonitor", ""],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.sshCommand", "false"],
  ["core.askPass", "false"],
  ["core.alternateRefsCommand", "false"],
  ["core.attributesFile", "/dev/null"],
  ["credential.helper", ""],
  ["diff.external", ""],
  ["safe.bareRepository", "explicit"],
  ["protocol.allow", "never"],
]

/** Filters are programs that git runs on files to compare them. There is no switch for all, so each one is emptied. */
function withoutFilters(keys: readonly string[]): readonly Setting[] {
  const names = new Set(keys.flatMap((key) => /^filter\.(.*)\.[^.]*$/s.exec(key)?.[1] ?? []))
  return [...names].flatMap((name): readonly Setting[] => [
    [`filter.${name}.clean`, ""],
    [`filter.${name}.smudge`, ""],
    [`filter.${name}.process`, ""],
    [`filter.${name}.required`, "false"],
  ])
}

/** By environment and not with -c, which cannot say a name with "=" in it. */
const settingsFor = (settings: readonly Setting[]): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(settings.length)],
    ...settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ])
