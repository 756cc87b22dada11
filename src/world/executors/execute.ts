import { homedir } from "node:os"
import { type ExecutorSettings, resolveSandbox } from "../../agent/executor.ts"
import type { ToolContext, ToolOutput } from "../../agent/tool.ts"
import { listKnownNames } from "../../ground/errors.ts"
import { buildChildEnvironment } from "../sandbox/child-environment.ts"
import type { ProcessResult } from "../sandbox/process.ts"
import { runBoundedProgram } from "../sandbox/run-program.ts"
import { quoteWords } from "../shell/quote.ts"
import { computeCommandBounds } from "../tools/command/bounds.ts"
import { listDefinitionsBelow } from "../tools/command/definitions-below.ts"
import { moveOptions, resolveStartFolder } from "../tools/command/place.ts"
import { listSharedDefinitions } from "../tools/command/shared-definitions.ts"
import { watchCommand } from "../tools/snapshot/watch-command.ts"
import { describeExecutorFailure } from "./failure.ts"
import { findProgram, findProgramFolders } from "./find-program.ts"
import type { ExecutorInput } from "./input.ts"
import { buildExecutorArguments } from "./program-arguments.ts"
import { writePromptFile } from "./prompt-file.ts"
import { readAnswer } from "./read-answer.ts"
import { readExecutorUsage } from "./read-usage.ts"
import type { ExecutorToolOptions } from "./tool-options.ts"
import { couldDo } from "./tool-uses.ts"

/** Runs a program to its end and reads its output. A failure is returned as a result, never thrown. */
export async function runExecutor(
  input: ExecutorInput,
  toolOptions: ExecutorToolOptions,
  context: ToolContext,
): Promise<ToolOutput> {
  const settings = Object.hasOwn(toolOptions.executors, input.executor)
    ? toolOptions.executors[input.executor]!
    : undefined
  if (!settings)
    return refuse(
      `there is no executor ${input.executor}. ${listKnownNames(input.executor, Object.keys(toolOptions.executors))}`,
    )
  if (quoteWords(settings.command) !== quoteWords(input.command))
    return refuse(
      `the command of the executor ${input.executor} was changed after this run was planned. Start the run again.`,
    )
  const file = settings.prompt === "file" ? writePromptFile(input.prompt) : undefined
  try {
    const result = await run(input, settings, toolOptions, context, file)
    return "refused" in result ? refuse(result.refused) : outputOf(input, settings, result)
  } finally {
    file?.remove()
  }
}

async function run(
  input: ExecutorInput,
  settings: ExecutorSettings,
  toolOptions: ExecutorToolOptions,
  context: ToolContext,
  file: { readonly folder: string; readonly path: string } | undefined,
): Promise<ProcessResult | { readonly refused: string }> {
  const { visible = [], writable = [], prompt = "stdin" } = settings
  const options = moveOptions({ ...toolOptions, visible }, context)
  const { root = context.cwd, home = homedir(), protect = [], hidden = [] } = options
  const cwd = resolveStartFolder(root, context.cwd)
  if (cwd === undefined)
    return { refused: `the folder ${context.cwd} does not exist, or is outside the workspace.` }
  const environment: Readonly<Record<string, string>> = {
    ...buildChildEnvironment(options.environment ?? process.env, {
      root,
      apart: (context.moved ?? []).map(({ from }) => from),
      grants: settings.environment ?? [],
      marker: context.key,
      depth: context.depth,
    }),
    HOME: home,
  }
  const program = findProgram(settings.command[0]!, environment.PATH!)
  if ("problem" in program) return { refused: program.problem }
  const forbidden = context.forbidden?.() ?? []
  const choice =
    context.confinement?.sandbox === "required"
      ? "required"
      : resolveSandbox(settings, options.sandbox ?? "preferred")
  const deniedPath = forbidden.find(({ use, pattern }) =>
    couldDo(input.tools, `${use === "read" ? "Read" : "Edit"}(${pattern})`),
  )
  if (deniedPath && choice === "off")
    return {
      refused: `rules deny ${deniedPath.pattern}, and only the sandbox can enforce that, but it is off.`,
    }
  const sandbox = deniedPath ? "required" : choice
  const programFolders = sandbox === "off" ? { folders: [] } : findProgramFolders(program.path, home)
  if ("problem" in programFolders) return { refused: programFolders.problem }
  const words = buildExecutorArguments(settings, input, file?.path)
  if ("problem" in words) return { refused: words.problem }
  const bounds = computeCommandBounds(
    {
      protect,
      writable,
      visible: [...(options.visible ?? []), ...programFolders.folders, ...(file ? [file.folder] : [])],
      hidden,
    },
    context,
    {
      root,
      home,
      network: settings.network ?? options.network ?? "none",
      forbidden,
    },
  )
  if ("problem" in bounds) return { refused: `${bounds.problem}.` }
  return watchCommand(context, root, "unknown", () =>
    runBoundedProgram({
      words: [program.path, ...words.words],
      cwd,
      environment,
      bounds,
      definitions: async () => [
        ...(await listDefinitionsBelow(root)),
        ...(options.definitions?.(context.cwd) ?? listSharedDefinitions(root, context.cwd)),
      ],
      sandbox,
      timeout: settings.timeout ?? 2 ** 31 - 1,
      ...(prompt === "stdin" && { input: input.prompt }),
      signal: context.signal,
    }),
  )
}

const refuse = (why: string): ToolOutput => ({
  text: why.startsWith("Not run: ") ? why : `Not run: ${why}`,
  isError: true,
})

function outputOf(input: ExecutorInput, settings: ExecutorSettings, result: ProcessResult): ToolOutput {
  const facts = {
    usage: { [`executor:${input.executor}`]: readExecutorUsage(settings, result) },
    evidence: { commands: [{ command: describeCommand(settings, result), exitCode: result.exitCode }] },
  }
  if (result.ending !== "exit" || result.exitCode !== 0)
    return { ...describeExecutorFailure(input.executor, settings, result), isError: true, ...facts }
  const answer = readAnswer(settings, result, input.wants)
  return "problem" in answer
    ? {
        ...describeExecutorFailure(input.executor, settings, result, answer.problem),
        isError: true,
        ...facts,
      }
    : { text: answer.text, ...facts }
}

/** The command as configured, without the prompt. Notes say why there was no sandbox, and which files were moved. */
const describeCommand = (
  { command }: ExecutorSettings,
  { unsandboxed, replaced = [], refusedDefinitions = [] }: ProcessResult,
): string =>
  [
    quoteWords(command),
    ...(unsandboxed === undefined ? [] : [`(without a sandbox: ${unsandboxed})`]),
    ...replaced.map((place) => `(it replaced a protected link; its replacement was moved to ${place})`),
    ...refusedDefinitions.map((place) => `(it created a definition, which was moved to ${place})`),
  ].join(" ")
