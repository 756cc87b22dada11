import { messageOf } from "../../errors.ts"
import type { RunResult } from "../../run/proof.ts"
import type { Runtime } from "../../run/runtime.ts"
import type { RunHead } from "../../run/store.ts"
import { defineCommand } from "../command.ts"
import { damageReader, damageText } from "../damaged-log.ts"
import { exitCode } from "../exit-code.ts"
import { jsonText } from "../json-text.ts"
import { waitText } from "../run/words.ts"
import { storeOf, withRuntime } from "../runs.ts"
import { oneLine, table } from "../table.ts"

export const command = defineCommand({
  name: "runs",
  summary: "List runs, the newest first",
  arguments: [],
  options: {
    all: { type: "flag", doc: "Also runs that other runs started" },
    json: { type: "flag", doc: "Print JSON" },
  },
  examples: [
    { line: "cadre runs", doc: "Show what has been run, and how it ended" },
    { line: "cadre runs --all --json", doc: "Every run of every tree, for a program" },
  ],
  async run({ options, stdout, environment }) {
    const store = storeOf({ environment })
    const damageOf = damageReader(store)
    const runs = await withRuntime({ environment }, async (runtime) => {
      const found: (Awaited<ReturnType<typeof headJson>> & Awaited<ReturnType<typeof waitingBelow>>)[] = []
      for await (const root of runtime.list()) {
        if (!options.all)
          found.push({
            ...(await headJson(root, runtime, damageOf)),
            ...(await waitingBelow(root, runtime, damageOf)),
          })
        else
          for await (const head of runtime.list({ root: root.run }))
            found.push(await headJson(head, runtime, damageOf))
      }
      return found.sort((left, right) => (left.startedAt < right.startedAt ? 1 : -1))
    }).finally(() => store.close())
    if (options.json) stdout.write(jsonText({ runs }))
    else if (runs.length === 0) stdout.write("No runs yet.\n")
    else {
      const rows = runs.map(
        ({ id, agent, status, outcome, startedAt, continues, waits, damage, below = [] }) => [
          id,
          agent,
          outcome ?? status,
          startedAt,
          [
            ...(continues === undefined ? [] : [`continues ${continues}`]),
            ...(waits ? [oneLine(waitText(waits), 200)] : []),
            ...below.map((child) => oneLine(`its subagent ${child.agent} ${waitText(child.waits)}`, 200)),
            ...(damage === undefined ? [] : [oneLine(damage, 400)]),
          ].join(", "),
        ],
      )
      stdout.write(`${table([["ID", "AGENT", "STATE", "STARTED", ""], ...rows])}\n`)
    }
    return exitCode.fine
  },
})

const headJson = async (
  { run, agent, status, outcome, startedAt, updatedAt, continues }: RunHead,
  runtime: Runtime,
  damageOf: ReturnType<typeof damageReader>,
) => ({
  id: run,
  agent,
  ...(status === "open" ? await openState(run, runtime, damageOf) : { status }),
  outcome: outcome ?? null,
  startedAt: new Date(startedAt).toISOString(),
  updatedAt: new Date(updatedAt).toISOString(),
  ...(continues !== undefined && { continues }),
})

/** The runs below a root that wait for their providers. */
async function waitingBelow(
  { run, status }: RunHead,
  runtime: Runtime,
  damageOf: ReturnType<typeof damageReader>,
): Promise<{ readonly below?: readonly WaitingRun[] }> {
  if (status !== "open") return {}
  const below: WaitingRun[] = []
  for await (const head of runtime.list({ root: run })) {
    if (head.run === run || head.status !== "open") continue
    const { waits } = await openState(head.run, runtime, damageOf)
    if (waits) below.push({ id: head.run, agent: head.agent, waits })
  }
  return below.length > 0 ? { below } : {}
}

interface WaitingRun {
  readonly id: string
  readonly agent: string
  readonly waits: NonNullable<RunResult["waits"]>
}

/** Whether it waits for a person, or for its provider; or cannot go on, because the log of its tree is damaged. */
async function openState(
  run: string,
  runtime: Runtime,
  damageOf: ReturnType<typeof damageReader>,
): Promise<OpenState> {
  try {
    const damage = await damageOf(run)
    if (damage) return { status: "damaged", damage: damageText(damage, run) }
    const { status, waits } = await runtime.read(run)
    return { status, ...(waits && { waits }) }
  } catch (error) {
    // A log that cannot be read must not hide the other runs.
    return { status: "damaged", damage: messageOf(error) }
  }
}

interface OpenState extends Pick<RunResult, "waits"> {
  readonly status: RunResult["status"] | "damaged"
  readonly damage?: string
}
