import path from "node:path"
import type { Agent, ToolDefinition } from "../../agent/agent.ts"
import { getFormatTraits } from "../../agent/format-traits.ts"
import type { Access, ScriptTool, ToolContext, ToolEffect, ToolOutput, WorkPlace } from "../../agent/tool.ts"
import { findUnknownExternals, hostFunctions } from "../../definitions/scripts/host-functions.ts"
import {
  detectScriptLanguage,
  readScriptFile,
  type Script,
} from "../../definitions/scripts/read-script-file.ts"
import type { JsonMap } from "../../ground/message.ts"
import { deriveScriptParameters } from "../../language/script/parameters.ts"
import type { BashToolOptions } from "../tools/bash.ts"
import { type FileToolOptions, openToolWorkspace, type ToolWorkspace } from "../tools/workspace.ts"
import { callInputs } from "./call-inputs.ts"
import type { Evidence, ScriptHost } from "./externals.ts"
import { createScriptFailure, type ScriptFailure, type ScriptResult } from "./result.ts"

/** The place of the scripts of a program's agents. */
export interface ScriptToolOptions {
  readonly files?: Partial<FileToolOptions>
  readonly command?: BashToolOptions
  /**
   * True if the user trusts this content. It is asked about scripts of a project's definitions, which do not run without
   * it. Scripts of the user and of definitions in code need no trust.
   */
  isTrusted?(file: string, hash: string): boolean
}

/** The script of a definition, with the description and parameters that a model is told. */
export function bindScript(
  definition: ToolDefinition,
  agent: Agent,
  { isTrusted }: ScriptToolOptions,
): ScriptTool | { readonly problem: string } {
  const files = [definition.script, ...(definition.contextProviders ?? [])]
  const scripts: Script[] = []
  for (const file of files) {
    const script = readSound(file)
    if ("error" in script) return { problem: `${script.code}: ${script.message}` }
    if (needsTrust(agent) && !isTrusted?.(file, script.hash))
      return { problem: `you have not trusted ${file} as it is now. Review it with \`cadre trust\`.` }
    scripts.push(script)
  }
  const [script] = scripts as [Script, ...Script[]]
  const { injectedInputs = [] } = getFormatTraits(agent.origin.format)
  const derived = deriveScriptParameters(script.inputs, {
    injected: injectedInputs,
    ...(definition.inputs && { overrides: definition.inputs }),
  })
  return {
    description:
      definition.description.trim() || script.description || `Runs ${path.basename(definition.script)}.`,
    input: definition.parameters ?? derived.schema,
    effect: effectOf(scripts),
    listed: scripts.map(({ hash }) => hash).join(" "),
    needs: [...new Set(scripts.flatMap(needsOf))],
  }
}

const needsOf = ({ language, externals }: Script): readonly string[] =>
  language === "program" ? ["Bash"] : externals.flatMap(({ name }) => hostFunctions[name]?.tool ?? [])

/** An engine without functions of the host has no access at all, so a script that only computes changes nothing. */
function effectOf(scripts: readonly Script[]): ToolEffect {
  if (scripts.some(({ language }) => language === "program")) return "opaque"
  const isReading = scripts.flatMap(needsOf).every((tool) => tool === "Read" || tool === "LS")
  return isReading ? "read" : "keyed"
}

/** Definitions of a project and of its packages are files that others may have written. */
const needsTrust = ({ origin: { scope } }: Agent): boolean => scope === "project" || scope === "package"

/** A script without errors in it. */
function readSound(file: string): Script | ScriptFailure {
  const reading = readScriptFile(file)
  if (reading.type === "refused") return createScriptFailure(reading.code, reading.message)
  const { script } = reading
  const problem = [...script.problems, ...findUnknownExternals(script)].find(
    ({ severity }) => severity === "error",
  )
  if (!problem) return script
  const place = `${script.file}:${problem.line}:${problem.column}`
  return createScriptFailure("GRAIL_CHECK", `${place}: ${problem.code}: ${problem.message}`, {
    line: problem.line,
    column: problem.column,
  })
}

/** The widest accesses that the external functions of a script may need. Single accesses are judged when they happen. */
export async function listScriptAccesses(
  { cwd, toolDefinition }: WorkPlace,
  { command }: ScriptToolOptions,
): Promise<readonly Access[]> {
  if (!toolDefinition) return []
  const accesses: Access[] = []
  for (const file of [toolDefinition.script, ...(toolDefinition.contextProviders ?? [])]) {
    if (detectScriptLanguage(file) === "program") {
      const { findFolderSandbox } = await import("../sandbox/find-sandbox.ts")
      const isBoxed = command?.sandbox !== "off" && "path" in (await findFolderSandbox(command?.root ?? cwd))
      accesses.push({ type: "command", text: file, loose: isBoxed ? "boxed" : "free" })
      continue
    }
    const script = readSound(file)
    if ("error" in script) continue
    accesses.push(...script.externals.flatMap(({ name }) => hostFunctions[name]?.widest(cwd) ?? []))
  }
  return accesses.filter((one, index) => accesses.findIndex((other) => isSame(one, other)) === index)
}

const isSame = (one: Access, other: Access): boolean => JSON.stringify(one) === JSON.stringify(other)

export async function execute(
  input: JsonMap,
  context: ToolContext,
  options: ScriptToolOptions,
): Promise<ToolOutput> {
  const { toolDefinition, listed } = context
  if (!toolDefinition)
    return toOutput(createScriptFailure("LOAD_ERROR", "No definition of this run brings the script."), [])
  const files = [...(toolDefinition.contextProviders ?? []), toolDefinition.script]
  const hashes = listed?.split(" ") ?? []
  const host = openHost(context, options)
  const inputsOf = (script: Script, input: JsonMap) => callInputs(script.inputs, input, context.injected)
  const outputs: string[] = []
  for (const [part, file] of files.entries()) {
    const isTool = part === files.length - 1
    const script = readPinned(file, isTool ? hashes[0] : hashes[part + 1])
    const result =
      "error" in script ? script : await runPart(part, script, inputsOf(script, isTool ? input : {}), host)
    if (result.error) return toOutput(result, outputs, host.evidence)
    outputs.push(isTool && typeof result.value === "string" ? result.value : JSON.stringify(result.value))
  }
  return { text: outputs.join("\n"), ...evidenceOf(host.evidence) }
}

/** The content that the run began with. Another content was neither reviewed nor trusted for it. */
function readPinned(file: string, hash: string | undefined): Script | ScriptFailure {
  const script = readSound(file)
  if ("error" in script || script.hash === hash) return script
  return createScriptFailure(
    "LOAD_ERROR",
    `The script ${file} has changed since this run began. Start a new run.`,
  )
}

async function runPart(
  part: number,
  script: Script,
  inputs: JsonMap,
  host: ScriptHost,
): Promise<ScriptResult> {
  if (script.language === "program") {
    const { runProgramScript } = await import("./run-program.ts")
    return runProgramScript(script, inputs, host)
  }
  const { openJournal } = await import("./journal.ts")
  const { runScript } = await import("./run-script.ts")
  const { external, resume } = openJournal(part, host)
  const end = await runScript(script, { inputs, external, resume, signal: host.context.signal })
  return end.error === "paused" ? createScriptFailure("INTERNAL", "The script was paused.") : end
}

function openHost(context: ToolContext, { files, command = {} }: ScriptToolOptions): ScriptHost {
  const root = files?.root ?? command.root ?? context.cwd
  const workspace: ToolWorkspace = openToolWorkspace({ ...files, root })
  return { context, workspace, command, evidence: { read: [], files: [], commands: [] } }
}

/** A failure in the words of Remora's executor, below what the context providers gave. */
function toOutput(result: ScriptFailure, outputs: readonly string[], evidence?: Evidence): ToolOutput {
  const { code, message, limit, line, column } = result
  const text = JSON.stringify({
    error: true,
    code,
    ...(limit !== undefined && { limit_type: limit }),
    ...(line !== undefined && { lineno: line }),
    ...(column !== undefined && { column }),
    message,
  })
  return {
    text: [...outputs, text].join("\n"),
    isError: true,
    ...(code === "INTERRUPTED" && { isUnknown: true }),
    ...(evidence && evidenceOf(evidence)),
  }
}

const evidenceOf = (evidence: Evidence): Pick<ToolOutput, "evidence"> =>
  Object.values(evidence).some((list) => list.length > 0) ? { evidence } : {}
