import { CadreError } from "../../ground/errors.ts"
import type { Message } from "../../ground/message.ts"
import { apply } from "../decide/apply.ts"
import type { RunEvent } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import { fromRun, Held } from "../log/held.ts"
import { rootOf } from "../log/id.ts"
import { List } from "../log/list.ts"
import type { Store } from "../log/store.ts"
import { upcast } from "../log/upcast.ts"
import type { Environment } from "../ports/environment.ts"
import type { Definition, Pinned } from "../ports/pinned.ts"
import { emptyState, type RunState } from "../state/state.ts"
import { ready, remember } from "./definition.ts"

/** A run read back from its log. */
export interface Loaded {
  readonly state: RunState
  /** The next event's number. */
  readonly seq: number
  /** Keys of letters already recorded. */
  readonly keys: Set<string> | undefined
  readonly wires: Set<string> | undefined
  readonly definition: Definition
  /** Undefined: its history names no blob. */
  readonly blobs: Held | undefined
}

export async function load(environment: Environment, run: string): Promise<Loaded | undefined> {
  const first = environment.created.get(run)
  const isNew =
    first?.type === "run-start" && startsEmpty(first) && !(await wasDriven(environment.store, run))
  const keys = isNew ? undefined : new Set<string>()
  const folded = isNew
    ? { state: apply(emptyState(run), first), seq: 1 }
    : await fold(environment.store, run, keys)
  if (!folded?.state.start) return undefined
  const { state, seq } = folded
  return {
    state,
    seq,
    keys,
    wires: isNew ? undefined : wiresOf(state.messages),
    definition: await loadDefinition(environment, run, state.start!.definition),
    blobs: await Held.of(environment.store, run, state.messages),
  }
}

const startsEmpty = ({ continues, forks }: RunStart): boolean =>
  continues === undefined && forks === undefined

/** Between its creation and our claim somebody else may have had the tree, and have cancelled it; a child is ours from the start. */
async function wasDriven(store: Store, run: string): Promise<boolean> {
  if (run !== rootOf(run)) return false
  let events = 0
  for await (const _ of store.read(run)) if (++events > 1) return true
  return false
}

/** Folds a log, as far as `isEnd` lets it. A run that continues or forks another starts from that one's history. */
export async function fold(
  store: Store,
  run: string,
  keys?: Set<string>,
  isEnd?: (event: RunEvent) => boolean,
): Promise<{ state: RunState; seq: number } | undefined> {
  let state: RunState | undefined
  let seq = 0
  for await (const stored of store.read(run)) {
    const event = upcast(stored)
    if (event && isEnd?.(event)) break
    seq = stored.seq + 1
    if (!event) continue
    if (keys && "key" in event) keys.add(event.key)
    state ??= emptyState(run, event.type === "run-start" ? await historyOf(store, event) : undefined)
    state = apply(state, event)
  }
  return state && { state, seq }
}

/** What a run began with, which its log begins with. */
export async function startOf(store: Store, run: string): Promise<RunStart> {
  for await (const first of store.read(run)) return first as unknown as RunStart
  throw new CadreError("LOG_DAMAGED", `The log of run ${run} is gone.`)
}

/** The messages that a run starts from, as their own log tells them. */
export async function historyOf(
  store: Store,
  { continues, forks }: RunStart,
): Promise<List<Message> | undefined> {
  const source = continues ?? forks?.run
  if (source === undefined) return undefined
  const isReply = (event: RunEvent) => event.type === "model-end" && event.turn === forks?.turn
  const before = await fold(store, source, undefined, continues === undefined ? isReply : undefined)
  if (!before)
    throw new CadreError(
      "LOG_DAMAGED",
      `Run ${source}, which this run ${forks ? "forks" : "continues"}, is gone from the store.`,
    )
  return List.of([...before.state.messages].map((message) => fromRun(message, source)))
}

async function loadDefinition(environment: Environment, run: string, hash: string): Promise<Definition> {
  const known = environment.definitions.get(hash)
  if (known) return known
  const blob = await environment.store.getBlob(run, hash)
  if (blob === undefined)
    throw new CadreError(
      "LOG_DAMAGED",
      `The definition that run ${run} started with (${hash}) is missing from its log.`,
    )
  const definition = ready(hash, blob, JSON.parse(blob) as Pinned, environment.tools)
  remember(environment.definitions, definition)
  return definition
}

function wiresOf(messages: List<Message>): Set<string> {
  const wires = new Set<string>()
  for (const message of messages)
    if (message.role === "assistant") for (const call of message.calls) wires.add(call.wire)
  return wires
}
