import fs from "node:fs"
import { isDeepStrictEqual } from "node:util"
import { checkHistory } from "../../src/faces/testing/history.ts"
import { sumTokens } from "../../src/ground/usage.ts"
import { fold } from "../../src/run/begin/load.ts"
import { sumUsage } from "../../src/run/drive/proof.ts"
import type { RunEvent } from "../../src/run/log/event.ts"
import type { Store } from "../../src/run/log/store.ts"
import { upcast } from "../../src/run/log/upcast.ts"
import { findDifferences, type Told } from "./compare.ts"
import type { LedgerLine } from "./tree.ts"
import { type TreeName, trees } from "./trees.ts"

export interface Faults {
  /** Acknowledged things that are gone, and whatever else keeps the end from being the right one. */
  readonly lost: readonly string[]
  readonly repeatedOpaque: readonly string[]
  readonly badHistory: readonly string[]
}

/** `refused`: the sender was told that the run has ended. */
export type SentLetter =
  | { readonly state: "not-sent" }
  | { readonly state: "accepted" | "refused"; readonly run: string; readonly text: string }

/** Everything that must hold of a tree that has ended, whatever happened to its processes. */
export async function inspectTree(
  store: Store,
  { tree: name, ...files }: { readonly tree: TreeName; readonly ledger: string; readonly seen: string },
  letters: readonly SentLetter[],
  undisturbed: ReadonlyMap<string, string>,
): Promise<{ readonly faults: Faults; readonly unknown: number }> {
  const tree = await readTree(store)
  const ledger = linesOf(files.ledger).map((line) => {
    const [run, call, effect, phase] = line.split(" ")
    return { run, call, effect, phase } as LedgerLine
  })
  const lost = [
    ...checkShape(tree, trees[name].agents),
    ...tree.flatMap(checkEnd),
    ...tree.flatMap((told) => checkCalls(told, ledger)),
    ...checkLedger(tree, ledger),
    ...checkSeen(tree, linesOf(files.seen)),
    ...checkUsage(tree),
    ...(name === "mcp" ? checkSampling(tree) : []),
    ...letters.flatMap((letter) => checkLetter(tree, letter)),
    ...findDifferences(tree, undisturbed),
  ]
  const opaque = ledger.filter(({ effect, phase }) => effect === "opaque" && phase === "start")
  const repeatedOpaque = [...count(opaque)]
    .filter(([, times]) => times > 1)
    .map(([line, times]) => `"${line}" stands ${times} times in the ledger`)
  const badHistory = tree.flatMap(({ run, state }) =>
    checkHistory(state.messages).map((problem) => `${run}: ${problem}`),
  )
  const unknown = tree.flatMap(({ events }) => events).filter(isUnknown).length
  return { faults: { lost, repeatedOpaque, badHistory }, unknown }
}

export async function readTree(store: Store): Promise<readonly Told[]> {
  const tree: Told[] = []
  for await (const root of store.list())
    for await (const { run } of store.list({ root: root.run })) {
      const events: RunEvent[] = []
      for await (const stored of store.read(run)) events.push(upcast(stored)!)
      tree.push({ run, events, state: (await fold(store, run))!.state })
    }
  return tree
}

function checkShape(tree: readonly Told[], expectedAgents: readonly string[]): readonly string[] {
  const agents = tree.map(({ state }) => state.start!.agent).sort()
  return isDeepStrictEqual(agents, expectedAgents)
    ? []
    : [`the tree consists of ${agents.join(", ") || "nothing"}`]
}

function checkEnd({ run, state, events }: Told): readonly string[] {
  const { end } = state
  if (!end) return [`${run} has not ended`]
  const uncertain = end.outcome.type === "uncertain" && events.some(isUnknown)
  if (end.outcome.type !== "completed" && !uncertain)
    return [`${run} ended as ${JSON.stringify(end.outcome)}`]
  const expected = `${state.start!.agent} done`
  return end.output === expected ? [] : [`${run} ended with the output ${JSON.stringify(end.output)}`]
}

/** Every call that was asked for ends once, is used once, and claims nothing that did not happen. */
function checkCalls({ run, state, events }: Told, ledger: readonly LedgerLine[]): readonly string[] {
  const asked = events.flatMap((event) => (event.type === "model-end" ? event.calls : []))
  const used = [...state.messages].flatMap((message) => (message.role === "tool" ? [message.call] : []))
  const faults = isDeepStrictEqual(
    used,
    asked.map(({ id }) => id),
  )
    ? []
    : [`${run}: of ${asked.length} calls the results of ${used.join(", ")} were used`]
  for (const { id, kind, effect, tool } of asked) {
    const ends = events.flatMap((event) => (event.type === "tool-end" && event.call === id ? [event] : []))
    if (ends.length !== 1) faults.push(`${run} ${id} ended ${ends.length} times`)
    const status = ends[0]?.result.status
    if (kind !== "function") {
      // The report of a child that is not certain of its end is an error to its parent.
      if (status !== "ok" && !ends[0]?.result.text.includes("uncertain"))
        faults.push(`${run} ${id} (${tool}) ended as ${JSON.stringify(ends[0]?.result)}`)
      continue
    }
    const happened = (phase: string) =>
      ledger.some((line) => line.run === run && line.call === id && line.phase === phase)
    if (status === "ok" && !happened("end"))
      faults.push(`${run} ${id} (${tool}) is claimed and did not happen`)
    if (status !== "ok" && !(status === "unknown" && effect === "opaque"))
      faults.push(`${run} ${id} (${tool}) ended as ${JSON.stringify(ends[0]?.result)}`)
  }
  return faults
}

/** Every effect was announced in the log first, and no call with a result was started again. */
function checkLedger(tree: readonly Told[], ledger: readonly LedgerLine[]): readonly string[] {
  const faults: string[] = []
  const announced = new Map<string, number>()
  for (const { run, events } of tree) {
    const ended = new Set<string>()
    for (const event of events) {
      if (event.type === "tool-end") ended.add(event.call)
      if (event.type !== "tool-start" && event.type !== "hook-start") continue
      const key = `${run} ${event.call}`
      announced.set(key, (announced.get(key) ?? 0) + 1)
      if (ended.has(event.call)) faults.push(`${key} was begun again after its end`)
    }
  }
  for (const [line, times] of count(ledger.filter(({ phase }) => phase === "start"))) {
    const [run, call] = line.split(" ")
    const starts = announced.get(`${run} ${call}`) ?? 0
    if (times > starts)
      faults.push(`${run} ${call} happened ${times} times and was announced ${starts} times`)
  }
  return faults
}

/** Every event that a worker saw as recorded is still there at the end, unchanged. */
function checkSeen(tree: readonly Told[], seen: readonly string[]): readonly string[] {
  const recorded = new Map<string, RunEvent>(
    tree.flatMap(({ events }) => events.map((event) => [`${event.run} ${event.seq}`, event] as const)),
  )
  return seen.flatMap((line) => {
    const event = parseEvent(line)
    if (!event) return []
    const place = `${event.run} ${event.seq}`
    return isDeepStrictEqual(recorded.get(place), event)
      ? []
      : [`${place} (${event.type}) is gone or changed`]
  })
}

/** Its server asks for the model in many calls. At least one of them must have got a reply. */
const checkSampling = (tree: readonly Told[]): readonly string[] =>
  tree.some(({ events }) =>
    events.some((event) => event.type === "sampling-end" && event.reply.type === "reply"),
  )
    ? []
    : ["no call got a reply of the model"]

function checkUsage(tree: readonly Told[]): readonly string[] {
  const root = tree[0]
  if (!root) return []
  let billed = 0
  for (const { events } of tree)
    for (const event of events)
      if (event.type === "model-end" || event.type === "sampling-end")
        billed += event.usage ? (sumTokens(event.usage) ?? Number.NaN) : 0
  const { inputTokens = 0, outputTokens = 0 } = sumUsage(root.state).script ?? {}
  const told = inputTokens + outputTokens
  return told === billed ? [] : [`the tree's usage is ${told}, but ${billed} were billed`]
}

/** One that came too late is refused to its sender, and may be kept as undelivered; the model must not have read it. */
function checkLetter(tree: readonly Told[], letter: SentLetter): readonly string[] {
  if (letter.state === "not-sent") return []
  const state = tree.find(({ run }) => run === letter.run)?.state
  const times = (list: Iterable<{ readonly text: string }> = []) =>
    [...list].filter(({ text }) => text === letter.text).length
  const [read, undelivered] = [times(state?.messages), times(state?.inbox)]
  const right = letter.state === "accepted" ? read + undelivered === 1 : read === 0 && undelivered <= 1
  if (right) return []
  return [
    `the ${letter.text} letter, to ${letter.run}, was ${letter.state}; it was read ${read} times and is kept ${undelivered} times`,
  ]
}

const isUnknown = (event: RunEvent): boolean => event.type === "tool-end" && event.result.status === "unknown"

function count(ledger: readonly LedgerLine[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const { run, call, effect, phase } of ledger) {
    const line = `${run} ${call} ${effect} ${phase}`
    times.set(line, (times.get(line) ?? 0) + 1)
  }
  return times
}

/** Undefined: a kill left only a part of the line. */
function parseEvent(line: string): RunEvent | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const linesOf = (file: string): readonly string[] => fs.readFileSync(file, "utf8").split("\n").filter(Boolean)
