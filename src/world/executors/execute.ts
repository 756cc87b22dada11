import { homedir } from "node:os"
import { type ExecutorSettings, sandboxOf } from "../../agent/executor.ts"
import type { ToolContext, ToolOutput } from "../../agent/tool.ts"
import { knownNames } from "../../ground/errors.ts"
import { childEnvironment } from "../sandbox/child-environment.ts"
import type { ProcessResult } from "../sandbox/process.ts"
import { runProgram } from "../sandbox/run-program.ts"
import { quoteWords } from "../shell/quote.ts"
import { commandBounds } from "../tools/command/bounds.ts"
import { definitionsBelow } from "../tools/command/definitions-below.ts"
import { folderOf, movedOptions } from "../tools/command/place.ts"
import { sharedDefinitions } from "../tools/command/shared-definitions.ts"
import { failureOf } from "./failure.ts"
import { findProgram, foldersOf } from "./find-program.ts"
import type { ExecutorInput } from "./input.ts"
import { writePrompt } from "./prompt-file.ts"
import { readAnswer } from "./read-answer.ts"
import { readUsage } from "./read-usage.ts"
import type { ExecutorToolOptions } from "./tool-options.ts"
import { couldDo } from "./tool-uses.ts"
import { wordsFor } from "./words.ts"

/** Runs a program to its end, and reads what it printed. Whatever goes wrong is a result that says so. */
export async function execute(
  input: ExecutorInput,
  given: ExecutorToolOptions,
  context: ToolContext,
): Promise<ToolOutput> {
  const settings = Object.hasOwn(given.executors, input.executor)
    ? given.executors[input.executor]!
    : undefined
  if (!settings)
    return refused(
      `there is no executor ${input.executor}. ${knownNames(input.executor, Object.keys(given.executors))}`,
    )
  if (quoteWords(settings.command) !== quoteWords(input.command))
    return refused(
      `the executor ${input.executor} has another command now than when this run was planned. Start the run anew.`,
    )
  const file = settings.prompt === "file" ? writePrompt(input.prompt) : undefined
  try {
    const result = await run(input, settings, given, context, file)
    return "refused" in result ? refused(result.refused) : outputOf(input, settings, result)
  } finally {
    file?.remove()
  }
}

async function run(
  input: ExecutorInput,
  settings: ExecutorSettings,
  given: ExecutorToolOptions,
  context: ToolContext,
  file: { readonly folder: string; readonly path: string } | undefined,
): Promise<ProcessResult | { readonly refused: string }> {
  const { visible = [], writable = [], prompt = "stdin" } = settings
  const options = movedOptions({ ...given, visible }, context)
  const { root = context.cwd, home = homedir(), protect = [], hidden = [] } = options
  const cwd = folderOf(root, context.cwd)
  if (cwd === undefined)
    return { refused: `the folder ${context.cwd} is not there, or not inside the workspace.` }
  const environment: Readonly<Record<string, string>> = {
    ...childEnvironment(options.environment ?? process.env, {
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
  const chosen =
    context.confinement?.sandbox === "required"
      ? "required"
      : sandboxOf(settings, options.sandbox ?? "preferred")
  const kept = forbidden.find(({ use, pattern }) =>
    couldDo(input.tools, `${use === "read" ? "Read" : "Edit"}(${pattern})`),
  )
  if (kept && chosen === "off")
    return {
      refused: `rules deny ${kept.pattern}, and without the sandbox nothing would keep the program from it.`,
    }
  const sandbox = kept ? "required" : chosen
  const shown = sandbox === "off" ? { folders: [] } : foldersOf(program.path, home)
  if ("problem" in shown) return { refused: shown.problem }
  const words = wordsFor(settings, input, file?.path)
  if ("problem" in words) return { refused: words.problem }
  const bounds = commandBounds(
    {
      protect,
      writable,
      visible: [...(options.visible ?? []), ...shown.folders, ...(file ? [file.folder] : [])],
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
  return runProgram({
    words: [program.path, ...words.words],
    cwd,
    environment,
    bounds,
    definitions: async () => [
      ...(await definitionsBelow(root)),
      ...(options.definitions?.(context.cwd) ?? sharedDefinitions(root, context.cwd)),
    ],
    sandbox,
    timeout: settings.timeout ?? 2 ** 31 - 1,
    ...(prompt === "stdin" && { input: input.prompt }),
    signal: context.signal,
  })
}

const refused = (why: string): ToolOutput => ({
  text: why.startsWith("Not run: ") ? why : `Not run: ${why}`,
  isError: true,
})

function outputOf(input: ExecutorInput, settings: ExecutorSettings, result: ProcessResult): ToolOutput {
  const facts = {
    usage: { [`executor:${input.executor}`]: readUsage(settings, result) },
    evidence: { commands: [{ command: seen(settings, result), exitCode: result.exitCode }] },
  }
  if (result.ended !== "exit" || result.exitCode !== 0)
    return { ...failureOf(input.executor, settings, result), isError: true, ...facts }
  const answer = readAnswer(settings, result, input.wants)
  return "problem" in answer
    ? { ...failureOf(input.executor, settings, result, answer.problem), isError: true, ...facts }
    : { text: answer.text, ...facts }
}

/** The command as it is configured, which holds no prompt; and what held it, where that was not the sandbox. */
const seen = (
  { command }: ExecutorSettings,
  { unsandboxed, replaced = [], refusedDefinitions = [] }: ProcessResult,
): string =>
  [
    quoteWords(command),
    ...(unsandboxed === undefined ? [] : [`(without a sandbox: ${unsandboxed})`]),
    ...replaced.map((place) => `(what it put in the place of a protected link was moved to ${place})`),
    ...refusedDefinitions.map((place) => `(the definition that it made was moved to ${place})`),
  ].join(" ")
