import fs from "node:fs"
import path from "node:path"
import { checkHistory } from "../../src/faces/testing/history.ts"
import { fold } from "../../src/run/begin/load.ts"
import type { RunEvent } from "../../src/run/log/event.ts"
import type { Store } from "../../src/run/log/store.ts"
import { upcast } from "../../src/run/log/upcast.ts"
import type { RunState } from "../../src/run/state/state.ts"
import type { Item } from "./conduct.ts"
import type { Places } from "./world.ts"

export interface Verdict {
  /** Runs whose logs fold, those of children with them. */
  readonly folded: number
  readonly outcomes: Readonly<Record<string, number>>
  readonly unknown: number
  readonly lost: readonly string[]
  readonly repeatedOpaque: readonly string[]
}

/** Everything that must hold of runs that have ended, whatever happened to their processes. */
export async function judge(store: Store, places: Places, items: readonly Item[]): Promise<Verdict> {
  const lost: string[] = []
  const repeatedOpaque: string[] = []
  const outcomes: Record<string, number> = {}
  let [folded, unknown] = [0, 0]
  const known = new Set(items.map(({ run }) => run))
  for await (const { run } of store.list())
    if (!known.has(run)) lost.push(`${run} is in the store, and nobody knows of it`)
  for (const item of items) {
    if (item.run === undefined) continue
    const told: Told[] = []
    for await (const { run } of store.list({ root: item.run })) told.push(await read(store, run))
    folded += told.length
    unknown += told.flatMap(({ events }) => events).filter(isUnknown).length
    if (told.length === 0) lost.push(`${item.run} is not in the store`)
    const root = told.find(({ run }) => run === item.run)
    const outcome = root?.state.end?.outcome.type ?? "none"
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    lost.push(...told.flatMap((one) => checkRun(one, item)))
    const ledger = linesOf(path.join(places.work, String(item.number), "ledger"))
    lost.push(...checkClaims(told, ledger), ...checkFiles(told, item, places))
    repeatedOpaque.push(...repeated(ledger))
  }
  return { folded, outcomes, unknown, lost, repeatedOpaque }
}

interface Told {
  readonly run: string
  readonly state: RunState
  readonly events: readonly RunEvent[]
}

async function read(store: Store, run: string): Promise<Told> {
  const events: RunEvent[] = []
  for await (const stored of store.read(run)) events.push(upcast(stored)!)
  return { run, events, state: (await fold(store, run))!.state }
}

function checkRun({ run, state, events }: Told, { kind }: Item): readonly string[] {
  const { end } = state
  if (!end) return [`${run} (${kind}) has not ended`]
  const asked = events.flatMap((event) => (event.type === "model-end" ? event.calls : []))
  const unclear = events.some(isUnknown)
  const right: readonly string[] = [
    "completed",
    ...(unclear || kind === "lead" ? ["uncertain"] : []),
    ...(kind === "careful" ? ["denied"] : []),
    ...(kind === "slow" ? ["cancelled"] : []),
  ]
  const faults = right.includes(end.outcome.type)
    ? []
    : [`${run} (${kind}) ended as ${JSON.stringify(end.outcome)}`]
  faults.push(...checkHistory(state.messages).map((problem) => `${run}: ${problem}`))
  for (const { id, tool } of asked) {
    const ends = events.flatMap((event) => (event.type === "tool-end" && event.call === id ? [event] : []))
    if (ends.length !== 1) faults.push(`${run} ${id} (${tool}) ended ${ends.length} times`)
    const { status, text } = ends[0]?.result ?? { status: "none", text: "" }
    // What the server says is always in order: a tool that refuses it is wrong.
    if (status === "error" && kind !== "slow" && !text.includes("uncertain"))
      faults.push(`${run} ${id} (${tool}) failed: ${text.slice(0, 300)}`)
  }
  return faults
}

/** A command that is said to have ended well came to its end, and what happened had been announced. */
function checkClaims(told: readonly Told[], ledger: readonly string[]): readonly string[] {
  const faults: string[] = []
  const noted = new Set(ledger)
  const announced = new Set<string>()
  for (const { run, events } of told) {
    const commands = new Set(
      events.flatMap((event) =>
        event.type === "model-end"
          ? event.calls.filter(({ tool }) => tool === "Bash").map(({ id }) => id)
          : [],
      ),
    )
    for (const event of events) {
      if (event.type === "tool-start") announced.add(`${run}:${event.call}`)
      if (event.type === "tool-end" && commands.has(event.call) && event.result.status === "ok")
        if (!noted.has(`${run}:${event.call} end`))
          faults.push(`${run} ${event.call} is claimed and did not happen`)
    }
  }
  for (const line of ledger)
    if (!announced.has(line.split(" ")[0]!)) faults.push(`"${line}" happened and was not announced`)
  return faults
}

/** Every file that was edited has its change once, and nothing else lies there. */
function checkFiles(told: readonly Told[], { number, kind }: Item, { work }: Places): readonly string[] {
  const expected: readonly string[] = { editor: ["main"], lead: ["left", "right"], careful: [], slow: [] }[
    kind
  ]
  const folder = path.join(work, String(number))
  const faults = fs
    .readdirSync(folder)
    .filter((name) => name !== "ledger" && !expected.includes(name.replace(/\.txt$/, "")))
    .map((name) => `${folder}/${name} was left behind`)
  if (told.some(({ state }) => state.end?.outcome.type === "cancelled")) return faults
  for (const name of expected) {
    const text = linesOf(path.join(folder, `${name}.txt`)).join(" ")
    if (text !== "first second") faults.push(`${folder}/${name}.txt holds ${JSON.stringify(text)}`)
  }
  return faults
}

function repeated(ledger: readonly string[]): readonly string[] {
  const starts = ledger.filter((line) => line.endsWith(" start"))
  return starts
    .filter((line, index) => starts.indexOf(line) !== index)
    .map((line) => `"${line}" stands in the ledger more than once`)
}

const isUnknown = (event: RunEvent): boolean => event.type === "tool-end" && event.result.status === "unknown"

const linesOf = (file: string): readonly string[] =>
  fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n").filter(Boolean) : []
