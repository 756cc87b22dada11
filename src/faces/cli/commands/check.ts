import { existsSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import { formats } from "../../../definitions/formats/index.ts"
import { readSourceFile } from "../../../definitions/formats/source.ts"
import type { ReadFile } from "../../../definitions/registry/file.ts"
import {
  type HookFile,
  hookFiles,
  hookFilesAt,
  isOfHooks,
  userHookFolders,
} from "../../../definitions/registry/hook-files.ts"
import type { SubagentRegistry } from "../../../definitions/registry/registry.ts"
import { surroundingsOf, type Workspace } from "../../../definitions/registry/workspace.ts"
import { rules } from "../../../definitions/rules/index.ts"
import { maskSecrets } from "../../../definitions/rules/secrets/secrets.ts"
import type { Diagnostic } from "../../../ground/diagnostics/diagnostic.ts"
import { renderGithub } from "../../../ground/diagnostics/render-github.ts"
import { diagnosticJson } from "../../../ground/diagnostics/render-json.ts"
import { renderSarif } from "../../../ground/diagnostics/render-sarif.ts"
import { renderText } from "../../../ground/diagnostics/render-text.ts"
import { shownPath } from "../../../ground/diagnostics/shown-path.ts"
import { isBelow, isInside } from "../../../ground/paths/inside.ts"
import { version } from "../../../ground/version.ts"
import { fixedText, fixFindings, vetFindings } from "../check/fix-findings.ts"
import { defineCommand, type Surroundings } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { ownFiles } from "../own-files.ts"
import { jsonText } from "../terminal/json-text.ts"
import { UsageError } from "../usage-error.ts"

export const command = defineCommand({
  name: "check",
  summary: "Check agent files and show each problem with its line and a fix",
  arguments: [
    {
      name: "path",
      doc: "Files and folders to check. Default: all agents, hooks, workflows and settings that are used here",
      count: "any",
      complete: "file",
    },
  ],
  options: {
    strict: { type: "flag", doc: "Treat every warning as an error" },
    fix: { type: "flag", doc: "Fix what can be fixed without changing its meaning" },
    format: {
      type: "value",
      value: "FORMAT",
      doc: "Output format",
      choices: ["text", "json", "github", "sarif"],
    },
    json: { type: "flag", doc: "Short for --format json" },
    as: { type: "value", value: "FORMAT", doc: "Read every file as this format" },
  },
  examples: [
    { line: "cadre check", doc: "Check every agent of the project and the user" },
    {
      line: "cadre check .claude/agents --strict --format github",
      doc: "In CI: fail on any warning, with annotations",
    },
    {
      line: "cadre check agents/ --as claude --fix",
      doc: "Fix a folder of agent files that is not in a usual place",
    },
  ],
  async run({
    arguments: given,
    options,
    stdout,
    stderr,
    directory,
    environment,
    isTerminal,
    colour,
    columns,
    now,
  }) {
    const progress = progressOf(stderr, isTerminal)
    const { startFindings } = await import("../check/starts.ts")
    const check = async () => {
      const found = loaded(given.path, options.as, { directory, environment }, progress.onRead)
      const starts = await startFindings(
        { directory, environment, ...(now && { now }) },
        workspaceIn(found),
        found.isAsked,
      )
      progress.clear()
      const { files, diagnostics, settings } = await examined(found, starts)
      const severe = diagnostics.map((diagnostic) =>
        options.strict && diagnostic.severity === "warning"
          ? { ...diagnostic, severity: "error" as const }
          : diagnostic,
      )
      return { ...found, files, settings, diagnostics: severe, agents: ownFiles(found.registry) }
    }
    const result = options.fix ? await fixFindings(check) : undefined
    const found = result?.found ?? (await check())
    const { files } = found
    if (files.length === 0 && given.path.length > 0)
      throw new UsageError(
        `There are no files of agents, hooks, workflows or settings in ${given.path.join(", ")}. Nothing was checked.`,
      )
    const diagnostics = result?.diagnostics ?? vetFindings(found)
    const format = options.json ? "json" : (options.format ?? "text")
    stdout.write(
      printed(format, diagnostics, files, {
        base: directory,
        colour,
        ...(columns !== undefined && { width: columns }),
        ...(result && { fixed: result.changed }),
      }),
    )
    const unread = given.path.length > 0 && files.every(({ format }) => format === undefined)
    if (unread && format === "text") stdout.write(`${nothingChecked(files.length)}\n`)
    if (result && format !== "json")
      (format === "text" ? stdout : stderr).write(`${fixedText(result.changed, diagnostics, directory)}\n`)
    const isWrong = unread || diagnostics.some(({ severity }) => severity === "error")
    return isWrong ? exitCode.problems : exitCode.fine
  },
})

/** Whoever asks for a check of files that cannot be checked must not take the answer for a success. */
const nothingChecked = (count: number): string =>
  `Nothing was checked: ${count === 1 ? "the file is not one" : `none of the ${count} files is one`} of a format that cadre reads.`

/** Everything there is to say about what was asked for. */
async function examined(found: Loaded, starts: readonly Diagnostic[]) {
  const { surroundings, registry, hookFiles, isAsked } = found
  const { checkedHooks } = await import("../../../definitions/gates/check-hooks.ts")
  const hooked = checkedHooks(surroundings, registry, hookFiles)
  const settings = surroundings.configuration.files.map((file) => ({
    path: file,
    text: textOf(file, surroundings.levels.at(-1)),
    ...ofSettings,
  }))
  const { workflowFindings } = await import("../../../definitions/gates/check-workflows.ts")
  const { foreignPipelines } = await import("../check/pipelines.ts")
  const { foreignSettings } = await import("../../../definitions/gates/foreign-settings.ts")
  const { configuration } = surroundings
  const inParts = [
    ...hooked.diagnostics,
    ...workflowFindings(surroundings, registry, hookFiles),
    ...foreignPipelines(hookFiles, configuration.rules),
    ...foreignSettings(surroundings, configuration.rules),
  ]
  return {
    settings,
    files: [
      ...ownFiles(registry),
      ...settings,
      ...hooked.files.map(({ path: file, text }) => ({ path: file, text, ...noAgent })),
    ].filter(({ path: file }) => isAsked(file)),
    diagnostics: [
      ...surroundings.diagnostics,
      ...inParts,
      ...registry.diagnostics(),
      ...starts.filter((start) => !inParts.some((other) => isToldBy(other, start, found))),
    ].filter(({ file }) => file === undefined || isAsked(file)),
  }
}

type CheckedFile = Pick<ReadFile, "path" | "text" | "repaired"> & {
  readonly format: { readonly id: string } | undefined
  readonly agent: ReadFile["agent"]
}

const noAgent = { format: { id: "hooks" }, agent: undefined, repaired: false } as const
const ofSettings = { ...noAgent, format: { id: "configuration" } } as const

/** Where it cannot be read, that is a finding already. */
function textOf(file: string, root: string | undefined): string {
  const isProjects = root !== undefined && isBelow(root, file)
  const reading = readSourceFile(file, isProjects ? root : undefined)
  return reading.type === "refused" ? "" : reading.source.text
}

interface Loaded {
  readonly registry: SubagentRegistry
  readonly surroundings: ReturnType<typeof surroundingsOf>
  /** Whether a file is among those that the command was called for. */
  readonly isAsked: (file: string) => boolean
  /** Why a file is not to be written; undefined where it may be. */
  readonly whyNot: (file: string) => string | undefined
  /** Files of hooks and workflows: the usual ones, and those that the command was called for. */
  readonly hookFiles: readonly HookFile[]
}

/** Everything around is read too, because an agent may name another; only what was asked for is told and mended. */
function loaded(
  paths: readonly string[],
  format: string | undefined,
  { directory, environment }: Pick<Surroundings, "directory" | "environment">,
  onRead: (file: string) => void,
): Loaded {
  if (format !== undefined && paths.length === 0) throw new UsageError("--as needs a path.")
  if (format !== undefined && !formats.some(({ id }) => id === format))
    throw new UsageError(
      `There is no format ${JSON.stringify(format)}. Known: ${formats.map(({ id }) => id).join(", ")}.`,
    )
  const surroundings = surroundingsOf({ cwd: directory, home: environment.HOME ?? os.homedir(), environment })
  const registry = surroundings.registry(onRead)
  const targets = paths.map((target) => path.resolve(directory, target))
  const isIn = (folders: readonly string[]) => (file: string) =>
    folders.some((folder) => isInside(folder, file))
  // Its name does not tell: anywhere else `agents/` has files of Claude Code.
  const isOwn = isIn([path.join(surroundings.userFolder, "agents")])
  const isUsersHooks = isIn(userHookFolders(surroundings))
  const { files, agentsDir, packages, hideBuiltInAgents } = surroundings.configuration
  // Without agents there is nothing in it but settings, hooks and workflows.
  const isBare = (target: string) =>
    (target === surroundings.userFolder || /^\.(cadre|gobby)$/.test(path.basename(target))) &&
    !existsSync(path.join(target, "agents"))
  for (const [index, target] of targets.entries()) {
    if (!existsSync(target))
      throw new UsageError(`There is no file or folder ${JSON.stringify(paths[index])}.`)
    const isOther =
      [isOfHooks, isUsersHooks, isBare, isSettings].some((is) => is(target)) || files.includes(target)
    if (format !== undefined || !isOther)
      registry.loadFromPath(target, format ?? (isOwn(target) ? "cadre" : undefined))
  }
  const usual = hookFiles(surroundings)
  const others = targets
    .flatMap(hookFilesAt)
    .filter(({ file }) => !usual.some((known) => known.file === file))
  const filesOfHooks = [...usual, ...others]
  registry.loadBuiltIn({ hide: hideBuiltInAgents })
  registry.autoDiscover({ ...surroundings, agentsDir, packages })
  if (paths.length > 0)
    return {
      registry,
      surroundings,
      hookFiles: filesOfHooks,
      isAsked: isIn(targets),
      whyNot: (file) => (isIn(targets)(file) ? undefined : "it was not named"),
    }
  // Where nothing was named, what belongs to the user or to a package is told and not written.
  const isInProject = isIn(surroundings.levels.slice(-1))
  return {
    registry,
    surroundings,
    hookFiles: filesOfHooks,
    isAsked: () => true,
    whyNot: (file) => {
      if (file.includes(`${path.sep}node_modules${path.sep}`)) return "it belongs to a package"
      return isInProject(file) && !isIn(userFolders(surroundings))(file)
        ? undefined
        : `it is not in this project; \`cadre check ${file} --fix\` writes it`
    },
  }
}

/** As a run would find it. */
const workspaceIn = ({ registry, surroundings, hookFiles: files }: Loaded): Workspace => ({
  registry,
  levels: surroundings.levels,
  configuration: surroundings.configuration,
  skills: surroundings.skills,
  rules: [],
  hookFiles: files,
  diagnostics: surroundings.diagnostics,
})

/** Those who look at hooks and workflows may have found it, too. Of a file of theirs they tell all that is wrong. */
const isToldBy = (told: Diagnostic, start: Diagnostic, { hookFiles: files }: Loaded): boolean =>
  told.file === start.file &&
  told.severity === "error" &&
  (files.some(({ file }) => file === start.file) ||
    (told.code === start.code &&
      // A run knows the tools of its program, too, and lists them.
      (told.message === start.message || told.code === "hook-tool-unknown") &&
      told.range.start.line === start.range.start.line &&
      told.range.start.column === start.range.start.column))

/** Also of a project that is not this one, whose settings nobody looks at here. */
const isSettings = (file: string): boolean => file.endsWith(path.join(path.sep, ".cadre", "config.yaml"))

const userFolders = ({ home, userFolder }: { home: string; userFolder: string }): readonly string[] => [
  userFolder,
  ...formats.flatMap(({ locations }) => locations.user.map((folder) => path.join(home, folder))),
]

function printed(
  format: "text" | "json" | "github" | "sarif",
  found: readonly Diagnostic[],
  files: readonly CheckedFile[],
  view: { base: string; colour: "on" | "off"; width?: number; fixed?: readonly string[] },
): string {
  switch (format) {
    case "json":
      return jsonText({
        files: files.map(({ path: file, format, agent, repaired }) => ({
          file: shownPath(file, view.base),
          format: format?.id ?? null,
          agent: agent?.name ?? null,
          repaired,
        })),
        diagnostics: found.map((diagnostic) => diagnosticJson(diagnostic, view.base)),
        ...(view.fixed && { fixed: view.fixed.map((file) => shownPath(file, view.base)) }),
      })
    case "github":
      return renderGithub(found, { base: view.base })
    case "sarif":
      return renderSarif(found, {
        version,
        base: view.base,
        rules: rules.map(({ code, title, why }) => ({
          id: code,
          shortDescription: title,
          fullDescription: why,
        })),
      })
    case "text": {
      const texts = new Map(files.map(({ path: file, text }) => [file, text]))
      // Of what was not read there is nothing to show.
      const source = (file: string) => maskSecrets(texts.get(file) ?? "") || undefined
      return renderText(found, { ...view, source, files: files.length })
    }
  }
}

/** A line that counts on a terminal; nothing where nobody looks. */
function progressOf(stderr: Surroundings["stderr"], isTerminal: boolean) {
  let count = 0
  return {
    onRead: () => {
      count++
      if (isTerminal && count % 100 === 0) stderr.write(`\rChecking … ${count} files`)
    },
    clear: () => {
      if (isTerminal && count >= 100) stderr.write("\r\u001b[K")
    },
  }
}
