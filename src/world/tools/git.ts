import { PathRefusal } from "../../ground/paths/refusal.ts"
import { type ProgramEnd, runPlainProgram } from "./run-program.ts"

/** Runs git with arguments. */
export type Git = (
  words: readonly string[],
  mostBytes: number,
  timeout?: number,
  more?: GitInput,
) => Promise<ProgramEnd>

export interface GitInput {
  /** Read in place of the repository's own index. */
  readonly index?: string
  /** The text on standard input. Default: none. */
  readonly input?: string
}

const timeAllowed = 30_000

/** Opens git in a folder that is not trusted: programs that its configuration names are not run. */
export async function openGit(program: string, cwd: string, signal: AbortSignal): Promise<Git> {
  const run = (
    words: readonly string[],
    mostBytes: number,
    settings: Readonly<Record<string, string>>,
    timeout = timeAllowed,
    { index, input }: GitInput = {},
  ) =>
    runPlainProgram({
      file: program,
      words: ["--no-pager", "--literal-pathspecs", ...words],
      cwd,
      environment: { ...environment, ...settings, ...(index !== undefined && { GIT_INDEX_FILE: index }) },
      ...(input !== undefined && { input }),
      timeout,
      mostBytes,
      signal,
    })
  const fixed = settingsFor(overrides)
  // Outside of a repository, `git diff` compares any two files.
  const place = await run(["rev-parse", "--is-inside-work-tree"], 1000, fixed)
  signal.throwIfAborted()
  if (place.output.toString().trim() !== "true")
    throw new PathRefusal(`There is no readable git repository here: ${place.errors.slice(0, 500).trim()}`)
  const list = await run(["config", "--includes", "--list", "--name-only", "-z"], 1_000_000, fixed)
  signal.throwIfAborted()
  if (list.exitCode !== 0)
    throw new PathRefusal(`git cannot read its configuration here: ${list.errors.slice(0, 500).trim()}`)
  const settings = settingsFor([...overrides, ...withoutFilters(list.output.toString().split("\0"))])
  return (words, mostBytes, timeout, more) => run(words, mostBytes, settings, timeout, more)
}

const environment: Readonly<Record<string, string>> = {
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  // For a diff nothing is fetched, and nothing is written.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_OPTIONAL_LOCKS: "0",
}

type Setting = readonly [key: string, value: string]

const overrides: readonly Setting[] = [
  ["core.fsmonitor", ""],
  // A repository's settings cannot hide that a file changed.
  ["core.trustctime", "true"],
  ["core.checkStat", "default"],
  ["core.ignoreStat", "false"],
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

/**
 * Filters are programs that git runs on files to compare them. There is no switch for all of them, so each
 * one is emptied.
 */
function withoutFilters(keys: readonly string[]): readonly Setting[] {
  const names = new Set(keys.flatMap((key) => /^filter\.(.*)\.[^.]*$/s.exec(key)?.[1] ?? []))
  return [...names].flatMap((name): readonly Setting[] => [
    [`filter.${name}.clean`, ""],
    [`filter.${name}.smudge`, ""],
    [`filter.${name}.process`, ""],
    [`filter.${name}.required`, "false"],
  ])
}

/** Passed in the environment and not with -c, which cannot express a name with "=" in it. */
const settingsFor = (settings: readonly Setting[]): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(settings.length)],
    ...settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ])
