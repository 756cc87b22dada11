import fs from "node:fs"
import type { ToolContext } from "../../agent/tool.ts"
import type { Json, JsonMap } from "../../ground/message.ts"
import { replaceFile } from "../../ground/paths/change-file.ts"
import { openFile, readBytes } from "../../ground/paths/open-file.ts"
import { toPathRefusal } from "../../ground/paths/refusal.ts"
import { type BashToolOptions, findCommandAccesses, prepareCommand } from "../tools/bash.ts"
import { moveOptions } from "../tools/command/place.ts"
import { makeChange, toFileContent } from "../tools/file-text/keep-change.ts"
import { hashBytes, loadFile, refuseFixed } from "../tools/file-text/loaded-file.ts"
import { watchCommand } from "../tools/snapshot/watch-command.ts"
import type { ToolWorkspace, UsablePath } from "../tools/workspace.ts"
import type { ExternalProblem } from "./engine/protocol.ts"

type HostCall = (input: JsonMap, host: ScriptHost) => Promise<Json>

/** The place of one call of a script tool. */
export interface ScriptHost {
  readonly context: ToolContext
  readonly workspace: ToolWorkspace
  readonly command: BashToolOptions
  /** Files and commands of the script become part of the run's proof. */
  readonly evidence: Evidence
}

export interface Evidence {
  readonly read: { path: string; hash: string }[]
  readonly files: { path: string; hash: string }[]
  readonly commands: { command: string; exitCode: number }[]
}

/** An error that the script sees as a Python exception of this kind. */
class ExternalError extends Error {
  readonly kind: ExternalProblem["kind"]
  constructor(kind: ExternalProblem["kind"], message: string) {
    super(message)
    this.kind = kind
  }
}

const largestFile = 2 ** 20
const mostNames = 10_000
const commandTime = 300_000

const calls: Readonly<Record<string, HostCall>> = {
  read_file: async (input, host) => {
    const place = use(text(input, "path"), "read", host, "Read")
    const file = openFile(place.base, place.path)
    try {
      if (file.stats.size > largestFile)
        throw new ExternalError(
          "OSError",
          `${place.path} has ${file.stats.size} bytes, more than ${largestFile}.`,
        )
      const bytes = await readBytes(file, Number(file.stats.size))
      host.evidence.read.push({ path: place.path, hash: hashBytes(bytes) })
      return decode(bytes, place.path)
    } finally {
      fs.closeSync(file.descriptor)
    }
  },
  file_exists: async (input, host) => fs.existsSync(use(text(input, "path"), "read", host, "Read").path),
  list_dir: async (input, host) => {
    const folder = use(input.path === undefined ? "." : text(input, "path"), "read", host, "LS")
    const names = fs.readdirSync(folder.path).sort()
    return names
      .filter((name) => host.context.permits({ type: "read", path: `${folder.path}/${name}` }, "LS"))
      .slice(0, mostNames)
  },
  write_file: async (input, host) => {
    const place = use(text(input, "path"), "write", host, "Write")
    const bytes = Buffer.from(text(input, "content"))
    if (bytes.length > largestFile)
      throw new ExternalError("OSError", `The content has ${bytes.length} bytes, more than ${largestFile}.`)
    const file = await loadFile(place, host.context)
    if (file) refuseFixed(file)
    host.evidence.files.push({ path: place.path, hash: hashBytes(bytes) })
    const write = {
      path: place.path,
      ...(file && { before: toFileContent(file.bytes, file) }),
      after: toFileContent(bytes, file),
    }
    if (!file?.bytes.equals(bytes))
      await makeChange(host.context, write, () =>
        replaceFile(place.base, place.path, bytes, { expected: file ?? "absent" }),
      )
    return true
  },
  run_command: async (input, host) => runCommand(text(input, "cmd"), words(input.args ?? []), host),
}

/** Calls a function of the host. Whatever goes wrong is an answer that the script can handle. */
export async function callHost(
  name: string,
  input: JsonMap,
  host: ScriptHost,
): Promise<{ readonly value: Json } | { readonly problem: ExternalProblem }> {
  const external = Object.hasOwn(calls, name) ? calls[name]! : undefined
  if (!external)
    return { problem: { kind: "RuntimeError", message: `There is no external function ${name} here.` } }
  try {
    return { value: await external(input, host) }
  } catch (error) {
    if (error instanceof ExternalError) return { problem: { kind: error.kind, message: error.message } }
    const isAbsent = (error as NodeJS.ErrnoException | null)?.code === "ENOENT"
    const refusal = toPathRefusal(error, String(input.path ?? ""))
    const kind =
      isAbsent || /there is no such file/.test(refusal.message) ? "FileNotFoundError" : "PermissionError"
    return { problem: { kind, message: refusal.message } }
  }
}

/** The rules about the file tools decide, and the same containment. */
const use = (
  name: string,
  how: "read" | "write",
  { workspace, context }: ScriptHost,
  tool: string,
): UsablePath => {
  const { cwd, moved } = context
  return workspace.use(name, how, {
    cwd,
    ...(moved && { moved }),
    permits: (access) => context.permits(access, tool),
  })
}

async function runCommand(program: string, args: readonly string[], host: ScriptHost): Promise<Json> {
  const { context, evidence } = host
  const options = moveOptions(host.command, context)
  const command = [program, ...args].map(quote).join(" ")
  for (const access of await findCommandAccesses({ command }, options, context))
    if (!context.permits(access, "Bash"))
      throw new ExternalError(
        "PermissionError",
        `The rules of this run do not permit the command ${command}.`,
      )
  const prepared = await prepareCommand({ command }, options, context)
  if ("problem" in prepared) throw new ExternalError("PermissionError", `Not run: ${prepared.problem}`)
  const { runBoundedProgram } = await import("../sandbox/run-program.ts")
  const result = await watchCommand(
    context,
    options.root,
    () => findCommandAccesses({ command }, options, context),
    () => runBoundedProgram({ ...prepared, words: [program, ...args], timeout: commandTime }),
  )
  if ("refused" in result) throw new ExternalError("PermissionError", result.refused)
  evidence.commands.push({ command, exitCode: result.exitCode })
  if (result.ending !== "exit")
    throw new ExternalError("OSError", `The command ${command} was ended: ${result.ending}.`)
  const { head, tail, errors } = result
  return {
    exit_code: result.exitCode,
    stdout: (head + tail).toWellFormed(),
    stderr: (errors.head + errors.tail).toWellFormed(),
  }
}

const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

function text(input: JsonMap, name: string): string {
  const value = input[name]
  if (typeof value === "string" && !value.includes("\0")) return value
  throw new ExternalError(
    "ValueError",
    `${name} must be text without NUL characters, but it is ${JSON.stringify(value)?.slice(0, 80)}.`,
  )
}

function words(value: Json): readonly string[] {
  if (Array.isArray(value) && value.every((word) => typeof word === "string" && !word.includes("\0")))
    return value as readonly string[]
  throw new ExternalError("ValueError", "args must be a list of texts.")
}

function decode(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw new ExternalError("ValueError", `${path} is not text in UTF-8.`)
  }
}
