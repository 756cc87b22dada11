import { existsSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import type { Diagnostic } from "../../diagnostics/diagnostic.ts"
import { renderGithub } from "../../diagnostics/render-github.ts"
import { diagnosticJson } from "../../diagnostics/render-json.ts"
import { renderSarif } from "../../diagnostics/render-sarif.ts"
import { renderText } from "../../diagnostics/render-text.ts"
import { shownPath } from "../../diagnostics/shown-path.ts"
import { formats } from "../../formats/index.ts"
import type { ReadFile } from "../../registry/file.ts"
import { fixFiles } from "../../registry/fix.ts"
import type { SubagentRegistry } from "../../registry/registry.ts"
import { surroundingsOf } from "../../registry/workspace.ts"
import { rules } from "../../rules/index.ts"
import { version } from "../../version.ts"
import { defineCommand, type Surroundings } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { UsageError } from "../usage-error.ts"
import { jsonText } from "../workspace.ts"

export const command = defineCommand({
  name: "check",
  summary: "Check definitions, and say what is wrong where",
  arguments: [
    {
      name: "path",
      doc: "Files and folders; left out, everything that `cadre list` shows",
      count: "any",
      complete: "file",
    },
  ],
  options: {
    strict: { type: "flag", doc: "Treat every warning as an error" },
    fix: { type: "flag", doc: "Write what can be mended without changing its meaning" },
    format: {
      type: "value",
      value: "FORMAT",
      doc: "How to print what was found",
      choices: ["text", "json", "github", "sarif"],
    },
    json: { type: "flag", doc: "The same as --format json" },
    as: { type: "value", value: "FORMAT", doc: "Read every file as one of this format" },
  },
  examples: [
    { line: "cadre check", doc: "Check every agent of the project and the user" },
    {
      line: "cadre check .claude/agents --strict --format github",
      doc: "Fail a workflow on any warning, with annotations",
    },
    { line: "cadre check agents/ --as claude --fix", doc: "Mend a folder of files that lie somewhere else" },
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
  }) {
    const progress = progressOf(stderr, isTerminal)
    const load = () => loaded(given.path, options.as, { directory, environment }, progress.onRead)
    let { registry, configured } = load()
    const fixed = options.fix ? fixFiles(registry) : []
    if (fixed.length > 0) ({ registry, configured } = load())
    progress.clear()
    const files = registry.files()
    const found = [...configured, ...registry.diagnostics()].map((diagnostic) =>
      options.strict && diagnostic.severity === "warning"
        ? { ...diagnostic, severity: "error" as const }
        : diagnostic,
    )
    stdout.write(
      printed(options.json ? "json" : (options.format ?? "text"), found, files, {
        base: directory,
        colour,
        ...(columns !== undefined && { width: columns }),
      }),
    )
    if (fixed.length > 0 && !options.json && (options.format ?? "text") === "text")
      stdout.write(`Fixed ${fixed.map((file) => shownPath(file, directory)).join(", ")}.\n`)
    return found.some(({ severity }) => severity === "error") ? exitCode.problems : exitCode.fine
  },
})

interface Loaded {
  readonly registry: SubagentRegistry
  /** What is wrong with the configuration, where everything is checked. */
  readonly configured: readonly Diagnostic[]
}

function loaded(
  paths: readonly string[],
  format: string | undefined,
  { directory, environment }: Pick<Surroundings, "directory" | "environment">,
  onRead: (file: string) => void,
): Loaded {
  const surroundings = surroundingsOf({ cwd: directory, home: environment.HOME ?? os.homedir(), environment })
  const registry = surroundings.registry(onRead)
  if (paths.length === 0) {
    registry.autoDiscover({ ...surroundings, agentsDir: surroundings.configuration.agentsDir })
    return { registry, configured: surroundings.diagnostics }
  }
  if (format !== undefined && !formats.some(({ id }) => id === format))
    throw new UsageError(
      `There is no format ${JSON.stringify(format)}. Known: ${formats.map(({ id }) => id).join(", ")}.`,
    )
  for (const target of paths) {
    const full = path.resolve(directory, target)
    if (!existsSync(full)) throw new UsageError(`There is no file or folder ${JSON.stringify(target)}.`)
    registry.loadFromPath(full, format)
  }
  return { registry, configured: [] }
}

function printed(
  format: "text" | "json" | "github" | "sarif",
  found: readonly Diagnostic[],
  files: readonly ReadFile[],
  view: { base: string; colour: "on" | "off"; width?: number },
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
      return renderText(found, { ...view, source: (file) => texts.get(file), files: files.length })
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
