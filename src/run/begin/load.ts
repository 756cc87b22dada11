import { CadreError } from "../../ground/errors.ts"
import type { Message } from "../../ground/message.ts"
import { applyRunEvent } from "../decide/apply.ts"
import type { RunEvent } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import { HistoryBlobs, qualifyMessage } from "../log/history-blobs.ts"
import { getRootRun } from "../log/id.ts"
import { SharedList } from "../log/list.ts"
import type { Store } from "../log/store.ts"
import { upcast } from "../log/upcast.ts"
import type { Environment } from "../ports/environment.ts"
import type { Definition, PinnedDefinition } from "../ports/pinned.ts"
import { emptyRunState, type RunState } from "../state/state.ts"
import { prepareDefinition, rememberDefinition } from "./definition.ts"

/** A run read back from its log. */
export interface LoadedRun {
  readonly state: RunState
  /** The next event's number. */
  readonly seq: number
  /** Keys of letters already recorded. */
  readonly keys: Set<string> | undefined
  /** The wires of the calls in its history, which new calls must not repeat. */
  readonly wires: Set<string> | undefined
  readonly definition: Definition
  /** The blobs that its history names; undefined if it names none. */
  readonly blobs: HistoryBlobs | undefined
}

export async function load(environment: Environment, run: string): Promise<LoadedRun | undefined> {
  const first = environment.created.get(run)
  const isNew =
    first?.type === "run-start" && startsEmpty(first) && !(await wasDriven(environment.store, run))
  const keys = isNew ? undefined : new Set<string>()
  const folded = isNew
    ? { state: applyRunEvent(emptyRunState(run), first), seq: 1 }
    : await fold(environment.store, run, keys)
  if (!folded?.state.start) return undefined
  const { state, seq } = folded
  return {
    state,
    seq,
    keys,
    wires: isNew ? undefined : wiresOf(state.messages),
    definition: await loadDefinition(environment, run, state.start!.definition),
    blobs: await HistoryBlobs.of(environment.store, run, state.messages),
  }
}

const startsEmpty = ({ continues, forks }: RunStart): boolean =>
  continues === undefined && forks === undefined

/** Another process may have owned the tree between its creation and our claim, and may have cancelled it. A child has no such gap. */
async function wasDriven(store: Store, run: string): Promise<boolean> {
  if (run !== getRootRun(run)) return false
  let events = 0
  for await (const _ of store.read(run)) if (++events > 1) return true
  return false
}

/**
 * Folds the events of a log, or only those before the first event for which `isEnd` is true. A run that continues or forks
 * another starts from the other run's history.
 */
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
    state ??= emptyRunState(run, event.type === "run-start" ? await readHistory(store, event) : undefined)
    state = applyRunEvent(state, event)
  }
  return state && { state, seq }
}

/** Reads the first event of a run's log. */
export async function readRunStart(store: Store, run: string): Promise<RunStart> {
  for await (const first of store.read(run)) return first as unknown as RunStart
  throw new CadreError("LOG_DAMAGED", `The log of run ${run} is gone from the store.`)
}

/**
 * The messages of the run that this one continues, or of a forked run those before the forked reply. Undefined if it does
 * neither.
 */
export async function readHistory(
  store: Store,
  { continues, forks }: RunStart,
): Promise<SharedList<Message> | undefined> {
  const source = continues ?? forks?.run
  if (source === undefined) return undefined
  const isReply = (event: RunEvent) => event.type === "model-end" && event.turn === forks?.turn
  const folded = await fold(store, source, undefined, continues === undefined ? isReply : undefined)
  if (!folded)
    throw new CadreError(
      "LOG_DAMAGED",
      `Run ${source}, which this run ${forks ? "forks" : "continues"}, is gone from the store.`,
    )
  return SharedList.of([...folded.state.messages].map((message) => qualifyMessage(message, source)))
}

/** Reads the definition that a run is pinned to. */
export async function loadDefinition(
  environment: Environment,
  run: string,
  hash: string,
): Promise<Definition> {
  const cachedDefinition = environment.definitions.get(hash)
  if (cachedDefinition) return cachedDefinition
  const blob = await environment.store.getBlob(run, hash)
  if (blob === undefined)
    throw new CadreError(
      "LOG_DAMAGED",
      `The definition that run ${run} started with (${hash}) is missing from its log.`,
    )
  const definition = prepareDefinition(hash, blob, JSON.parse(blob) as PinnedDefinition, environment.tools)
  rememberDefinition(environment.definitions, definition)
  return definition
}

function wiresOf(messages: SharedList<Message>): Set<string> {
  const wires = new Set<string>()
  for (const message of messages)
    if (message.role === "assistant") for (const call of message.calls) wires.add(call.wire)
  return wires
}
