import { escapeJson } from "../../diagnostics/escape-text.ts"
import type { Attachment } from "../../message.ts"
import type { Lack, LackBelow, RunEvent } from "../../run/event.ts"
import { rootOf } from "../../run/id.ts"
import type { Runtime } from "../../run/runtime.ts"
import { type CommandContext, defineCommand } from "../command.ts"
import { type ExitCode, exitCode, signalCodes } from "../exit-code.ts"
import { findRun } from "../find-run.ts"
import { stepOf, stepText } from "../run/step-text.ts"
import { storeOf, withRuntime } from "../runs.ts"
import { oneLine, table } from "../table.ts"

export const command = defineCommand({
  name: "log",
  summary: "Print what happened in a run and in everything below it",
  arguments: [{ name: "id", doc: "The run" }],
  options: {
    follow: {
      type: "flag",
      short: "f",
      doc: "Go on with what happens, in whatever process, until the run ends",
    },
    json: { type: "flag", doc: "Print one JSON object a line, as it is recorded" },
  },
  examples: [
    { line: "cadre log ID", doc: "One line an event: when, which run, what" },
    { line: "cadre log ID --follow", doc: "Watch a run that another process drives" },
    { line: "cadre log ID --json | jq 'select(.type == \"tool-end\")'", doc: "Only the results of tools" },
  ],
  async run({ arguments: { id: word }, options, ...context }) {
    const id = findRun(word, context)
    const { stdout, environment } = context
    const print = options.json ? jsonLine : (event: RunEvent) => `${table([lineOf(event, id)])}\n`
    return withRuntime(context, async (runtime) => {
      await runtime.read(id)
      if (options.follow) return follow(runtime, id, context, print)
      const events = await eventsOf(environment, id)
      if (options.json) for (const event of events) stdout.write(jsonLine(event))
      else stdout.write(`${table(events.map((event) => lineOf(event, id)))}\n`)
      return exitCode.fine
    })
  },
})

/** Until the run ends, or whoever looks has seen enough. One that rests is waited for. */
async function follow(
  runtime: Runtime,
  id: string,
  { stdout, onSignal }: Pick<CommandContext, "stdout" | "onSignal">,
  print: (event: RunEvent) => string,
): Promise<ExitCode> {
  const enough = new AbortController()
  let code: ExitCode = exitCode.fine
  const unlisten = onSignal?.((signal) => {
    // Nobody who reads is no failure.
    if (signal !== "SIGPIPE") code = signalCodes[signal]
    enough.abort()
  })
  try {
    for await (const event of runtime.follow(rootOf(id), enough.signal)) {
      if (event.run !== id && !event.run.startsWith(`${id}.`)) continue
      stdout.write(print(event))
      if (event.run === id && event.type === "run-end") break
    }
    return code
  } finally {
    enough.abort()
    unlisten?.()
  }
}

const jsonLine = (event: RunEvent): string => `${escapeJson(JSON.stringify(event))}\n`

async function eventsOf(environment: Readonly<Record<string, string | undefined>>, id: string) {
  const store = storeOf({ environment })
  const events: RunEvent[] = []
  for await (const { run } of store.list({ root: rootOf(id) }))
    if (run === id || run.startsWith(`${id}.`))
      for await (const event of store.read(run)) events.push(event as unknown as RunEvent)
  return events.sort((left, right) => left.at - right.at || left.seq - right.seq)
}

function lineOf(event: RunEvent, id: string): readonly string[] {
  const { run, seq: _, at, v: __, type, ...rest } = event
  const below = run === id ? "" : run.slice(id.length)
  const step = stepOf(event)
  const said = detail(rest)
  return [
    new Date(at).toISOString(),
    below,
    type,
    oneLine(step ? `step: ${stepText(step)}${said && `; ${said}`}` : said, 100),
  ]
}

/** The parts of an event that people look for first. */
function detail(rest: Readonly<Record<string, unknown>>): string {
  const wanted = [
    "agent",
    "gains",
    "lacks",
    "id",
    "hook",
    "block",
    "continues",
    "fallbackOf",
    "dedupe",
    "task",
    "attachments",
    "unseen",
    "tool",
    "text",
    "result",
    "outcome",
    "cached",
    "output",
    "reason",
    "problems",
    "call",
    "child",
  ]
  const said = wanted.filter((key) => rest[key] !== undefined && rest[key] !== "")
  return said.map((key) => `${key}: ${valueText(key, rest[key])}`).join("; ")
}

function valueText(key: string, value: unknown): string {
  if (key === "gains") return (value as readonly string[]).join(", ")
  if (key === "attachments" || key === "unseen")
    return (value as readonly Pick<Attachment, "name" | "mediaType">[])
      .map(({ name, mediaType }) => name ?? mediaType)
      .join(", ")
  if (key === "lacks") return (value as readonly (Lack | LackBelow)[]).map(lackText).join(", ")
  return typeof value === "string" ? value : JSON.stringify(value)
}

const lackText = (lack: Lack | LackBelow): string =>
  "tool" in lack ? lack.tool : `${lack.agent} (${lack.lacks.map(({ tool }) => tool).join(", ")})`
