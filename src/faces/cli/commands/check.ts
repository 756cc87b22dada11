import { existsSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import { formats } from "../../../definitions/formats/index.ts"
import { readSourceFile } from "../../../definitions/formats/source.ts"
import type { DefinitionFile } from "../../../definitions/registry/file.ts"
import {
  findHookFiles,
  findHookFilesAt,
  type HookFile,
  isHookPath,
  listUserHookFolders,
} from "../../../definitions/registry/hook-files.ts"
import type { SubagentRegistry } from "../../../definitions/registry/registry.ts"
import { readSurroundings, type Workspace } from "../../../definitions/registry/workspace.ts"
import { rules } from "../../../definitions/rules/index.ts"
import { hideSecrets } from "../../../definitions/rules/secrets/hide-secrets.ts"
import { readServerFiles } from "../../../definitions/servers/server-files.ts"
import type { Diagnostic } from "../../../ground/diagnostics/diagnostic.ts"
import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import { renderGithub } from "../../../ground/diagnostics/render-github.ts"
import { toDiagnosticJson } from "../../../ground/diagnostics/render-json.ts"
import { renderSarif } from "../../../ground/diagnostics/render-sarif.ts"
import { renderText } from "../../../ground/diagnostics/render-text.ts"
import { isBelow, isInside } from "../../../ground/paths/inside.ts"
import { version } from "../../../ground/version.ts"
import { fixFindings, fixResultText, vetFindings } from "../check/fix-findings.ts"
import { defineCommand, type ProcessContext } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { listOwnFiles } from "../own-files.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { UsageError } from "../usage-error.ts"

export const checkCommand = defineCommand({
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
    arguments: values,
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
    const { findStartFindings } = await import("../check/starts.ts")
    const check = async () => {
      const loadedFiles = loadFiles(values.path, options.as, { directory, environment }, progress.onRead)
      const starts = await findStartFindings(
        { directory, environment, ...(now && { now }) },
        workspaceIn(loadedFiles),
        loadedFiles.isAsked,
      )
      progress.clear()
      const { files, diagnostics, settings } = await examineFiles(loadedFiles, starts)
      const severe = diagnostics.map((diagnostic) =>
        options.strict && diagnostic.severity === "warning"
          ? { ...diagnostic, severity: "error" as const }
          : diagnostic,
      )
      return {
        ...loadedFiles,
        files,
        settings,
        diagnostics: severe,
        agents: listOwnFiles(loadedFiles.registry),
      }
    }
    const result = options.fix ? await fixFindings(check) : undefined
    const checked = result?.result ?? (await check())
    const { files } = checked
    if (files.length === 0 && values.path.length > 0)
      throw new UsageError(
        `Nothing was checked: there are no agents, hooks, workflows or settings in ${values.path.join(", ")}.`,
      )
    const diagnostics = result?.diagnostics ?? vetFindings(checked)
    const format = options.json ? "json" : (options.format ?? "text")
    stdout.write(
      printFindings(format, diagnostics, files, {
        base: directory,
        colour,
        ...(columns !== undefined && { width: columns }),
        ...(result && { fixed: result.changed }),
      }),
    )
    const unread = values.path.length > 0 && files.every(({ format }) => format === undefined)
    if (unread && format === "text") stdout.write(`${nothingChecked(files.length)}\n`)
    if (result && format !== "json")
      (format === "text" ? stdout : stderr).write(
        `${fixResultText(result.changed, diagnostics, directory)}\n`,
      )
    const isWrong = unread || diagnostics.some(({ severity }) => severity === "error")
    return isWrong ? exitCode.problems : exitCode.fine
  },
})

/** The message for files that cannot be checked. The command fails, so that this is not taken for a success. */
const nothingChecked = (count: number): string =>
  `Nothing was checked: cadre cannot read the format of ${count === 1 ? "the file" : `any of the ${count} files`}.`

/** All findings and all checked files, for the paths that the user named. */
async function examineFiles(loadedFiles: LoadedFiles, starts: readonly Diagnostic[]) {
  const { surroundings, registry, hookFiles, isAsked } = loadedFiles
  const { checkAllHooks } = await import("../../../definitions/gates/check-hooks.ts")
  const hooked = checkAllHooks(surroundings, registry, hookFiles)
  const settings = surroundings.configuration.files.map((file) => ({
    path: file,
    text: textOf(file, surroundings.levels.at(-1)),
    ...ofSettings,
  }))
  const { checkWorkflowFiles } = await import("../../../definitions/gates/check-workflows.ts")
  const { checkForeignPipelines } = await import("../check/pipelines.ts")
  const { findForeignSettings } = await import("../../../definitions/gates/foreign-settings.ts")
  const { checkServerFiles } = await import("../../../definitions/authority/trusted-servers.ts")
  const { configuration } = surroundings
  const serverFiles = readServerFiles(surroundings)
  const inParts = [
    ...hooked.diagnostics,
    ...checkWorkflowFiles(surroundings, registry, hookFiles),
    ...checkForeignPipelines(hookFiles, configuration.rules),
    ...findForeignSettings(surroundings, configuration.rules),
    ...checkServerFiles({ serverFiles, configuration }),
  ]
  // They are no agents, but they are checked all the same.
  const serverPaths = new Set(serverFiles.map(({ file }) => file))
  return {
    settings,
    files: [
      ...listOwnFiles(registry).filter(({ path: file }) => !serverPaths.has(file)),
      ...settings,
      ...serverFiles
        .filter(({ kind, content }) => kind === "mcp" || content)
        .map(({ file }) => ({ path: file, text: textOf(file, surroundings.levels.at(-1)), ...ofServers })),
      ...hooked.files.map(({ path: file, text }) => ({ path: file, text, ...noAgent })),
    ].filter(({ path: file }) => isAsked(file)),
    diagnostics: [
      ...surroundings.diagnostics,
      ...inParts,
      ...registry
        .diagnostics()
        .filter(({ code, file = "" }) => code !== "format-later" || !serverPaths.has(file)),
      ...starts.filter((start) => !inParts.some((other) => isReportedBy(other, start, loadedFiles))),
    ].filter(({ file }) => file === undefined || isAsked(file)),
  }
}

type CheckedFile = Pick<DefinitionFile, "path" | "text" | "repaired"> & {
  readonly format: { readonly id: string } | undefined
  readonly agent: DefinitionFile["agent"]
}

const noAgent = { format: { id: "hooks" }, agent: undefined, repaired: false } as const
const ofServers = { ...noAgent, format: { id: "mcp-servers" } } as const
const ofSettings = { ...noAgent, format: { id: "configuration" } } as const

/** The text of a file. Empty if the file cannot be read: another finding reports that already. */
function textOf(file: string, root: string | undefined): string {
  const isInProject = root !== undefined && isBelow(root, file)
  const reading = readSourceFile(file, isInProject ? root : undefined)
  return reading.type === "refused" ? "" : reading.source.text
}

interface LoadedFiles {
  readonly registry: SubagentRegistry
  readonly surroundings: ReturnType<typeof readSurroundings>
  /** True for a file among the paths that the user named. */
  readonly isAsked: (file: string) => boolean
  /** The reason not to write a file; undefined if the file may be written. */
  readonly whyNot: (file: string) => string | undefined
  /** Hook and workflow files: those in the usual places, and those that the user named. */
  readonly hookFiles: readonly HookFile[]
}

/** Reads all definitions, because agents may name each other. Only the named paths are reported and fixed. */
function loadFiles(
  paths: readonly string[],
  format: string | undefined,
  { directory, environment }: Pick<ProcessContext, "directory" | "environment">,
  onRead: (file: string) => void,
): LoadedFiles {
  if (format !== undefined && paths.length === 0)
    throw new UsageError("--as needs a path: name the files or folders to check.")
  if (format !== undefined && !formats.some(({ id }) => id === format))
    throw new UsageError(
      `Unknown format ${JSON.stringify(format)}. Known: ${formats.map(({ id }) => id).join(", ")}.`,
    )
  const surroundings = readSurroundings({
    cwd: directory,
    home: environment.HOME ?? os.homedir(),
    environment,
  })
  const registry = surroundings.registry(onRead)
  const targets = paths.map((target) => path.resolve(directory, target))
  const isIn = (folders: readonly string[]) => (file: string) =>
    folders.some((folder) => isInside(folder, file))
  // The folder name does not decide: in any other place, `agents/` has files of Claude Code.
  const isUserAgent = isIn([path.join(surroundings.userFolder, "agents")])
  const isUsersHooks = isIn(listUserHookFolders(surroundings))
  const { files, agentsDir, packages, hideBuiltInAgents } = surroundings.configuration
  // A folder without `agents` has only settings, hooks and workflows.
  const isBare = (target: string) =>
    (target === surroundings.userFolder || /^\.(cadre|gobby)$/.test(path.basename(target))) &&
    !existsSync(path.join(target, "agents"))
  for (const [index, target] of targets.entries()) {
    if (!existsSync(target))
      throw new UsageError(`File or folder not found: ${JSON.stringify(paths[index])}.`)
    const isOther =
      [isHookPath, isUsersHooks, isBare, isSettings].some((is) => is(target)) || files.includes(target)
    if (format !== undefined || !isOther)
      registry.loadFromPath(target, format ?? (isUserAgent(target) ? "cadre" : undefined))
  }
  const usual = findHookFiles(surroundings)
  const others = targets
    .flatMap(findHookFilesAt)
    .filter(({ file }) => !usual.some((usualFile) => usualFile.file === file))
  const filesOfHooks = [...usual, ...others]
  registry.loadBuiltIn({ hide: hideBuiltInAgents })
  registry.autoDiscover({ ...surroundings, agentsDir, packages })
  if (paths.length > 0)
    return {
      registry,
      surroundings,
      hookFiles: filesOfHooks,
      isAsked: isIn(targets),
      whyNot: (file) => (isIn(targets)(file) ? undefined : "it is not among the paths that you named"),
    }
  // Without paths, files of the user and of packages are checked but not written.
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
        : `it is outside this project; \`cadre check ${file} --fix\` fixes it`
    },
  }
}

/** The workspace as a run would find it. */
const workspaceIn = ({ registry, surroundings, hookFiles: files }: LoadedFiles): Workspace => ({
  registry,
  levels: surroundings.levels,
  configuration: surroundings.configuration,
  skills: surroundings.skills,
  rules: [],
  hookFiles: files,
  serverFiles: readServerFiles(surroundings),
  diagnostics: surroundings.diagnostics,
})

/** True if the checks of hooks and workflows report the same problem. They report every problem in their own files. */
const isReportedBy = (other: Diagnostic, start: Diagnostic, { hookFiles: files }: LoadedFiles): boolean =>
  other.file === start.file &&
  other.severity === "error" &&
  (files.some(({ file }) => file === start.file) ||
    (other.code === start.code &&
      // The run's message differs: it also lists the tools of the program.
      (other.message === start.message || other.code === "hook-tool-unknown") &&
      other.range.start.line === start.range.start.line &&
      other.range.start.column === start.range.start.column))

/** True also for the settings of another project, which do not take effect here. */
const isSettings = (file: string): boolean => file.endsWith(path.join(path.sep, ".cadre", "config.yaml"))

const userFolders = ({ home, userFolder }: { home: string; userFolder: string }): readonly string[] => [
  userFolder,
  ...formats.flatMap(({ locations }) => locations.user.map((folder) => path.join(home, folder))),
]

function printFindings(
  format: "text" | "json" | "github" | "sarif",
  findings: readonly Diagnostic[],
  files: readonly CheckedFile[],
  view: { base: string; colour: "on" | "off"; width?: number; fixed?: readonly string[] },
): string {
  switch (format) {
    case "json":
      return writeJsonText({
        files: files.map(({ path: file, format, agent, repaired }) => ({
          file: toDisplayPath(file, view.base),
          format: format?.id ?? null,
          agent: agent?.name ?? null,
          repaired,
        })),
        diagnostics: findings.map((diagnostic) => toDiagnosticJson(diagnostic, view.base)),
        ...(view.fixed && { fixed: view.fixed.map((file) => toDisplayPath(file, view.base)) }),
      })
    case "github":
      return renderGithub(findings, { base: view.base })
    case "sarif":
      return renderSarif(findings, {
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
      // A file that was not read has no lines to show.
      const source = (file: string) =>
        hideSecrets(
          texts.get(file) ?? "",
          findings.filter((finding) => finding.file === file),
        ) || undefined
      return renderText(findings, { ...view, source, files: files.length })
    }
  }
}

/** Shows the number of checked files on a terminal. Without a terminal, shows nothing. */
function progressOf(stderr: ProcessContext["stderr"], isTerminal: boolean) {
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
