import { getFormatTraits } from "../../agent/format-traits.ts"
import type { Model, ModelError, ModelReply, ModelRequest } from "../../agent/model.ts"
import { describeThrown } from "../../ground/errors.ts"
import { defaultLimits } from "../../ground/limits.ts"
import type { Json } from "../../ground/message.ts"
import { readClock } from "../log/clock.ts"
import type { ModelStart } from "../log/event.ts"
import type { ModelRetry } from "../log/event-model.ts"
import { LiveText } from "../log/live-text.ts"
import { isAmount, usageFields } from "../log/tool-usage.ts"
import { compose } from "../ports/compose.ts"
import type { WorkResult } from "../ports/effect.ts"
import type { RunState } from "../state/state.ts"
import type { Drive } from "./drive-view.ts"

/** The number of attempts for one reply of one model, in a run that was not resumed. */
const maxAttempts = 5

/** The next model of the list is asked only before any tool has run. */
export function mayUseNextModel(
  { start, model, askedBefore }: RunState,
  { unknownModel }: ModelError,
): boolean {
  const next = start!.model.uses[model + 1]
  return next !== undefined && !askedBefore && (next.only === undefined || unknownModel === true)
}

/**
 * True if the request is repeated, because the failure may pass by itself. A resumed run has extra time for
 * that, where no other model can be asked.
 */
export function mayRetry(state: RunState, error: ModelError, attempt: number): boolean {
  if (!error.retryable) return false
  const most = getFormatTraits(state.start!.origin?.format).modelAttempts ?? maxAttempts
  if (attempt - state.fellBackAfter < most) return true
  return !mayUseNextModel(state, error) && readClock() < (waitsUntil(state) ?? 0)
}

/** The event for an attempt that will be repeated. */
export const createRetryEvent = (
  { state }: Drive,
  { host }: Model,
  { turn, attempt }: Pick<ModelStart, "turn" | "attempt">,
  error: ModelError,
  delay: number,
): ModelRetry => {
  const until = waitsUntil(state)
  return {
    type: "model-retry",
    turn,
    attempt,
    notBefore: readClock() + delay,
    ...(until !== undefined && until > readClock() && { until }),
    ...(host !== undefined && { host }),
    error,
  }
}

/** The time until which a resumed run, or a run that it started, waits for its provider. */
function waitsUntil({ resumedAt, start }: RunState): number | undefined {
  const since = resumedAt ?? start!.resumedAt
  return since === undefined ? undefined : since + (start!.limits.providerWait ?? defaultLimits.providerWait)
}

/** The parts of a request that depend on the question. */
export interface ModelQuestion extends Pick<ModelRequest, "system" | "messages" | "tools"> {
  /** Absent: as many as the reservation has, where a limit applies. */
  readonly maxOutputTokens?: number
  /** `live`: the text is shown while it arrives. */
  readonly text: "live" | "kept"
}

/** The model that a run asks now. */
export const openCurrentModel = ({ environment, state }: Drive): Promise<Model> =>
  environment.models.open(state.start!.model.uses[state.model]!)

/** `wait`: the model's provider takes no request now; the drive comes back when it does. */
export function passGate(drive: Drive, model: Model): "pass" | "wait" {
  const gate = drive.environment.gates.of(model)
  const answer = gate?.enter(drive.calledBy === gate ? "line" : "outside") ?? "pass"
  drive.calledBy = undefined
  if (answer === "wait") drive.waitForGate(gate!)
  return answer
}

/**
 * Asks once, through the layers, and reads the reply. All of this is foreign code, which has a signal to
 * stop.
 */
export function askOnce<Value>(
  drive: Drive,
  model: Model,
  start: Pick<ModelStart, "turn" | "attempt" | "reserved">,
  question: ModelQuestion,
  read: (reply: CheckedReply) => Promise<Value>,
): Promise<WorkResult<Value>> {
  drive.lastActivity = readClock()
  // A stop may have been recorded just before the start. Then the model is not asked.
  if (drive.isStopped)
    return Promise.resolve({ type: "error", error: undefined, aborted: "the run is stopping" })
  return drive.run(
    "model",
    async ({ signal }) => read(readReply(await send(drive, model, start, question, signal))),
    { lender: drive },
  )
}

/**
 * The reply for a model that throws or breaks its contract in another way. Its failure is recorded as data.
 */
export const makeFailedReply = (
  workResult: Exclude<WorkResult<unknown>, { type: "value" }>,
): CheckedReply => ({
  text: "",
  calls: [],
  // The usage of an aborted request is unknown.
  usage: {},
  stop: "other",
  error: {
    kind: workResult.aborted === undefined ? "protocol" : "aborted",
    message: workResult.aborted ?? describeThrown((workResult as { error: unknown }).error),
    retryable: false,
  },
})

/** Exponential with jitter; the provider's own delay is a lower bound. */
export function retryDelay(error: ModelError, attempt: number): number {
  const backoff = Math.min(30_000, 500 * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
  return Math.max(error.retryAfter ?? 0, 0) + backoff
}

function send(
  drive: Drive,
  model: Model,
  { turn, attempt, reserved }: Pick<ModelStart, "turn" | "attempt" | "reserved">,
  { text, maxOutputTokens, ...question }: ModelQuestion,
  signal: AbortSignal,
): Promise<ModelReply> {
  const { environment, state } = drive
  const { agent, metered, model: chosen } = state.start!
  const { parameters, effort } = chosen.uses[state.model]!
  const request: ModelRequest = {
    run: state.run,
    agent,
    turn,
    attempt,
    ...question,
    ...(drive.blobs && { contentOf: drive.blobs.contentOf }),
    ...(metered
      ? { maxOutputTokens: reserved.outputTokens }
      : maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(parameters && { parameters }),
    ...(effort !== undefined && { effort }),
    signal,
  }
  const show = (visible: string) =>
    environment.emit({ type: "text-delta", run: state.run, turn, attempt, text: visible })
  const stream = (request: ModelRequest) => {
    const keepsSecrets = environment.models.keepsSecrets()
    let live: LiveText | undefined
    const reply = model.stream(request, (delta) => {
      drive.lastActivity = readClock()
      if (text !== "live" || delta.type !== "text") return
      if (!keepsSecrets) return show(delta.text)
      live ??= new LiveText(environment.models, show)
      live.add(delta.text)
    })
    return keepsSecrets ? reply.finally(() => live?.end()) : reply
  }
  return compose(environment.layers.model ?? [], stream)(request)
}

/** A reply that is ready to be recorded. */
export interface CheckedReply extends Omit<ModelReply, "provider"> {
  /** The data for its provider, as JSON. */
  readonly providerText?: string
}

/** Reads a reply of foreign code. Fields beyond its contract are left out; missing ones are an error. */
function readReply(reply: ModelReply | undefined): CheckedReply {
  if (!isReply(reply))
    throw new Error(
      "The model's client returned a reply without text, calls or usage. This is a bug in the client.",
    )
  const { text, calls, usage, stop, finish, cutCalls, model, provider, error } = reply
  // A reply that was cut off may have been cut inside a call, and half a call must never run.
  const isWhole = stop === "calls" || stop === "end"
  return {
    text,
    calls: isWhole ? calls : [],
    usage,
    stop,
    ...(finish !== undefined && { finish: String(finish).slice(0, 200) }),
    ...(!isWhole && (cutCalls ?? calls.length) > 0 && { cutCalls: cutCalls ?? calls.length }),
    ...(model !== undefined && { model: String(model) }),
    // Data that cannot be stored cannot be sent again either.
    ...(provider !== undefined && { providerText: serialise(provider) }),
    ...(error && { error: { ...error, message: String(error.message ?? "no reason was given") } }),
  }
}

function serialise(provider: Json): string {
  const text: string | undefined = JSON.stringify(provider)
  if (text === undefined)
    throw new Error(
      "The model's client returned provider data that is not JSON. This is a bug in the client.",
    )
  return text
}

const isReply = (reply: ModelReply | undefined): reply is ModelReply =>
  typeof reply?.text === "string" &&
  Array.isArray(reply.calls) &&
  reply.calls.every(
    (call) =>
      typeof call?.tool === "string" && typeof call.arguments === "string" && typeof call.wire === "string",
  ) &&
  typeof reply.usage === "object" &&
  reply.usage !== null &&
  usageFields.every((name) => reply.usage[name] === undefined || isAmount(reply.usage[name]))
