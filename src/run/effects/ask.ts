import type { Model, ModelError, ModelReply, ModelRequest } from "../../agent/model.ts"
import { messageOf } from "../../ground/errors.ts"
import { defaultLimits } from "../../ground/limits.ts"
import type { Json } from "../../ground/message.ts"
import { now } from "../log/clock.ts"
import type { ModelStart } from "../log/event.ts"
import type { ModelRetry } from "../log/event-model.ts"
import { LiveText } from "../log/live-text.ts"
import { amounts, isAmount } from "../log/tool-usage.ts"
import { compose } from "../ports/compose.ts"
import type { Settled } from "../ports/effect.ts"
import type { RunState } from "../state/state.ts"
import type { Drive } from "./drive-view.ts"

/** How often one model is asked for the same reply, in a run that nobody had to resume. */
const maxAttempts = 5

/** The next model of the list is asked only while nothing has been done yet. */
export function mayFallBack({ start, model, askedBefore }: RunState, { unknownModel }: ModelError): boolean {
  const next = start!.model.uses[model + 1]
  return next !== undefined && !askedBefore && (next.only === undefined || unknownModel === true)
}

/** `retry`: what failed may pass by itself. A run that was resumed has time for that, where no other model can be asked. */
export function isRetried(state: RunState, error: ModelError, attempt: number): boolean {
  if (!error.retryable) return false
  if (attempt - state.fellBackAfter < maxAttempts) return true
  return !mayFallBack(state, error) && now() < (waitsUntil(state) ?? 0)
}

/** What is recorded of an attempt that is made again. */
export const retryFact = (
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
    notBefore: now() + delay,
    ...(until !== undefined && until > now() && { until }),
    ...(host !== undefined && { host }),
    error,
  }
}

/** Until when a run that was resumed, or was started by such a run, waits for its provider. */
function waitsUntil({ resumedAt, start }: RunState): number | undefined {
  const since = resumedAt ?? start!.resumedAt
  return since === undefined ? undefined : since + (start!.limits.providerWait ?? defaultLimits.providerWait)
}

/** What of a request depends on what is asked for. */
export interface Question extends Pick<ModelRequest, "system" | "messages" | "tools"> {
  /** `live`: the text is shown while it comes. */
  readonly text: "live" | "kept"
}

/** The model that a run asks now. */
export const modelOf = ({ environment, state }: Drive): Promise<Model> =>
  environment.models.open(state.start!.model.uses[state.model]!)

/** `wait`: the model's provider takes no request now; the drive comes back when it does. */
export function passGate(drive: Drive, model: Model): "pass" | "wait" {
  const gate = drive.environment.gates.of(model)
  const answer = gate?.enter(drive.calledBy === gate ? "line" : "outside") ?? "pass"
  drive.calledBy = undefined
  if (answer === "wait") drive.waitForGate(gate!)
  return answer
}

/** Asks once, through the layers, and makes something of the reply. All of it is foreign code that is told when to stop. */
export function ask<Value>(
  drive: Drive,
  model: Model,
  start: Pick<ModelStart, "turn" | "attempt" | "reserved">,
  question: Question,
  read: (reply: ReadReply) => Promise<Value>,
): Promise<Settled<Value>> {
  drive.heard = now()
  // A stop may have been recorded just before the start was: then nothing is asked.
  if (drive.stopped)
    return Promise.resolve({ type: "error", error: undefined, aborted: "the run is stopping" })
  return drive.run(
    "model",
    async ({ signal }) => read(readReply(await send(drive, model, start, question, signal))),
    { lender: drive },
  )
}

/** A model that throws or answers in another shape breaks its contract; what it came to is data all the same. */
export const failureOf = (settled: Exclude<Settled<unknown>, { type: "value" }>): ReadReply => ({
  text: "",
  calls: [],
  // What a request that was given up has used, nobody tells.
  usage: {},
  stop: "other",
  error: {
    kind: settled.aborted === undefined ? "protocol" : "aborted",
    message: settled.aborted ?? messageOf((settled as { error: unknown }).error),
    retryable: false,
  },
})

/** Exponential with jitter; what the provider asked for is a floor. */
export function retryDelay(error: ModelError, attempt: number): number {
  const backoff = Math.min(30_000, 500 * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
  return Math.max(error.retryAfter ?? 0, 0) + backoff
}

function send(
  drive: Drive,
  model: Model,
  { turn, attempt, reserved }: Pick<ModelStart, "turn" | "attempt" | "reserved">,
  { text, ...question }: Question,
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
    ...(metered && { maxOutputTokens: reserved.outputTokens }),
    ...(parameters && { parameters }),
    ...(effort !== undefined && { effort }),
    signal,
  }
  const show = (shown: string) =>
    environment.emit({ type: "text-delta", run: state.run, turn, attempt, text: shown })
  const stream = (request: ModelRequest) => {
    const keepsSecrets = environment.models.keepsSecrets()
    let live: LiveText | undefined
    const reply = model.stream(request, (delta) => {
      drive.heard = now()
      if (text !== "live" || delta.type !== "text") return
      if (!keepsSecrets) return show(delta.text)
      live ??= new LiveText(environment.models, show)
      live.add(delta.text)
    })
    return keepsSecrets ? reply.finally(() => live?.end()) : reply
  }
  return compose(environment.layers.model ?? [], stream)(request)
}

/** A reply as it may be recorded. */
export interface ReadReply extends Omit<ModelReply, "provider"> {
  /** What it left for its provider, as JSON. */
  readonly providerText?: string
}

/** It is foreign: what it says beyond its contract is left out, what it lacks is a fault. */
function readReply(reply: ModelReply | undefined): ReadReply {
  if (!isReply(reply))
    throw new Error("The model gave a reply without text, calls or usage. This is a fault of its client.")
  const { text, calls, usage, stop, finish, cutCalls, model, provider, error } = reply
  // A reply that was cut may have been cut inside a call, and half a call must never run.
  const isWhole = stop === "calls" || stop === "end"
  return {
    text,
    calls: isWhole ? calls : [],
    usage,
    stop,
    ...(finish !== undefined && { finish: String(finish).slice(0, 200) }),
    ...(!isWhole && (cutCalls ?? calls.length) > 0 && { cutCalls: cutCalls ?? calls.length }),
    ...(model !== undefined && { model: String(model) }),
    // What cannot be written down cannot be sent again either.
    ...(provider !== undefined && { providerText: written(provider) }),
    ...(error && { error: { ...error, message: String(error.message ?? "no reason was given") } }),
  }
}

function written(provider: Json): string {
  const text: string | undefined = JSON.stringify(provider)
  if (text === undefined)
    throw new Error("What the model left for its provider is no JSON. This is a fault of its client.")
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
  amounts.every((name) => reply.usage[name] === undefined || isAmount(reply.usage[name]))
